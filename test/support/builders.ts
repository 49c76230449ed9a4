import { generateKeyPair } from 'jose';
import { makeKey as makeTestKey, type TestKey } from '../../src/extension/testing/test-key.js';
import { rsaKey } from './runner/rsa-keys.mjs';

export * from '../../src/extension/testing/builders.js';
export type { TestKey };

let keys = 0;

/** A key pair; registering it assigns the `kid`. Within a file no two are the same. */
export async function makeKey(alg = 'RS256'): Promise<Omit<TestKey, 'kid'>> {
  return makeTestKey(alg, (name) => (name === 'RS256' ? rsaKey(keys++) : generateKeyPair(name, { extractable: true })));
}
