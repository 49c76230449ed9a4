import { beforeEach, describe, expect, it } from '@jest/globals';
import { Tallies } from '../metrics/tallies.js';
import { Clock } from '../time/clock.js';
import { type Called, PartRecord } from './part-record.js';

class MovedClock extends Clock {
  minutes = 0;
  override elapsedMs(): number {
    return this.minutes * 60_000;
  }
}

const GRANT: Called = { extension: 'badge', seam: 'GRANT' };

let clock: MovedClock;
let record: PartRecord;
beforeEach(() => {
  clock = new MovedClock();
  record = new PartRecord(new Tallies(), clock);
});

describe('Failures of the last hour', () => {
  it('are those of an extension and a seam, and none before there is one', () => {
    record.addFailure(GRANT);
    record.addFailure(GRANT);
    expect(record.failuresOfLastHour(GRANT)).toBe(2);
    expect(record.failuresOfLastHour({ ...GRANT, seam: 'CLAIMS' })).toBe(0);
    expect(record.failuresOfLastHour({ ...GRANT, extension: 'hr' })).toBe(0);
  });

  it('are forgotten after it, each in its turn', () => {
    record.addFailure(GRANT);
    clock.minutes = 30;
    record.addFailure(GRANT);
    clock.minutes = 59;
    expect(record.failuresOfLastHour(GRANT)).toBe(2);
    clock.minutes = 60;
    expect(record.failuresOfLastHour(GRANT)).toBe(1);
    clock.minutes = 90;
    expect(record.failuresOfLastHour(GRANT)).toBe(0);
  });
});

describe('The time of a call', () => {
  it('is handed on with extension and seam alone, once somebody measures', () => {
    const seen: Array<[Called, number]> = [];
    record.begin(GRANT)();
    record.measureBy((call, seconds) => seen.push([call, seconds]));
    record.begin({ ...GRANT, ...{ part: 'BadgeGrant' } })();
    expect(seen).toEqual([[GRANT, expect.any(Number)]]);
  });
});
