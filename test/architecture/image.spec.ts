import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const textOf = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe('The image', () => {
  /** In JSON: in a shell's words a shell would be process 1. */
  const wordsOf = (instruction: string): string[] =>
    JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(textOf('Dockerfile'))![1]!) as string[];

  it('has an init as process 1, which takes signals before Node does, and ends with 0 when one has ended Node', () => {
    const [init, ...options] = wordsOf('ENTRYPOINT');
    expect([init, options.at(-1)]).toEqual(['tini', '--']);
    expect(options.join(' ')).toContain('-e 143 -e 130');
    expect(textOf('compose.yaml')).toMatch(/^ {2}gatehouse:\n(?: {4}.*\n)* {4}init: true\n/m);
  });
});
