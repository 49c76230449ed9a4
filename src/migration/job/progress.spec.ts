import { beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../foundation/time/clock.js';
import { PhaseProgress } from './progress.js';

let elapsedMs = 0;
let progress: PhaseProgress;

class HandMovedClock extends Clock {
  override elapsedMs(): number {
    return elapsedMs;
  }
}

beforeEach(() => {
  elapsedMs = 1_000_000;
  progress = new PhaseProgress('writing', new HandMovedClock());
});

/** Counts objects at the given rate for some seconds. */
function go(seconds: number, perSecond: number, everyMs = 1_000): void {
  for (let ms = everyMs; ms <= seconds * 1_000; ms += everyMs) {
    elapsedMs += everyMs;
    progress.count('human_user', (perSecond * everyMs) / 1_000);
  }
}

const standing = (): readonly [rate: number, secondsLeft: number | null] => {
  const { rate, secondsLeft } = progress.now();
  return [rate, secondsLeft];
};

describe('The time that a phase still takes', () => {
  it('is not reported before it is known', () => {
    progress.enter('writing', 376_672);
    progress.count('org', 5);
    expect(standing()).toEqual([0, null]);
    for (const seconds of [2, 10, 90]) {
      elapsedMs += seconds * 1_000;
      expect(progress.now().secondsLeft).toBeNull();
    }
  });

  it('is reported once there is a rate', () => {
    progress.enter('writing', 10_000);
    go(5, 100);
    expect(standing()).toEqual([100, 95]);
  });

  it('is that of the last seconds, whatever came before', () => {
    progress.enter('writing', 1_000_000);
    progress.count('org', 5);
    elapsedMs += 90_000;
    expect(progress.now().rate).toBe(0);
    go(60, 1_000);
    expect(standing()).toEqual([1_000, 940]);
    go(60, 4_000);
    expect(standing()).toEqual([4_000, 175]);
  });

  it('is also reported if progress comes in steps that take longer than that', () => {
    progress.enter('writing', 100_000);
    go(150, 200, 50_000);
    const [rate, secondsLeft] = standing();
    expect(rate).toBe(200);
    expect(secondsLeft).toBe(350);
  });

  it('grows while there is no progress, and is not reported if there never was any', () => {
    progress.enter('writing', 1_000);
    elapsedMs += 60_000;
    expect(standing()).toEqual([0, null]);
    go(10, 10);
    const [, before] = standing();
    elapsedMs += 30_000;
    const [, after] = standing();
    expect(after).toBeGreaterThan(before!);
  });

  it('counts each kind by what it costs', () => {
    progress.enter('writing', 2_000, 1_000 * 9 + 1_000);
    for (let second = 1; second <= 10; second += 1) {
      elapsedMs += 1_000;
      progress.count('human_user', 100, 900);
    }
    // A thousand cheap objects are left, which take as long as a hundred and some of the others.
    expect(progress.now().secondsLeft).toBe(2);
    expect(progress.now().objects).toEqual({ human_user: 1_000 });
  });

  it('is nothing at the end', () => {
    progress.enter('writing', 500);
    go(5, 100);
    expect(standing()).toEqual([100, 0]);
  });

  it('is unknown if the total is unknown', () => {
    go(10, 100);
    expect(standing()).toEqual([100, null]);
  });
});
