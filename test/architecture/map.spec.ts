import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DOMAIN, EDGES, FOUNDATIONS, OUTERMOST, USE_CASES } from '../../architecture.mjs';

const source = join(import.meta.dirname, '..', '..', 'src');
const page = readFileSync(join(source, 'README.md'), 'utf8');

/** The cells of the table below a heading of the map, without its two head lines. */
function rowsBelow(heading: string): string[][] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (!section) throw new Error(`src/README.md has no heading "${heading}".`);
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

const named = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);

describe('The map in src/README.md shows the arrows that lint holds', () => {
  it.each([
    ['Outermost', Object.keys(OUTERMOST)],
    ['Edges', EDGES],
    ['Use cases', USE_CASES],
    ['Domain', Object.keys(DOMAIN)],
    ['Foundations', FOUNDATIONS],
  ])('%s', (heading, folders) => {
    const rows = rowsBelow(heading);
    expect(rows.flatMap(([folder]) => named(folder!)).sort()).toEqual([...folders].sort());
    for (const cells of rows) expect(cells.at(-1)).not.toBe('');
  });

  it.each([
    ['Outermost', OUTERMOST],
    ['Domain', DOMAIN],
  ])('%s: which of them one may import', (heading, expected) => {
    const arrows = rowsBelow(heading).map(([folder, mayImport]) => [named(folder!)[0], named(mayImport!)]);
    expect(Object.fromEntries(arrows)).toEqual(expected);
  });

  it('names each file beside it', () => {
    const files = readdirSync(source).filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
    expect(
      rowsBelow('Beside this page')
        .flatMap(([names]) => named(names!))
        .sort(),
    ).toEqual(files.sort());
  });
});

describe('The map in test/README.md', () => {
  it('has a row for each folder', () => {
    const folder = join(import.meta.dirname, '..');
    const entries = readdirSync(folder, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const rows = readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^\| `([^`]+)` \|/gm);
    expect([...rows].map(([, name]) => name)).toEqual(folders.filter((name) => name !== 'screenshots').sort());
  });
});

describe('The list of long test files', () => {
  it('names files that are there', () => {
    const root = join(import.meta.dirname, '..', '..');
    const list = JSON.parse(readFileSync(join(root, 'test/support/runner/long-files.json'), 'utf8')) as object;
    expect(Object.keys(list).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
