import { randomInt } from 'node:crypto';
import { millisecondsNow } from '../time/clock.js';

/** 2020-01-01T00:00:00Z: ids stay below 2^63 until 2089. */
const EPOCH_MS = 1_577_836_800_000;
const PROCESS_BITS = 10;
const COUNTER_BITS = 12;
const PROCESSES = 1 << PROCESS_BITS;
const COUNTER_SIZE = 1 << COUNTER_BITS;

let processNumber = randomInt(PROCESSES);
let lastMs = 0;
let counter = 0;

/** The number of this process among those that generate ids for one database, which assigns it at the start. */
export function setProcessNumber(given: number): void {
  processNumber = given % PROCESSES;
}

/**
 * A new object id: a decimal string of 18 or 19 digits that grows with time, so that indexes stay compact. 41 bits of
 * milliseconds, 10 bits for the process, 12 bits for a counter within the millisecond. Processes have different
 * numbers, and a process never goes back in time, so ids are unique.
 */
export function newId(): string {
  const nowMs = millisecondsNow();
  counter += 1;
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = randomInt(COUNTER_SIZE / 2);
  } else if (counter === COUNTER_SIZE) {
    // An id is not a timestamp: if a millisecond is used up, or the clock was set back, the counter continues in the
    // next one.
    lastMs += 1;
    counter = 0;
  }
  return (
    (BigInt(lastMs - EPOCH_MS) << BigInt(PROCESS_BITS + COUNTER_BITS)) |
    BigInt(processNumber * COUNTER_SIZE + counter)
  ).toString();
}
