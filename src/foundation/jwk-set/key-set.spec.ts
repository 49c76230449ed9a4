import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { JWK } from 'jose';
import { readKeySet } from './key-set.js';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const good = publicKey.export({ format: 'jwk' }) as JWK;
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' }) as JWK;

describe('The keys that a provider publishes [IDP-022, IDP-023]', () => {
  it('are those that can verify, regardless of other entries', () => {
    const others = [
      null,
      {},
      [],
      'x',
      1,
      { kty: 'oct', k: 'AAAA' },
      privateKey.export({ format: 'jwk' }),
      weak,
      { ...good, use: 'enc' },
      { ...good, key_ops: ['encrypt'] },
      { ...good, key_ops: 1 },
      { kty: 'RSA', n: 1, e: {} },
    ];
    const keys = [...others, good, { ...good, use: 'sig', kid: 'a' }, { ...good, key_ops: ['verify'] }];
    expect(readKeySet({ keys })).toEqual({ usable: keys.slice(others.length), ignored: others.length });
  });

  it.each([{}, { keys: null }, { keys: {} }, { keys: 'x' }, { keys: Array(101).fill(good) }])(
    'are not read from anything but a key set',
    (document) => {
      expect(readKeySet(document)).toBeUndefined();
    },
  );

  it('may be none', () => expect(readKeySet({ keys: [] })).toEqual({ usable: [], ignored: 0 }));
});
