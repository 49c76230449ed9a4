import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PARTS, ROOMS } from '../../architecture.mjs';
import { importedFiles, SOURCE } from './imported-files.js';

const page = readFileSync(join(SOURCE, 'README.md'), 'utf8');

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

/** What the files of a folder import of `src`: paths from there. */
function importsOf(folder: string, pattern = '**/*.{ts,tsx}'): string[] {
  return [...importedFiles(`${folder}/${pattern}`).values()].flat().map((file) => relative(SOURCE, file));
}

describe('The rooms of the house', () => {
  const rooms = Object.entries(ROOMS);
  const names = rooms.map(([name]) => name);

  it('are the folders of src, at most 24, beside three files', () => {
    const entries = readdirSync(SOURCE, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(folders.sort()).toEqual(names.toSorted());
    expect(folders.length).toBeLessThanOrEqual(24);
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    expect(files.sort()).toEqual(['README.md', 'app.module.ts', 'main.ts']);
  });

  it('are listed from the lowest to the highest: arrows point down', () => {
    for (const [room, below] of rooms)
      for (const other of below.filter((name) => name !== 'app.module.ts'))
        expect([room, other, names.indexOf(other) < names.indexOf(room)]).toEqual([room, other, true]);
  });

  it.each(rooms)('%s imports each of those that it may import', (room, below) => {
    const imported = new Set(importsOf(room).map((path) => path.split('/')[0]!));
    expect(below.filter((name) => !imported.has(name))).toEqual([]);
  });

  it.each(Object.entries(PARTS))('%s lists its folders, whose arrows point down and are used', (room, parts) => {
    const entries = readdirSync(join(SOURCE, room), { withFileTypes: true, recursive: false });
    const folders = entries
      .filter((entry) => entry.isDirectory() && globSync(`${room}/${entry.name}/**/*.ts*`, { cwd: SOURCE }).length > 0)
      .map(({ name }) => name);
    const order = Object.keys(parts);
    expect(order.filter((name) => name !== '.').sort()).toEqual(folders.sort());
    for (const [part, below] of Object.entries(parts)) {
      const imported = (part === '.' ? importsOf(room, '*.{ts,tsx}') : importsOf(`${room}/${part}`))
        .filter((path) => path.startsWith(`${room}/`))
        .map((path) => path.split('/'))
        .map((path) => (path.length === 2 ? '.' : path[1]!));
      expect([part, below.filter((other) => !imported.includes(other))]).toEqual([part, []]);
      expect([part, below.filter((other) => order.indexOf(other) >= order.indexOf(part))]).toEqual([part, []]);
    }
  });

  it.each(names)('%s has a sign at its door, which says who imports it', (room: string) => {
    const sign = readFileSync(join(SOURCE, room, 'README.md'), 'utf8');
    const importers = rooms
      .filter(([, below]: [string, readonly string[]]) => below.includes(room))
      .map(([name]) => name);
    const line = /^Imported by: (.+)\.$/m.exec(sign)?.[1] ?? '';
    expect(room === 'foundation' ? [line] : named(line)).toEqual(room === 'foundation' ? ['every room'] : importers);
    expect(sign).toContain('Begin with: ');
    expect(sign.split('\n').length).toBeLessThanOrEqual(12);
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
