import { describe, expect, it } from '@jest/globals';
import { PollIntervals } from './poll-intervals.js';

const at = (seconds: number): Date => new Date(1_700_000_000_000 + seconds * 1_000);

describe('The interval between two questions of a device', () => {
  it('begins with a question that was answered, not with one that came too early [DEV-005]', () => {
    const polls = new PollIntervals(5);
    const early = [0, 1, 2, 5, 11].map((seconds) => polls.isTooEarly('a', at(seconds)));
    expect(early).toEqual([false, true, true, false, false]);
  });

  it('is each device’s own', () => {
    const polls = new PollIntervals(5);
    expect([polls.isTooEarly('a', at(0)), polls.isTooEarly('b', at(0)), polls.isTooEarly('a', at(1))]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('tolerates a second, since the way through the network is not always equally long', () => {
    const polls = new PollIntervals(5);
    polls.isTooEarly('a', at(0));
    expect([polls.isTooEarly('a', at(3.9)), polls.isTooEarly('a', at(4))]).toEqual([true, false]);
  });

  it('is forgotten when it is over, and the oldest ones when there are too many', () => {
    const polls = new PollIntervals(5);
    for (let n = 0; n < 100; n += 1) polls.isTooEarly(`old ${n}`, at(0));
    polls.isTooEarly('new', at(60));
    expect(polls.size).toBe(1);
    for (let n = 0; n < 30_000; n += 1) polls.isTooEarly(`many ${n}`, at(61));
    expect(polls.size).toBe(20_000);
    expect([polls.isTooEarly('many 0', at(61)), polls.isTooEarly('many 29999', at(61))]).toEqual([false, true]);
  });
});
