import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** A key by which a client authenticates: the public half as a JWK, the private one as PEM. */
export function newAssertionKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyId = randomBytes(8).toString('hex');
  return {
    keyId,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'ES256', use: 'sig' },
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}
