import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: object;
  readonly peerDependencies: Readonly<Record<string, string>>;
}
const manifestOf = (folder: string): Manifest => JSON.parse(textOf(join(folder, 'package.json'))) as Manifest;
const ours = manifestOf('.');

const packages = globSync('packages/*/package.json', { cwd: root }).map(dirname);

it('There are packages of extensions', () => {
  expect(packages.length).toBeGreaterThan(0);
});

describe.each(packages)('The package in %s', (folder: string) => {
  const word = basename(folder);
  const main = `dist/${word}.extension.js`;

  it('is found by its word, has the version of Gatehouse, and is compiled before it is packed', () => {
    expect(manifestOf(folder)).toMatchObject({
      name: `gatehouse-${word}`,
      version: ours.version,
      license: 'MIT',
      type: 'module',
      main,
      files: ['dist', '!dist/**/*.map'],
      engines: ours.engines,
      scripts: { prepack: 'node ../../scripts/build.mjs --if-needed' },
    });
    expect(textOf(join(folder, 'LICENSE'))).toBe(textOf('LICENSE'));
  });

  it('shares Gatehouse and Nest with whoever installs it', () => {
    const { peerDependencies } = manifestOf(folder);
    expect(peerDependencies['gatehouse']).toBe(`^${ours.version}`);
    const shared = Object.keys(peerDependencies).filter((name) => name in ours.peerDependencies);
    expect(shared.filter((name) => peerDependencies[name] !== ours.peerDependencies[name])).toEqual([]);
  });

  it('compiles with the settings of a team, declarations of all packages checked', () => {
    const { compilerOptions } = JSON.parse(textOf(join(folder, 'tsconfig.build.json'))) as { compilerOptions: object };
    expect(compilerOptions).toMatchObject({ strict: true, skipLibCheck: false, rootDir: 'src', outDir: 'dist' });
    expect(compilerOptions).not.toHaveProperty('paths');
    // Editors and Oxlint take the nearest of that name: that of the repository, which knows the sources of Gatehouse.
    expect(existsSync(join(root, folder, 'tsconfig.json'))).toBe(false);
  });

  it('says what it is, if it has sources, which begin where the manifest says', () => {
    const isThere = (file: string): boolean => existsSync(join(root, folder, file));
    const needed = isThere('src') ? ['README.md', `src/${word}.extension.ts`] : [];
    expect(needed.filter((file) => !isThere(file))).toEqual([]);
  });
});
