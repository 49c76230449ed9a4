/**
 * Whether two samples come from one distribution (Mann and Whitney 1947), by the normal approximation with ties.
 * @param {readonly number[]} left
 * @param {readonly number[]} right
 * @returns {{ share: number, p: number }} in how many of all pairs the left one is the greater, and how likely as much of a difference is by chance
 */
export function rankTest(left, right) {
  const all = [
    ...left.map((value) => ({ value, isLeft: true })),
    ...right.map((value) => ({ value, isLeft: false })),
  ].sort((a, b) => a.value - b.value);
  let leftRanks = 0;
  let ties = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && all[to].value === all[from].value) to += 1;
    const rank = (from + 1 + to) / 2;
    for (let at = from; at < to; at += 1) if (all[at].isLeft) leftRanks += rank;
    ties += (to - from) ** 3 - (to - from);
    from = to;
  }
  const [m, n] = [left.length, right.length];
  const greater = leftRanks - (m * (m + 1)) / 2;
  const deviation = Math.sqrt(((m * n) / 12) * (m + n + 1 - ties / ((m + n) * (m + n - 1))));
  const z = deviation === 0 ? 0 : Math.abs(greater - (m * n) / 2) / deviation;
  return { share: greater / (m * n), p: 2 * (1 - normal(z)) };
}

/** The standard normal distribution up to z > 0 (Abramowitz and Stegun 26.2.17, to seven decimals). */
function normal(z) {
  const t = 1 / (1 + 0.2316419 * z);
  const tail = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}
