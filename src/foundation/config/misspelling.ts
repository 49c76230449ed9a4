/** Shorter names resemble too many others: HOST and HOME, PORT and PATH. */
const MIN_CHARACTERS = 7;
/** The prefix that other programs set before their own names; ours have none. */
const PREFIX = /^GATEHOUSE_/i;

/** A sentence for each name that differs by a few letters from a setting, or has our name before it; it names both. */
export function misspellings(names: Iterable<string>, settings: ReadonlySet<string>): string[] {
  const candidates = [...settings]
    .flatMap((name) => [name, `${name}_FILE`])
    .filter(({ length }) => length >= MIN_CHARACTERS);
  const known = new Set(candidates);
  return [...names].sort().flatMap((name) => {
    if (known.has(name) || settings.has(name) || name.length < MIN_CHARACTERS) return [];
    const bare = name.replace(PREFIX, '').toUpperCase();
    const meant =
      (settings.has(bare) ? bare : undefined) ??
      candidates.find((candidate) => isNear(name.toUpperCase(), candidate) || isNear(bare, candidate));
    return meant === undefined ? [] : [`${name} is not a setting and has no effect. Did you mean ${meant}?`];
  });
}

/**
 * The candidate with the fewest letters that are missing, added or changed; of several the first. There must be one.
 */
export function nearest(name: string, candidates: readonly string[]): string {
  const distances = candidates.map((candidate) => distanceUpTo(Number.POSITIVE_INFINITY, name, candidate));
  return candidates[distances.indexOf(Math.min(...distances))]!;
}

/** Allows for one letter in a short name, two in a usual one, three in a long one: PROXY for PROXIES. */
function isNear(one: string, other: string): boolean {
  const most = Math.min(3, Math.floor(Math.min(one.length, other.length) / 4));
  return distanceUpTo(most, one, other) <= most;
}

/**
 * How many letters are missing, added or changed (Levenshtein); a swap of two is two changes. Anything larger than
 * `most` if more are.
 */
function distanceUpTo(most: number, one: string, other: string): number {
  if (Math.abs(one.length - other.length) > most) return Number.POSITIVE_INFINITY;
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const changed = above[column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1);
      line.push(Math.min(changed, above[column]! + 1, line[column - 1]! + 1));
    }
    if (Math.min(...line) > most) return Number.POSITIVE_INFINITY;
    above = line;
  }
  return above[other.length]!;
}
