import { existsSync, readFileSync } from 'node:fs';

/** The file that says of which compiled files `lib/` was made. */
const MADE_OF = new URL('../../../lib/.made-of', import.meta.url);
const COMPILED = new URL('../../.outputs', import.meta.url);

/**
 * The program at this place as it ships, in a few files, if `npm run build` has made it of the files beside this one
 * (docs/adr/0041). After `nest build` there is none, and the files are the program.
 */
export function shipped(place: 'main' | 'cli/main' | 'process/start/start'): string | undefined {
  const isMade = existsSync(COMPILED) && existsSync(MADE_OF);
  if (!isMade || readFileSync(COMPILED, 'utf8') !== readFileSync(MADE_OF, 'utf8')) return undefined;
  return new URL(`../../../lib/${place}.js`, import.meta.url).href;
}
