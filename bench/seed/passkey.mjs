import { generateKeyPairSync, randomBytes } from 'node:crypto';

const bytesOf = (base64url) => Buffer.from(base64url, 'base64url');

/** A key pair of P-256, its public half as COSE has it (RFC 9053 §7.1.1: kty EC2, alg ES256, crv P-256, x, y). */
export function newPasskey(userId) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const [head, beforeY] = [Buffer.from('a5010203262001215820', 'hex'), Buffer.from('225820', 'hex')];
  return {
    publicKey: Buffer.concat([head, bytesOf(x), beforeY, bytesOf(y)]),
    passkey: {
      credentialId: randomBytes(32).toString('base64url'),
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      userHandle: Buffer.from(userId).toString('base64url'),
    },
  };
}
