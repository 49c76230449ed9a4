import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Seconds of the files that take longest, in one run on two slow cores. Only how they compare with one another counts. */
const LONG = new Map(Object.entries(JSON.parse(readFileSync(new URL('./long-files.json', import.meta.url), 'utf8'))));
/** The mean of all others in that run. */
const OTHERS = 2.4;

/** How long each file of a run is expected to take, by path. Known to the sequencer, and read by the reporter. */
const expected = new Map();

/**
 * By the last run on this machine; on a fresh clone, by `long-files.json`.
 * @param tests jest's, with the `duration` of the last run where there was one
 * @returns whether there was such a run
 */
export function expectWork(tests) {
  const known = tests.map(({ duration }) => duration).filter((duration) => duration !== undefined);
  const isKnown = known.length > tests.length / 2;
  const mean = known.reduce((sum, duration) => sum + duration, 0) / known.length;
  expected.clear();
  for (const { path, duration } of tests) expected.set(path, isKnown ? (duration ?? mean) : usual(path));
  return isKnown;
}

/** @returns how long a file is expected to take, compared with others */
export function workOf(path) {
  return expected.get(path) ?? 0;
}

/** @returns the part of the whole work, from 0 to 1, that these files are */
export function shareOfWork(paths) {
  const whole = [...expected.values()].reduce((sum, work) => sum + work, 0);
  const done = paths.reduce((sum, path) => sum + workOf(path), 0);
  return whole === 0 ? 1 : done / whole;
}

function usual(path) {
  return LONG.get(relative(process.cwd(), path)) ?? OTHERS;
}
