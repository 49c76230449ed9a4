import type { Level } from '../kit/level.js';

/** What applies where the owner has no custom text, as descriptions name it. */
export function defaultTextAt({ isOrg }: Level): string {
  return isOrg ? 'the text of the instance' : 'the built-in text';
}
