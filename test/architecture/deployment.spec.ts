import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { settings } from './settings.js';

const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** From a list of names, one of which may stand in a row with others. */
function namesIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].sort();
}

it('every setting is in .env.example', () => {
  const listed = namesIn(textOf('.env.example'), /^#([A-Z0-9_]+)=/gm);
  expect(settings().filter((name) => !listed.includes(name))).toEqual([]);
});

it('every setting is in the table of docs/operating.md', () => {
  const rows = textOf('docs/operating.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const listed = namesIn(rows.join('\n'), /`([A-Z0-9_]+)`/g);
  expect(settings().filter((name) => !listed.includes(name))).toEqual([]);
});

it('the composition passes every setting on', () => {
  expect(textOf('compose.yaml')).toMatch(/^ {4}env_file: \[\{ path: \.env, required: false \}\]$/m);
});

it('the composition sends e-mails nowhere unless it is told to', () => {
  const composition = textOf('compose.yaml');
  expect(composition).not.toMatch(/SMTP_URL:/);
  expect(composition).toMatch(/mailpit:\n {4}profiles: \[mailbox\]/);
  expect(composition).not.toMatch(/:latest/);
});

it.each(['deploy/monitoring/alarms.yml', 'deploy/monitoring/grafana-board.json'])(
  '%s uses only metrics that the service offers',
  (file) => {
    const offered = namesIn(textOf('src/process/figures.ts'), /name: '(gatehouse_\w+)'/g);
    const counted = namesIn(textOf('src/process/figures.ts'), /counted\('(\w+)'/g).flatMap((name) => [
      `gatehouse_${name}`,
      `gatehouse_${name}_oldest_seconds`,
    ]);
    // A histogram is offered as its buckets, its sum and its count.
    const used = namesIn(textOf(file), /\b(gatehouse_\w+?)(?:_bucket|_sum|_count)?\b/g);
    expect(used.length).toBeGreaterThan(4);
    expect(used.filter((name) => ![...offered, ...counted].includes(name))).toEqual([]);
  },
);
