import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { ROOMS } from '../../architecture.mjs';

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

/** The rooms, and files of `src`, that the files of a room import. */
function importedBy(room: string): Set<string> {
  const found = new Set<string>();
  for (const path of globSync(`${room}/**/*.{ts,tsx}`, { cwd: source })) {
    if (/\.(spec|fixture)\.tsx?$/.test(path)) continue;
    const file = join(source, path);
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const [first] = relative(source, resolve(dirname(file), fileName)).split('/');
      found.add(first!.replace(/\.js$/, '.ts'));
    }
  }
  return found;
}

describe('The rooms of the house', () => {
  const rooms = Object.entries(ROOMS);
  const names = rooms.map(([name]) => name);

  it('are the folders of src, at most 22, beside three files', () => {
    const entries = readdirSync(source, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(folders.sort()).toEqual(names.toSorted());
    expect(folders.length).toBeLessThanOrEqual(22);
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    expect(files.sort()).toEqual(['README.md', 'app.module.ts', 'main.ts']);
  });

  it('are listed from the lowest to the highest: arrows point down', () => {
    for (const [room, below] of rooms)
      for (const other of below.filter((name) => name !== 'app.module.ts'))
        expect([room, other, names.indexOf(other) < names.indexOf(room)]).toEqual([room, other, true]);
  });

  it.each(rooms)('%s imports each of those that it may import', (room, below) => {
    const imported = importedBy(room);
    expect(below.filter((name) => !imported.has(name))).toEqual([]);
  });

  it('stand in the map of src/README.md in the same order', () => {
    const rows = rowsBelow('Rooms');
    expect(rows.flatMap(([room]) => named(room!))).toEqual(names);
    for (const cells of rows) expect(cells.at(-1)).not.toBe('');
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
