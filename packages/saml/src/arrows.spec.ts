import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const here = import.meta.dirname;
const FOLDERS = ['xml', 'signature', 'bindings', 'protocol', 'metadata', 'idp', 'sp', 'logout'];
/** What serves them, and may import all of them. */
const EDGE = ['application', 'certificate', 'entity', 'provider', 'sign-in', 'sign-out'];

const rows = [...readFileSync(join(here, 'README.md'), 'utf8').matchAll(/^\| `(\w+)` \|[^|]*\|([^|]*)\|$/gm)];
const allowed = new Map(
  rows.map(([, folder, imports]) => [folder!, [...imports!.matchAll(/`(\w+)`/g)].map(([, name]) => name!)]),
);

/** Tests may look at anything. */
const all = globSync('*/*.ts', { cwd: here }).filter((path) => !/\.(?:spec|fixture)\.ts$/.test(path));
const folderOf = (path: string): string => path.split('/')[0]!;
const sources = all.filter((path) => !EDGE.includes(folderOf(path)));

it('README.md has a row for each folder, from the lowest to the highest', () => {
  expect([...allowed.keys()]).toEqual(FOLDERS);
  expect([...new Set(all.map(folderOf))].sort()).toEqual([...FOLDERS, ...EDGE].sort());
});

it('A folder imports exactly those that README.md names', () => {
  const used = new Map(FOLDERS.map((folder) => [folder, new Set<string>()]));
  for (const path of sources)
    for (const [, folder] of readFileSync(join(here, path), 'utf8').matchAll(/ from '\.\.\/([\w-]+)\//g))
      used.get(folderOf(path))!.add(folder!);
  for (const [folder, imports] of used)
    expect([folder, [...imports].sort()]).toEqual([folder, allowed.get(folder)!.toSorted()]);
});

it('None of these folders imports Gatehouse, Nest or HTTP', () => {
  const foreign = sources.flatMap((path) =>
    [...readFileSync(join(here, path), 'utf8').matchAll(/(?:from|import\() ?'([^'.][^']*)'/g)].map(([, name]) => name!),
  );
  expect([...new Set(foreign)].sort()).toEqual([
    '@peculiar/x509',
    '@xmldom/xmldom',
    'node:crypto',
    'node:zlib',
    'reflect-metadata',
    'xml-crypto',
  ]);
});
