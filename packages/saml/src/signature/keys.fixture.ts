import { newSigningKey } from './new-signing-key.js';
import type { SigningKey } from './signing-key.js';

const VALID = { notBefore: new Date('2026-01-01T00:00:00Z'), notAfter: new Date('2029-01-01T00:00:00Z') };

const made = new Map<string, Promise<SigningKey>>();

/** A key under that name, the same each time. ECDSA unless asked otherwise, which is made quickly. */
export function keyOf(name: string, kind: 'rsa' | 'ec' = 'ec'): Promise<SigningKey> {
  const key = made.get(`${kind} ${name}`) ?? newSigningKey({ commonName: name, ...VALID }, kind);
  made.set(`${kind} ${name}`, key);
  return key;
}
