import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';

const root = join(import.meta.dirname, '..', '..');

const eslint = new ESLint({ cwd: root });

/** The refusals that a text would get as that file. */
async function refusals(file: string, text: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${text}\n`, { filePath: join(root, file) });
  return result!.messages.filter((message) => message.severity === 2).map((message) => message.message);
}

/** From an invented file to a real one: the rules look at what an import leads to. */
function pathTo(file: string, pattern: string): string {
  const [found] = globSync(pattern, { cwd: root }).filter((path) => !path.endsWith('.spec.ts'));
  if (!found) throw new Error(`No file matches ${pattern}`);
  const path = relative(dirname(file), found)
    .replaceAll('\\', '/')
    .replace(/\.tsx?$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

describe('Imports point down', () => {
  it.each([
    ['an edge', 'another edge', 'oidc', 'login'],
    ['an edge', 'another edge, the other way', 'login', 'oidc'],
    ['an edge', 'another edge, of any other two', 'admin', 'login'],
    ['a use case', 'an edge', 'management', 'oidc'],
    ['an edge', 'the process', 'admin', 'process'],
    ['a noun', 'an edge', 'user', 'oidc'],
    ['a noun', 'a use case', 'org', 'management'],
    ['a noun', 'one above it', 'org', 'user'],
    ['a noun', 'one above it, from a folder inside', 'project/client', 'token'],
    ['the foundation', 'a noun', 'foundation/database', 'user'],
    ['the foundation', 'an edge', 'foundation/error', 'oidc'],
  ])('refuses that %s imports %s (%s, %s)', async (_who, _whom, from, to) => {
    const file = `src/${from}/invented.ts`;
    const refusal = expect.stringContaining(`There is no arrow from ${from.split('/')[0]} to it`);
    const path = pathTo(file, `src/${to}/**/*.ts`);
    const text = `import '${path}';\nexport type * from '${path}';\nexport const late = import('${path}');`;
    expect(await refusals(file, text)).toEqual([refusal, refusal, refusal]);
  });

  it('refuses that a module imports the table of contents', async () => {
    const file = 'src/login/invented.ts';
    expect(await refusals(file, `import '${pathTo(file, 'src/app.module.ts')}';`)).toContainEqual(
      expect.stringContaining('There is no arrow from login to it'),
    );
  });

  it.each([
    ['an edge imports a noun', 'oidc', 'src/project/client/*.entity.ts'],
    ['an edge imports the foundation', 'login', 'src/foundation/error/*.ts'],
    ['a use case imports a noun', 'management', 'src/org/*.entity.ts'],
    ['a noun imports one below it', 'user', 'src/org/*.entity.ts'],
    ['a room imports its own repository', 'user', 'src/user/*.repository.ts'],
  ])('allows that %s', async (_title, from, pattern) => {
    const file = `src/${from}/invented.ts`;
    expect(await refusals(file, `import '${pathTo(file, pattern)}';`)).toEqual([]);
  });

  it.each([
    'src/oidc/invented.ts',
    'src/session/invented.ts',
    'src/admin/user/invented.ts',
    'src/user/factor/invented.ts',
  ])("refuses a neighbour's repository in %s", async (file) => {
    const path = pathTo(file, 'src/user/*.repository.ts');
    expect(await refusals(file, `import '${path}';`)).toContainEqual(
      expect.stringContaining("A neighbour's repository is private"),
    );
  });
});

describe('The decision of a sign-in', () => {
  it('is asked of SignInDecision alone, which adds the steps of extensions [LOG-040]', () => {
    const callers = globSync('src/**/*.ts', { cwd: root }).filter(
      (path) =>
        !path.endsWith('.spec.ts') && /^import[^;]*\bnextStep\b[^;]*;/m.test(readFileSync(join(root, path), 'utf8')),
    );
    expect(callers).toEqual([join('src', 'session', 'auth-request', 'sign-in-decision.ts')]);
  });
});

describe('A package of the workspace imports what a team could import', () => {
  const SOURCE = 'packages/saml/src/sign-in/invented.ts';
  const TESTS = ['packages/saml/src/sign-in/invented.spec.ts', 'packages/saml/test/invented.e2e-spec.ts'] as const;
  const ways = (name: string): string =>
    [
      `import '${name}';`,
      `import type { A } from '${name}';`,
      `export { b } from '${name}';`,
      `export type * from '${name}';`,
      `export const c = import('${name}');`,
      `export type D = import('${name}').D;`,
      `import e = require('${name}');`,
    ].join('\n');

  it.each([
    ['a file of the sources', '../../../../src/user/user.entity.js', 'leads out of packages/saml/src'],
    ['a test of the repository', '../../../../test/support/world.js', 'leads out of packages/saml/src'],
    ['its own tests', '../../test/invented.js', 'leads out of packages/saml/src'],
    ['a file of another package', '../../../scim/src/scim.extension.js', 'leads out of packages/saml/src'],
    ['another package', 'gatehouse-scim', 'is another package of the workspace'],
    ['what is experimental', 'gatehouse/experimental', 'is not for packages'],
    ['what is for tests', 'gatehouse/testing', 'is not for packages'],
    ['the inside of the package', 'gatehouse/lib/main.js', 'is not for packages'],
    [
      'what its manifest does not name',
      'typeorm',
      'is not in dependencies or peerDependencies of packages/saml/package.json',
    ],
    [
      'a tool of the repository',
      '@jest/globals',
      'is not in dependencies or peerDependencies of packages/saml/package.json',
    ],
    ['a builtin without its prefix', 'fs', 'Write "node:fs"'],
    ['what loads files unseen', 'node:module', 'must stand here as text'],
  ])('and not %s (%s)', async (_, name, message) => {
    const found = await refusals(SOURCE, ways(name));
    expect(found).toEqual(Array.from({ length: 7 }, () => expect.stringContaining(message)));
  });

  it.each([
    ['a file of the sources', '../../../../src/user/user.entity.js'],
    ['a test of the repository', '../../../../test/support/world.js'],
    ['a file of another package', '../../../scim/src/scim.extension.js'],
    ['another package', 'gatehouse-scim'],
    ['what is experimental', 'gatehouse/experimental'],
    ['a package that nobody names', 'left-pad'],
  ])('and its tests not %s (%s)', async (_, name) => {
    for (const file of TESTS) {
      const path = name.startsWith('.') && file.includes('/test/') ? name.slice('../'.length) : name;
      expect(await refusals(file, `import '${path}';`)).toHaveLength(1);
    }
  });

  it('and nothing whose name is computed', async () => {
    const text = 'const name = `../../${1}`;\nexport const late = [import(name), import(`./${name}.js`)];';
    expect(await refusals(SOURCE, text)).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('as text')));
  });

  it('which are its own files, Node, Gatehouse, and what its manifest names', async () => {
    const names = [
      './other.js',
      '../saml.extension.js',
      'node:crypto',
      'gatehouse',
      'gatehouse/admin',
      '@nestjs/common',
    ];
    const manifest = readFileSync(join(root, 'packages/saml/package.json'), 'utf8');
    const own = Object.keys((JSON.parse(manifest) as { dependencies: object }).dependencies).flatMap((name) => [
      name,
      `${name}/lib/inside.js`,
    ]);
    expect(own).not.toEqual([]);
    expect(await refusals(SOURCE, [...names, ...own].map((name) => `import '${name}';`).join('\n'))).toEqual([]);
  });

  it('and for its tests what the repository tests with', async () => {
    const names = ['gatehouse/testing', 'gatehouse', '@jest/globals', 'openid-client', 'node:fs'];
    for (const file of TESTS)
      expect(await refusals(file, names.map((name) => `import '${name}';`).join('\n'))).toEqual([]);
    expect(await refusals(TESTS[1], "import '../src/saml.extension.js';")).toEqual([]);
  });

  it.each([
    ['the environment', 'export const port = process.env.PORT;', 'settings(…) of gatehouse'],
    ['the environment by its name', "import { env } from 'node:process';\nexport { env };", 'settings(…) of gatehouse'],
    ['the time', 'export const now = Date.now();', 'Ask the Clock'],
    ['the time as a date', 'export const now = new Date();', 'Ask the Clock'],
  ])('and reads by its sources neither environment nor time: %s', async (_, text, message) => {
    expect(await refusals(SOURCE, text)).toEqual([expect.stringContaining(message)]);
    for (const file of TESTS) expect(await refusals(file, text)).toEqual([]);
  });

  it.each(['packages/saml/src/utils', 'packages/saml/test/helpers'])('and has no folder %s', async (folder) => {
    expect(await refusals(`${folder}/invented.ts`, 'export {};')).toContainEqual(
      expect.stringContaining('A helper has a subject'),
    );
  });
});

describe('A folder is a noun of the trade', () => {
  it.each(['src/common', 'src/shared', 'src/user/utils', 'test/helpers'])('refuses the folder %s', async (folder) => {
    expect(await refusals(`${folder}/invented.ts`, 'export {};')).toContainEqual(
      expect.stringContaining('A helper has a subject'),
    );
  });
});

describe('Only src/foundation/config reads the environment', () => {
  it.each([
    'export const port = process.env.PORT;',
    "import { env } from 'node:process';\nexport const port = env.PORT;",
  ])('%s', async (text) => {
    expect(await refusals('src/foundation/http/invented.ts', text)).toContainEqual(
      expect.stringContaining('Only src/foundation/config'),
    );
    expect(await refusals('src/foundation/config/invented.ts', text)).toEqual([]);
  });
});
