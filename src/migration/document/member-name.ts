import { nearestName } from '../../foundation/http/near-name.js';

const MAX_SHOWN = 100;
/** Up to this many names are listed if none is similar. */
const MAX_LISTED = 12;
const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** A name from a document as part of a path; quoted if it could be mistaken for something else. */
export function quotedName(name: string): string {
  const shown = name.slice(0, MAX_SHOWN);
  return PLAIN.test(shown) ? shown : JSON.stringify(shown);
}

/** A hint for an unknown name: the nearest known name, or all of them if they are few. */
export function suggestionFor(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  if (near !== undefined) return `is not known here; did you mean ${near}?`;
  return known.length > 0 && known.length <= MAX_LISTED
    ? `is not known here; known are ${known.join(', ')}`
    : 'is not known here';
}
