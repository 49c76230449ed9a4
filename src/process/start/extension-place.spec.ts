import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPackage, namedBy } from './extension-place.js';

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-places-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('A word of --with or EXTENSIONS', () => {
  it.each([
    ['scim', 'gatehouse-scim'],
    ['oauth2', 'gatehouse-oauth2'],
    ['gatehouse-hr', 'gatehouse-hr'],
    ['acme-people', 'acme-people'],
    ['@acme/gatehouse-hr', '@acme/gatehouse-hr'],
    ['@acme/hr', '@acme/hr'],
  ])('%s names the package %s', (word, packageName) => {
    expect(namedBy(word)).toEqual({ packageName });
  });

  it.each([
    './scim',
    '../hr/dist/hr.extension.js',
    '/extension/hr.extension.js',
    './@acme/hr',
    'dist/hr.extension.js',
    'nowhere.js',
    'hr-extension.mjs',
    'scim.cjs',
    'Scim',
    '@acme',
    '@acme/hr/dist',
    '',
  ])('"%s" names a file', (word) => {
    expect(namedBy(word)).toEqual({ file: resolve(word) });
  });

  it('names a file that there is, whatever it is called, and no folder', () => {
    // From the folder in which the tests run.
    expect(namedBy('LICENSE')).toEqual({ file: resolve('LICENSE') });
    expect(namedBy('docs')).toEqual({ packageName: 'gatehouse-docs' });
    const path = join(folder, 'plain');
    writeFileSync(path, '');
    expect(namedBy(path)).toEqual({ file: path });
  });
});

describe('A package', () => {
  const add = (at: string, manifest: object): string => {
    const place = join(folder, at);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
    return place;
  };

  it('is the one of the first folder that has it, there or above, and else of the next', () => {
    const first = add('a/node_modules/gatehouse-both', { main: 'a.js' });
    const second = add('b/node_modules/gatehouse-both', { main: 'b.js' });
    const folders = [join(folder, 'a'), join(folder, 'b/c/d')];
    mkdirSync(folders[1]!, { recursive: true });
    const found = findPackage('gatehouse-both', folders)!;
    expect(found).toMatchObject({ folder: first, main: 'a.js' });
    expect(dirname(fileURLToPath(found.importer))).toBe(folders[0]);
    expect(findPackage('gatehouse-both', folders.toReversed())).toMatchObject({ folder: second, main: 'b.js' });
    expect(findPackage('gatehouse-none', folders)).toBeUndefined();
  });

  it('is found as what a link of a workspace leads to, compiled or not', () => {
    const place = add('packages/linked', { name: 'gatehouse-linked', exports: './dist/linked.js' });
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(place, join(folder, 'node_modules/gatehouse-linked'));
    expect(findPackage('gatehouse-linked', [folder])).toMatchObject({ folder: place, main: undefined });
  });
});
