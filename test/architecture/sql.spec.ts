import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..', 'src');

/** Where a dollar and a digit are no parameter, or one that has no name. Folders end with a slash. */
const REASONS: Readonly<Record<string, string>> = {
  'migration/convert/keycloak/credential.ts': 'bcrypt hashes begin with $2',
  'docs/site-files.ts': 'a replacement of String.replaceAll',
  'foundation/password/': 'password hashes begin with $1$, $2b$, …',
  'page/totp-set-up.page.tsx': 'a replacement of String.replace',
  'mail/mail-template.ts': 'a replacement of String.replace',
  'extension/test-idp/': 'statements about a whole database, which run once',
  'extension/testing/': 'tests look into the database with statements that run once, which the driver takes by number',
};

const isExempt = (path: string): boolean =>
  Object.keys(REASONS).some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => /\.tsx?$/.test(path) && !/\.spec\.tsx?$/.test(path));

/** Lines of code, not of comments. */
function linesWithNumbers(path: string): string[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  return lines.filter((line) => /\$\d/.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line));
}

it('SQL has named parameters, no positional ones', () => {
  const found = sources
    .filter((path) => !isExempt(path))
    .flatMap((path) => linesWithNumbers(path).map((line) => `${path}: ${line.trim()}`));
  expect(found).toEqual([]);
});

it('no exemption is left over', () => {
  const inUse = sources.filter((path) => linesWithNumbers(path).length > 0);
  const unused = Object.keys(REASONS).filter((place) => !inUse.some((path) => path.startsWith(place)));
  expect(unused).toEqual([]);
});
