import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { keyedHash, macOf } from './keyed-hash.js';

const key = createSecretKey(Buffer.alloc(32, 1));

describe('The MAC of a list', () => {
  it('differs where the same characters are divided otherwise', () => {
    expect(macOf(key, ['ab', 'c'])).not.toEqual(macOf(key, ['a', 'bc']));
    expect(macOf(key, ['a","b'])).not.toEqual(macOf(key, ['a', 'b']));
  });

  it('differs under another key', () => {
    expect(macOf(createSecretKey(Buffer.alloc(32, 2)), ['a'])).not.toEqual(macOf(key, ['a']));
  });

  it('is stored with the id of its key, so that an older key still finds it', () => {
    const stored = keyedHash({ id: 'k1', key }, ['user', 'code']);
    expect(stored).toBe(`v1.k1.${macOf(key, ['user', 'code']).toString('base64url')}`);
  });
});
