import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { codeBlocksOf } from '../support/code-blocks.js';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Every seam that the code declares: its name, and the file. */
const seams = globSync('src/**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.spec.ts'))
  .flatMap((path) =>
    [...read(path).matchAll(/^export const \w+: Seam<\w+> = new Seam<\w+>\(\s*'(\w+)'/gm)].map(([, name]) => name!),
  );
const stable = read('src/extension/entry/index.ts');
const experimental = read('src/extension/entry/experimental.ts');
const overview = read('docs/extending/README.md');

/**
 * Code of a page that stands in a file, which is compiled and tested: without imports, which name the package on pages.
 */
const SHOWN: ReadonlyArray<readonly [page: string, file: string]> = [
  ['claims.md', 'examples/hr/src/hr.claims.ts'],
  ['mail.md', 'examples/http-mail/src/http.mail.ts'],
];

describe('A seam', () => {
  it('is found by the search of this test', () => {
    expect(seams).toEqual(expect.arrayContaining(['CLAIMS', 'MAIL_TRANSPORT', 'GRANT', 'PAGE_SLOT']));
  });

  it.each(seams)(
    '%s can be imported, and has a line in the overview that leads to its page and says whether it is experimental',
    (seam) => {
      const isStable = new RegExp(`\\b${seam}\\b`).test(stable);
      expect(isStable ? stable : experimental).toMatch(new RegExp(`\\b${seam}\\b`));
      const line = new RegExp(`^\\| \\[\`${seam}\`\\]\\(([a-z-]+\\.md)\\)( \\(experimental\\))? \\|`, 'm').exec(
        overview,
      );
      const [, page, mark] = line ?? [];
      expect(page).toBeDefined();
      expect(mark).toBe(isStable ? undefined : ' (experimental)');
      const text = read(`docs/extending/${page}`);
      expect(text).toContain(seam);
      expect(text).toMatch(/^## What applies$/m);
      expect(text).toMatch(/^## (?:Test|Tests|The contract)/m);
    },
  );
});

describe('The code of a page', () => {
  it.each(SHOWN)('%s is that of %s, which is tested', (page, file) => {
    const shown = codeBlocksOf(join(root, 'docs/extending', page)).find(({ name }) => name?.endsWith(basename(file)));
    expect(bodyOf(shown?.code ?? '')).toBe(bodyOf(read(file)));
  });
});

function bodyOf(code: string): string {
  return code.replaceAll(/^import [^;]*;\n/gm, '').trim();
}
