import { describe, expect, it } from '@jest/globals';
import { randomClientSecret, randomCode, randomToken } from './random.js';

describe('Random texts', () => {
  it('hold the bits that they promise, in characters that need no encoding', () => {
    expect(randomToken()).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(randomToken(32)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(randomClientSecret()).toMatch(/^[A-Za-z0-9]{64}$/);
  });

  it('for typing have no characters that people confuse, and all others', () => {
    const characters = new Set(randomCode(2000));
    expect([...characters].sort().join('')).toBe('23456789ABCDEFGHJKLMNPQRSTUVWXYZ');
  });

  it('never come twice', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => randomToken())).size).toBe(10_000);
    expect(new Set(Array.from({ length: 1000 }, randomClientSecret)).size).toBe(1000);
  });
});
