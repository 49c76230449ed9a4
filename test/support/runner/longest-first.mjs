import TestSequencer from '@jest/test-sequencer';
import { expectWork, workOf } from './expected-work.mjs';

/**
 * The files that take longest come first: begun last, one of them would keep a single worker busy while the others have
 * nothing left to do.
 */
export default class LongestFirst extends TestSequencer {
  sort(tests) {
    // By the last run, where jest knows it: those that failed first.
    const sorted = super.sort(tests);
    if (expectWork(sorted)) return sorted;
    return sorted.sort((one, other) => workOf(other.path) - workOf(one.path));
  }
}
