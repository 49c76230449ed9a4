import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from '@jest/globals';
import { sources } from '../../scripts/threats.mjs';

const root = join(import.meta.dirname, '..', '..');
const pages = new Map([...sources()].filter(([path]) => path.endsWith('.md')));

/** Without what only looks like Markdown: blocks and spans of code. */
const proseOf = (page: string): string => page.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, 'code');

/** The fragments that lead to the headings of a page, as GitHub makes them. */
function fragmentsOf(page: string): Set<string> {
  const headings = [...page.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!);
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

it.each([...pages])('every link of %s within the repository leads somewhere', (path, page) => {
  const targets = [...proseOf(page).matchAll(/\]\(<?([^)\s>]+)>?\)/g)].map(([, target]) => target!);
  const dead = targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', fragment] = target.split('#');
      const to = file === '' ? path : posix.join(posix.dirname(path), decodeURI(file));
      if (!existsSync(join(root, to))) return true;
      const page = pages.get(to.replace(/\/$/, ''));
      return fragment !== undefined && page !== undefined && !fragmentsOf(page).has(fragment);
    });
  expect(dead).toEqual([]);
});
