const MAX_COMPARED = 100;

/** The known name that is nearest to a misspelled one. `most`: by how many letters it may differ. */
export function nearestName(
  name: string,
  known: readonly string[],
  most: (length: number) => number = (length) => Math.max(2, Math.floor(length / 4)),
): string | undefined {
  const wanted = compared(name.slice(0, MAX_COMPARED));
  const allowed = most(wanted.length);
  const ranked = known
    .map((candidate) => ({ candidate, letters: compared(candidate) }))
    .filter(({ letters }) => Math.abs(letters.length - wanted.length) <= allowed)
    .map(({ candidate, letters }) => ({ candidate, distance: distanceBetween(wanted, letters) }))
    .sort((one, other) => one.distance - other.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= allowed && best.distance < wanted.length ? best.candidate : undefined;
}

/** Names are compared regardless of case, underscores and hyphens. */
function compared(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
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
