import type { Level } from '../kit/level.js';

/** The text that applies where the owner has no custom one, as descriptions name it. */
export function defaultTextAt({ isOrg }: Level): string {
  return isOrg ? 'the text of the instance' : 'the built-in text';
}
