/** How long each file of a run is expected to take, in milliseconds, by path. Known to the sequencer, and read by the reporter. */
const expected = new Map();

/** @param tests jest's, with the `duration` of the last run where there was one. The others are expected to take the mean of those. */
export function expectWork(tests) {
  const known = tests.map(({ duration }) => duration).filter((duration) => duration !== undefined);
  const mean = known.length === 0 ? 1 : known.reduce((sum, duration) => sum + duration, 0) / known.length;
  expected.clear();
  for (const { path, duration } of tests) expected.set(path, duration ?? mean);
}

/** @returns the part of the whole work, from 0 to 1, that these files are */
export function shareOfWork(paths) {
  const whole = [...expected.values()].reduce((sum, milliseconds) => sum + milliseconds, 0);
  const done = paths.reduce((sum, path) => sum + (expected.get(path) ?? 0), 0);
  return whole === 0 ? 1 : done / whole;
}
