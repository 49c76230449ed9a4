import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { codeBlocksOf } from '../support/code-blocks.js';

/** A folder for each page, in one that errors can be told by. */
export const PAGES = 'pages';

/**
 * Writes the TypeScript of `docs/extending` into folders that a compiler can read, one for each page, and each block at
 * its line of the page.
 * @returns those folders, below `team`
 */
export function writePages(root: string, team: string): string[] {
  return globSync(join(root, 'docs/extending/*.md')).map((page) => {
    const folder = join(PAGES, basename(page, '.md'));
    mkdirSync(join(team, folder), { recursive: true });
    writeFileSync(join(team, folder, 'package.json'), '{ "type": "module" }');
    for (const { language, name, prelude, code, line } of codeBlocksOf(page)) {
      if (language !== 'ts') continue;
      const before = '\n'.repeat(line - 2) + prelude.replaceAll('\n', ' ');
      writeFileSync(join(team, folder, basename(name ?? `line-${line}.ts`)), `${before}\n${code}`);
    }
    return folder;
  });
}
