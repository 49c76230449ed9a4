import TestSequencer from '@jest/test-sequencer';
import { expectWork } from './expected-work.mjs';

/**
 * Where the files are that take longest: those that start, stop and kill processes or look at pages in a browser. Begun last, one
 * of them would keep a single worker busy while the others have nothing left to do.
 */
const LONG = [
  'test/operation/stop',
  'test/browser/',
  'test/operation/',
  'test/database/embedded',
  'test/migration/',
  'test/grpc/',
];

/** The order of jest, which is longest first, by the last run. On a fresh clone it knows the sizes of files alone. */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    expectWork(tests);
    const sorted = super.sort(tests);
    const known = sorted.filter(({ duration }) => duration !== undefined);
    if (known.length > sorted.length / 2) return sorted;
    return sorted.sort((one, other) => place(one) - place(other));
  }
}

function place({ path }) {
  const found = LONG.findIndex((part) => path.includes(part));
  return found < 0 ? LONG.length : found;
}
