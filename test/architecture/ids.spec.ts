import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sources, testsOf, threats, withTests } from '../../scripts/threats.mjs';

const root = join(import.meta.dirname, '..', '..');
const PAGE = 'docs/threats.md';

/** What looks like the id of a threat, a requirement or a note. */
const ID = /\b[A-Z]{2,6}-\d{2,3}\b|[([][A-Z]\d{1,2}[)\]]/g;
/** Names of algorithms and standards that look like one. */
const NAME = /^(?:SHA|AES|XAES|UTF)-/;

/** A section sign with what names its document: a published standard, or another section of one. */
const SECTION =
  /(?:(?:RFC \d{3,5}|OIDC Core|OpenID Connect(?: [A-Z][\w-]*)+(?: 1\.0)?|(?:RP-Initiated|Back-Channel) Logout(?: 1\.0)?|OAuth(?: 2\.0)?(?: [A-Z]\w*)+|FAPI 2\.0(?: Security Profile| Message Signing)?|NIST SP [\d-]+\w?|WCAG \d\.\d|ITU-T [A-Z]\.\d+|OpenAPI 3\.\d|PNG|Fetch|WebAuthn Level 3|Changing Passwords) |(?:§[\w.]*\w(?:,|,? and|,? or| to) ))$/;

/** A path from the root or from src. */
const PATH = /(?<![\w./:@${}-])(?:src|test|docs|bench|scripts)(?:\/[\w.-]*\w)+(?!\w)/g;
/** Behind a path: the last name is the beginning of several. */
const PATTERN = /^(?:[*{$]|<\w)/;
/** Written by programs, and not part of the repository; and routes. */
const ABSENT = ['test/screenshots', 'bench/results', 'docs/settings.json', 'docs/search.json', 'docs/assets'];

/** As one line, each character where it was: a sentence may go over several lines of a comment. */
const flatten = (text: string): string =>
  text.replace(/\n[ \t]*(?:\/\/|\*(?!\/))?[ \t]*/g, (gap) => ' '.padEnd(gap.length));

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;

const texts = [...sources()].filter(([path]) => path !== 'test/architecture/ids.spec.ts');

describe('What the repository cites can be looked up in it', () => {
  it('every id has a row in docs/threats.md', () => {
    const known = new Set(threats());
    const loose = texts.flatMap(([path, text]) =>
      [...text.matchAll(ID)]
        .filter(([id]) => !known.has(id) && !NAME.test(id))
        .map((match) => `${path}:${lineOf(text, match.index)} ${match[0]}`),
    );
    expect(loose).toEqual([]);
  });

  it('every section names the standard that it is of', () => {
    const loose = texts.flatMap(([path, text]) => {
      const flat = flatten(text);
      return [...flat.matchAll(/§/g)]
        .filter(({ index }) => !SECTION.test(flat.slice(Math.max(0, index - 200), index).replace(/ +/g, ' ')))
        .map(({ index }) => `${path}:${lineOf(text, index)} ${flat.slice(index - 20, index + 20)}`);
    });
    expect(loose).toEqual([]);
  });

  it('every record is in docs/adr', () => {
    const numbers = new Set(globSync('docs/adr/*.md', { cwd: root }).map((path) => Number(/(\d+)-/.exec(path)?.[1])));
    const loose = texts.flatMap(([path, text]) =>
      [...text.matchAll(/\b(?:ADR|[Rr]ecord) (\d+)\b/g)]
        .filter(([, number]) => !numbers.has(Number(number)))
        .map(({ 0: record, index }) => `${path}:${lineOf(text, index)} ${record}`),
    );
    expect(loose).toEqual([]);
  });

  it('every file and folder is there, by its path from the root or from src, with or without its suffix', () => {
    const paths = globSync('{src,test,docs,bench,scripts}/**', { cwd: root, exclude: ['**/node_modules'] });
    const isThere = (cited: string): boolean =>
      [cited, `src/${cited}`].some((start) =>
        paths.some((path) => path === start || (path.startsWith(start) && /[/.-]/.test(path.charAt(start.length)))),
      );
    const loose = texts
      // The quick starts name files of the reader's application.
      .filter(([path]) => !path.startsWith('test/architecture/') && !path.startsWith('docs/quick-starts/'))
      .flatMap(([path, text]) =>
        [...text.matchAll(PATH)]
          .filter(({ 0: cited, index }) => !PATTERN.test(text.slice(index + cited.length)))
          .map(({ 0: cited, index }) => ({ cited, index }))
          .filter(({ cited }) => !ABSENT.includes(cited) && !isThere(cited))
          // As does the first line of a code block.
          .filter(({ index }) => !text.slice(0, index).endsWith('```ts '))
          .map(({ cited, index }) => `${path}:${lineOf(text, index)} ${cited}`),
      );
    expect(loose).toEqual([]);
  });

  it('titles of tests end with their ids, in brackets', () => {
    const id = /\b[A-Z]{3}-\d{3}\b/;
    const ending = / \[[A-Z]{3}-\d{3}(?:, [A-Z]{3}-\d{3})*\](?=['"`])/g;
    const odd = texts
      .filter(([path]) => path.endsWith('spec.ts') || path.endsWith('spec.tsx'))
      .flatMap(([path, text]) =>
        text
          .split('\n')
          .map((line, n) => ({ line, place: `${path}:${n + 1}` }))
          .filter(({ line }) => !/^\s*(?:\/\/|\/?\*)/.test(line))
          .filter(
            ({ line }) => id.test(line.replace(/ \/\/ .*$/, '').replace(ending, '')) && !NAME.test(id.exec(line)![0]),
          )
          .map(({ place, line }) => `${place} ${line.trim()}`),
      );
    expect(odd).toEqual([]);
  });
});

describe('docs/threats.md', () => {
  it('has each threat once', () => {
    const ids = threats();
    expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([]);
  });

  it('has no threat that no test holds off', () => {
    const tests = testsOf();
    expect(threats().filter((id) => !tests.has(id))).toEqual([]);
  });

  it('names the tests of today; `npm run threats` writes them', () => {
    const page = sources().get(PAGE)!;
    expect(page).toBe(withTests(page));
  });
});
