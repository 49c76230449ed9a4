/** The middle one; of an even count, the mean of the two in the middle. Undefined when any is unknown. */
export function median(numbers) {
  if (numbers.length === 0 || numbers.some((number) => number === undefined)) return undefined;
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** A figure of medians, member by member. */
export function medianFigure(figures) {
  const names = Object.keys(figures[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(figures.map((figure) => figure[name]))]));
}
