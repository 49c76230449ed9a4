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
  const near = nearest(name, known);
  if (near !== undefined) return `is not known here; did you mean ${near}?`;
  return known.length > 0 && known.length <= MAX_LISTED
    ? `is not known here; known are ${known.join(', ')}`
    : 'is not known here';
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = compared(name.slice(0, MAX_SHOWN));
  const allowed = Math.max(2, Math.floor(wanted.length / 4));
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceBetween(wanted, compared(candidate)) }))
    .sort((one, other) => one.distance - other.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= allowed && best.distance < wanted.length ? best.candidate : undefined;
}

/** Names are compared regardless of case and underscores. */
function compared(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/** How many letters must be added, removed or changed (Levenshtein distance). */
function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const changed = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
