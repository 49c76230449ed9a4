import { readFileSync } from 'node:fs';

/** A code block of a page. What stands behind the language names it: a path for a file, a word for commands. */
export interface CodeBlock {
  readonly language: string;
  readonly name: string | undefined;
  readonly code: string;
  /** What a comment in front of it adds for the compiler, such as imports that the page has shown already. */
  readonly prelude: string;
  /** The line of the page that its code begins with, from 1. */
  readonly line: number;
}

/** The code blocks of a Markdown file, in order. */
export function codeBlocksOf(page: string): CodeBlock[] {
  const text = readFileSync(page, 'utf8');
  return [...text.matchAll(/(?:^<!-- with\n(.*?)^-->\n)?^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(
    ({ 0: { length }, index, 1: prelude = '', 2: language, 3: name, 4: code }) => ({
      language: language!,
      name,
      code: code!,
      prelude,
      line: text.slice(0, index + length - code!.length - 3).split('\n').length,
    }),
  );
}
