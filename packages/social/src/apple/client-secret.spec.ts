import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { clientSecretFor, isSigningKey } from './client-secret.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe("Apple's client secret", () => {
  it('is a JWT in ES256 of the team about the client, for five minutes', async () => {
    const now = new Date('2026-11-01T12:00:00Z');
    const client = { teamId: 'A1B2C3D4E5', keyId: 'F6G7H8J9K0', privateKey: PEM, clientId: 'example.acme.web' };
    const secret = await clientSecretFor(client, 'https://appleid.apple.com', now);
    expect(decodeProtectedHeader(secret)).toEqual({ alg: 'ES256', kid: 'F6G7H8J9K0' });
    const { payload } = await jwtVerify(secret, publicKey, { currentDate: now });
    expect(payload).toEqual({
      iss: 'A1B2C3D4E5',
      sub: 'example.acme.web',
      aud: 'https://appleid.apple.com',
      iat: now.getTime() / 1000,
      exp: now.getTime() / 1000 + 300,
    });
  });

  it('is made with a key of the right form alone', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
    expect(isSigningKey(PEM)).toBe(true);
    expect(isSigningKey(other.export({ type: 'pkcs8', format: 'pem' }).toString())).toBe(false);
    expect(isSigningKey(publicKey.export({ type: 'spki', format: 'pem' }).toString())).toBe(false);
    expect(isSigningKey('secret')).toBe(false);
  });
});
