import { describe, expect, it } from '@jest/globals';
import { UsedProofs } from './used-proofs.js';

const NOW = 1_800_000_000;

describe('Used proofs', () => {
  it('are remembered as long as they could be used again [DPO-005]', () => {
    const used = new UsedProofs();
    used.add('a', NOW + 120, NOW);
    expect([0, 119, 120, 121].map((after) => used.has('a', NOW + after))).toEqual([true, true, true, false]);
    expect(used.has('b', NOW)).toBe(false);
  });

  it('are forgotten when that time is over', () => {
    const used = new UsedProofs();
    for (let n = 0; n < 1_000; n += 1) used.add(`old ${n}`, NOW + 60, NOW);
    expect(used.add('new', NOW + 200, NOW + 100)).toBe(0);
    expect(used.size).toBe(1);
  });

  it('take a bounded amount of memory: the oldest are forgotten first, and counted [DPO-016]', () => {
    const used = new UsedProofs();
    let forgotten = 0;
    for (let n = 0; n < 100_000; n += 1) forgotten += used.add(`proof ${n}`, NOW + 60, NOW);
    expect([used.size, forgotten]).toEqual([50_000, 50_000]);
    expect([used.has('proof 0', NOW), used.has('proof 49999', NOW), used.has('proof 50000', NOW)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
