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

/** What a page links to, external addresses left out. */
const targetsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/\]\(<?([^)\s>]+)>?\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));

/** The path from the root that a link of the page leads to. */
function pathOf(target: string, path: string): string {
  const [file = ''] = target.split('#');
  return file === '' ? path : posix.join(posix.dirname(path), decodeURI(file));
}

it.each([...pages])('every link of %s within the repository leads somewhere', (path, page) => {
  const dead = targetsOf(page).filter((target) => {
    const to = pathOf(target, path);
    if (!existsSync(join(root, to))) return true;
    const [, fragment] = target.split('#');
    const page = pages.get(to);
    return fragment !== undefined && page !== undefined && !fragmentsOf(page).has(fragment);
  });
  expect(dead).toEqual([]);
});

it('README.md fits in 160 lines and leads to every page of docs', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) for (const target of targetsOf(pages.get(path) ?? '')) reached.add(pathOf(target, path));
  expect([...pages.keys()].filter((path) => path.startsWith('docs/') && !reached.has(path))).toEqual([]);
  expect(pages.get('README.md')!.split('\n').length).toBeLessThanOrEqual(160);
});
