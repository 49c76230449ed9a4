import { randomInt } from 'node:crypto';
import { millisecondsNow } from '../time/clock.js';

/** 2020-01-01T00:00:00Z: ids stay below 2^63 until 2089. */
const EPOCH_MS = 1_577_836_800_000;
const COUNTER_BITS = 22n;
const COUNTER_SIZE = 1 << 22;

let lastMs = 0;
let counter = 0;

/**
 * A new object id: a decimal string of 18 or 19 digits that grows with time, so that indexes stay compact.
 * 41 bits of milliseconds, 22 bits that start at random in each millisecond and then count up: one process never
 * repeats itself, and where two processes meet by chance the primary key refuses the second.
 */
export function newId(): string {
  const nowMs = Math.max(millisecondsNow(), lastMs); // an id is not a time: a clock that jumps back must not repeat ids
  if (nowMs === lastMs) counter = (counter + 1) % COUNTER_SIZE;
  else counter = randomInt(COUNTER_SIZE);
  lastMs = nowMs;
  return ((BigInt(nowMs - EPOCH_MS) << COUNTER_BITS) | BigInt(counter)).toString();
}
