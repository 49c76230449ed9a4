import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { codeBlocksOf } from '../support/code-blocks.js';

const root = join(import.meta.dirname, '..', '..');
const LINES = 150;
/** It sends a key and the ids of users to another service, and shows the care that this takes. */
const LINES_WITH_CALLS = 200;

/** Sources, stylesheets and tests, blank lines included. */
function linesOf(example: string): number {
  return globSync(`${example}/**/*.{ts,tsx,mjs,css}`, { cwd: root, exclude: ['**/node_modules', '**/dist'] }).flatMap(
    (path) => readFileSync(join(root, path), 'utf8').trimEnd().split('\n'),
  ).length;
}

describe('An example of an extension', () => {
  const examples = globSync('examples/*/package.json', { cwd: root, exclude: ['examples/application/**'] }).map(
    dirname,
  );

  it('exists for more than three subjects', () => {
    expect(examples.length).toBeGreaterThan(3);
  });

  it.each(examples)('%s can be read at once: few lines, its tests included', (example) => {
    expect(linesOf(example)).toBeLessThanOrEqual(example === 'examples/http-claims' ? LINES_WITH_CALLS : LINES);
    expect(linesOf(example)).toBeGreaterThan(50); // an empty folder would be short, too
  });

  it.each(examples)('%s has tests with gatehouse/testing', (example) => {
    const tests = globSync(`${example}/src/*.test.ts`, { cwd: root }).map((path) =>
      readFileSync(join(root, path), 'utf8'),
    );
    expect(tests.join('')).toMatch(/from 'gatehouse\/testing'/);
    expect(tests.join('')).toMatch(/\b\w+Contract\(/);
  });

  it('shows each stable seam that teams fill most, with a stylesheet', () => {
    const sources = globSync('examples/*/src/*.extension.ts', { cwd: root }).map((path) =>
      readFileSync(join(root, path), 'utf8'),
    );
    const filled = [...sources.join('').matchAll(/provide\((\w+),/g)].map(([, seam]) => seam);
    for (const seam of ['CLAIMS', 'LOGIN_STEP', 'PAGE_SLOT', 'EVENT_LISTENER', 'IDP_KIND', 'MAIL_TRANSPORT'])
      expect(filled).toContain(seam);
    expect(globSync('examples/*/assets/style.css', { cwd: root })).toHaveLength(1);
  });
});

describe('The test of a rotated key', () => {
  it('is in the guide as it is in the example', () => {
    const test = readFileSync(join(root, 'examples/application/test/shop.test.js'), 'utf8');
    const shown = codeBlocksOf(join(root, 'docs/testing-your-application.md')).filter(({ code }) =>
      code.includes('rotateKey()'),
    );
    expect(shown.map(({ code }) => test.includes(code))).toEqual([true]);
  });
});

describe('A file that the page about a first extension shows', () => {
  const blocks = codeBlocksOf(join(root, 'docs/extending/README.md'))
    .filter(({ name }) => name?.includes('.'))
    .map(({ name, code }) => [join('examples/hr', name!), code] as const);

  it.each(blocks)('%s is that of the example', (file, code) => {
    expect(code).toBe(readFileSync(join(root, file), 'utf8'));
  });

  it('is each one of examples/hr', () => {
    const shown = blocks.map(([file]) => file);
    const files = globSync('examples/hr/**/*', { cwd: root, exclude: ['**/node_modules', '**/dist'] });
    expect(shown.sort()).toEqual(files.filter((file) => /\.ts$|tsconfig/.test(file)).sort());
  });
});
