import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { open, SEAL_OVERHEAD_BYTES, seal, sealDeterministically } from './seal.js';

const key = createSecretKey(Buffer.alloc(32, 7));
const otherKey = createSecretKey(Buffer.alloc(32, 8));
const text = Buffer.from('what must be read back');

describe.each([
  ['at random', seal],
  ['deterministically', sealDeterministically],
] as const)('Sealing %s', (_, make) => {
  it('gives back what was sealed, the empty text included', () => {
    for (const plaintext of [text, Buffer.alloc(0), randomBytes(100_000)]) {
      expect(open(key, make(key, plaintext, 'here'), 'here')).toEqual(plaintext);
    }
  });

  it('adds the same length to every text', () => {
    expect(make(key, text, 'here')).toHaveLength(text.length + SEAL_OVERHEAD_BYTES);
  });

  it('does not open under another key', () => {
    expect(open(otherKey, make(key, text, 'here'), 'here')).toBeUndefined();
  });

  it('does not open for another place', () => {
    const envelope = make(key, text, 'here');
    for (const elsewhere of ['', 'Here', 'here ', 'there']) expect(open(key, envelope, elsewhere)).toBeUndefined();
  });

  it('does not open when a single bit differs, wherever it stands', () => {
    const envelope = make(key, text, 'here');
    for (let bit = 0; bit < envelope.length * 8; bit += 1) {
      const altered = Buffer.from(envelope);
      altered[bit >> 3]! ^= 1 << (bit & 7);
      expect(open(key, altered, 'here')).toBeUndefined();
    }
  });

  it('does not open when it was cut at either end, or made longer', () => {
    const envelope = make(key, text, 'here');
    for (let length = 0; length < envelope.length; length += 1) {
      expect(open(key, envelope.subarray(0, length), 'here')).toBeUndefined();
      expect(open(key, envelope.subarray(length + 1), 'here')).toBeUndefined();
    }
    expect(open(key, Buffer.concat([envelope, Buffer.alloc(1)]), 'here')).toBeUndefined();
  });
});

it('seals the same text to another envelope each time', () => {
  const envelopes = Array.from({ length: 1000 }, () => seal(key, text, 'here').toString('base64'));
  expect(new Set(envelopes).size).toBe(1000);
});

it('seals deterministically to the same envelope, which depends on text, key and place', () => {
  const envelope = sealDeterministically(key, text, 'here');
  expect(sealDeterministically(key, text, 'here')).toEqual(envelope);
  expect(sealDeterministically(key, Buffer.from('another text that is'), 'here').subarray(0, 24)).not.toEqual(
    envelope.subarray(0, 24),
  );
  expect(sealDeterministically(key, text, 'there').subarray(0, 24)).not.toEqual(envelope.subarray(0, 24));
  expect(sealDeterministically(otherKey, text, 'here').subarray(0, 24)).not.toEqual(envelope.subarray(0, 24));
});
