import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..');
const LINES = 150;

/** Sources and tests, blank lines included. */
function linesOf(example: string): number {
  return globSync(`${example}/**/*.{ts,tsx,mjs}`, { cwd: root, exclude: ['**/node_modules', '**/dist'] }).flatMap(
    (path) => readFileSync(join(root, path), 'utf8').trimEnd().split('\n'),
  ).length;
}

describe('An example', () => {
  const examples = globSync('examples/*', { cwd: root });

  it('is there', () => {
    expect(examples.length).toBeGreaterThan(3);
  });

  it.each(examples)(`%s can be read at once: ${LINES} lines at most, its tests included`, (example) => {
    expect(linesOf(example)).toBeLessThanOrEqual(LINES);
    expect(linesOf(example)).toBeGreaterThan(50); // an empty folder would be short, too
  });

  it.each(examples)('%s has tests with gatehouse/testing', (example) => {
    const tests = globSync(`${example}/src/*.test.ts`, { cwd: root }).map((path) =>
      readFileSync(join(root, path), 'utf8'),
    );
    expect(tests.join('')).toMatch(/from 'gatehouse\/testing'/);
    expect(tests.join('')).toMatch(/\b\w+Contract\(/);
  });
});
