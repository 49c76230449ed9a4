import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The suites that teams get. */
const suites = [...new Set(read('src/extension/entry/testing.ts').match(/\b[a-z]\w*Contract\b/g))].sort();
const tests = globSync('test/extension/contract/*.deep-spec.ts', { cwd: root }).map(read);

describe('A contract that teams get', () => {
  it.each(suites)('%s is run on parts of this repository, and on parts that break it', (suite) => {
    const [runs] = tests.filter((text) => text.includes(`${suite}(`));
    expect(runs).toMatch(/ keeps? the contract'.*it\(name, run\)/s);
    expect(runs).toMatch(/'The contract tells what is wrong .*brokenIn\(/s);
  });

  it('is exported: none is kept back', () => {
    const written = globSync('src/extension/testing/contract/*.contract.ts', { cwd: root }).flatMap(
      (path) => /export function (\w+Contract)\(/.exec(read(path))?.[1] ?? [path],
    );
    expect(written.sort()).toEqual(suites);
  });

  it('says in its comment what it cannot prove', () => {
    for (const path of globSync('src/extension/testing/contract/*.contract.ts', { cwd: root }))
      expect([path, /\* It cannot prove [^]*?\*\/\s*export function/.test(read(path))]).toEqual([path, true]);
  });
});

describe('The service', () => {
  it('never loads what is for tests [TST-003]', () => {
    const importers = globSync('src/**/*.{ts,tsx}', { cwd: root })
      .filter((path) => !/^src[\\/]extension[\\/](testing|test-idp)[\\/]/.test(path) && !path.endsWith('.spec.ts'))
      .filter((path) => /from '[^']*\/(testing|test-idp)\//.test(read(path)));
    const entries = ['test-idp.ts', 'testing.ts'].map((name) => join('src', 'extension', 'entry', name));
    expect(importers.sort()).toEqual(entries);
  });
});
