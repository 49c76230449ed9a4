/*
 * Fills in the last column of docs/threats.md: the test files that cite each threat. Run by `npm run threats`;
 * test/architecture/ids.spec.ts compares.
 */

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/threats.md');

const TEST = /\.(?:(?:e2e|deep)-)?spec\.tsx?$/;
const ROW = /^\| ([A-Z]{3}-\d{3}) \|/;
const ID = /\b[A-Z]{3}-\d{3}\b/g;

/** @returns {Map<string, string>} everything that people write, by its path from the root */
export function sources() {
  const patterns = [
    '{src,test,docs,bench,scripts,deploy,examples,.ci}/**/*.{ts,tsx,js,mjs,md,yaml,yml,sh}',
    '*.{ts,mjs,md}',
  ];
  const paths = globSync(patterns, { cwd: root, exclude: (path) => /(?:^|\/)node_modules(?:\/|$)/.test(path) });
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** @returns {string[]} the ids that have a row */
export function threats() {
  return linesOf(readFileSync(page, 'utf8')).flatMap((line) => ROW.exec(line)?.[1] ?? []);
}

/** @returns {Map<string, string[]>} the test files that cite an id, by id */
export function testsOf() {
  const tests = new Map();
  for (const [path, text] of sources()) {
    if (!TEST.test(path)) continue;
    for (const id of new Set(text.match(ID))) tests.set(id, [...(tests.get(id) ?? []), path]);
  }
  return tests;
}

/** @returns {string} the page with its last column as the tests are now */
export function withTests(text) {
  const tests = testsOf();
  return linesOf(text)
    .map((line) => {
      const cells = line.split(' | ');
      const id = ROW.exec(line)?.[1];
      if (id)
        return `${cells.slice(0, 3).join(' | ').replace(/ \|$/, '')} | ${(tests.get(id) ?? []).map(link).join(', ')} |`;
      if (line.startsWith('| Id |')) return '| Id | Threat | What must hold | Tests |';
      return line.startsWith('|---') ? '|---|---|---|---|' : line;
    })
    .join('\n');
}

const linesOf = (text) => text.split('\n');

const link = (path) => `[${path.replace(/^test\//, '').replace(TEST, '')}](../${path})`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(page, withTests(readFileSync(page, 'utf8')));
}
