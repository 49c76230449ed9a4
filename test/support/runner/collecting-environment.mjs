import { TestEnvironment } from 'jest-environment-node';
import { collectGarbage } from './garbage.mjs';

/**
 * What earlier files have left is collected once the heap has grown by as much. V8 itself would wait until the heap is so large that jest
 * replaces the worker, and a new one takes some 4 s of processor time to load everything.
 */
const COLLECT_AT_BYTES = 300_000_000;

/** The size of the heap after the last collection. */
let keptBytes = 0;

function collectIfWorthwhile() {
  if (process.memoryUsage().heapTotal - keptBytes < COLLECT_AT_BYTES) return;
  // The thorough one. An ordinary collection keeps half-empty pages, so that the process grows with every file.
  collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  keptBytes = process.memoryUsage().heapTotal;
}

/** Node, in a process that does not grow with the number of test files. */
export default class CollectingEnvironment extends TestEnvironment {
  async setup() {
    collectIfWorthwhile();
    await super.setup();
  }
}
