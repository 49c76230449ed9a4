import { describe, expect, it } from '@jest/globals';
import { Secret } from '../../foundation/config/secret.js';
import { newSeed, parseSeed, stepOfCode, toKeyUri } from './totp.js';

/** RFC 6238 appendix B: the seed `12345678901234567890`, and the last six digits of its eight. */
const SEED = new Secret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
const at = (unixSeconds: number): Date => new Date(unixSeconds * 1000);

describe('A time-based code', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
  ])('is that of RFC 6238 appendix B at second %i', (second, code) => {
    expect(stepOfCode(SEED, code, at(second))).toBe(Math.floor(second / 30));
  });

  it('is borne one step early and one late, and belongs to its own step [LOG-052]', () => {
    const second = 1_234_567_890; // The first of its step.
    const step = Math.floor(second / 30);
    for (const now of [second - 30, second - 1, second, second + 29, second + 59])
      expect(stepOfCode(SEED, '005924', at(now))).toBe(step);
    for (const now of [second - 31, second + 60]) expect(stepOfCode(SEED, '005924', at(now))).toBeUndefined();
  });

  it('may be typed in groups, and is nothing but six digits', () => {
    for (const typed of [' 005 924 ', '٠٠٥٩٢٤', '００５９２４'])
      expect(stepOfCode(SEED, typed, at(1_234_567_890))).toBeDefined();
    for (const typed of ['', '00592', '0059240', 'abcdef', '-05924', '5924', '0x1724']) {
      expect(stepOfCode(SEED, typed, at(1_234_567_890))).toBeUndefined();
    }
  });
});

describe('A seed', () => {
  it('of ours has 160 bits, each time others', () => {
    const seeds = [newSeed().reveal(), newSeed().reveal()];
    for (const seed of seeds) expect(seed).toMatch(/^[A-Z2-7]{32}$/);
    expect(seeds[0]).not.toBe(seeds[1]);
  });

  it('of another service may come in groups, in small letters and with padding', () => {
    expect(parseSeed('nb2w 45df-oiza 2345====')?.reveal()).toBe('NB2W45DFOIZA2345');
    for (const text of ['', 'NB2W45DFOIZA234', '0189', 'NB2W45DFOIZA234!', 'A'.repeat(129)])
      expect(parseSeed(text)).toBeUndefined();
  });

  it('gives apps the names under which they show it', () => {
    const uri = toKeyUri(SEED, { issuer: 'Acme & Co: Ltd', account: 'älice@acme.test' });
    const url = new URL(uri);
    expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp']);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      issuer: 'Acme & Co: Ltd',
      secret: SEED.reveal(),
      digits: '6',
      period: '30',
      algorithm: 'SHA1',
    });
    expect(decodeURIComponent(url.pathname)).toContain('älice@acme.test');
  });
});
