import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { toJoseSignature } from './ecdsa-signature.js';

/** The DER form of two integers. */
function der(r: string, s: string): Buffer {
  const integer = (hex: string) => `02${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`;
  const integers = integer(r) + integer(s);
  return Buffer.from(`30${(integers.length / 2).toString(16).padStart(2, '0')}${integers}`, 'hex');
}

describe('toJoseSignature', () => {
  const high = 'ff'.repeat(32);
  const low = '7f'.repeat(32);

  it.each([
    ['two numbers of 32 bytes', low, low, low + low],
    ['numbers whose highest bit is set, which DER begins with a zero', `00${high}`, `00${high}`, high + high],
    ['a first number that is shorter', '01', low, `${'01'.padStart(64, '0')}${low}`],
    ['a second number that is shorter', `00${high}`, '7f02', `${high}${'7f02'.padStart(64, '0')}`],
  ])('takes %s', (_, r, s, expected) => expect(toJoseSignature(der(r, s)).toString('hex')).toBe(expected));

  it('makes signatures that verify, whatever the lengths of their numbers', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const lengths = new Set<number>();
    for (let count = 0; count < 1000; count += 1) {
      const data = Buffer.from(String(count));
      const signed = sign('sha256', data, privateKey);
      lengths.add(signed.length);
      expect(verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, toJoseSignature(signed))).toBe(true);
    }
    expect(lengths.size).toBeGreaterThanOrEqual(3);
  });
});
