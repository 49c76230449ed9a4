import { describe, expect, it } from '@jest/globals';
import { newId, setProcessNumber } from './id.js';

describe('An id', () => {
  const ids = Array.from({ length: 100_000 }, newId);

  it('never comes twice', () => {
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is a decimal number of 18 or 19 digits that fits into 63 bits', () => {
    expect(ids.every((id) => /^[1-9]\d{17,18}$/.test(id) && BigInt(id) < 2n ** 63n)).toBe(true);
  });

  it('grows from one millisecond to the next', async () => {
    const first = newId();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(BigInt(newId())).toBeGreaterThan(BigInt(first));
  });

  it('carries the number of its process, so that no two processes can make the same', () => {
    for (const number of [0, 7, 1023]) {
      setProcessNumber(number);
      const made = Array.from({ length: 10_000 }, newId);
      expect(new Set(made.map((id) => Number((BigInt(id) >> 12n) & 1023n)))).toEqual(new Set([number]));
      expect(new Set(made).size).toBe(made.length);
    }
  });
});
