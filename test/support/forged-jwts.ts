import { createHmac, createPublicKey, KeyObject, sign } from 'node:crypto';
import type { TestKey } from './builders.js';

/** With this payload, and for a server that lets the header decide how the signature is checked (RFC 8725 §2.1). */
export function forgedJwts(key: TestKey, payload: string): string[] {
  return [...unsigned(key, payload), ...signedWithPublicKey(key, payload), ...signedAsAnother(key, payload)];
}

/** The public key, which everybody knows, is the secret of an HMAC: in each form in which a server may have it. */
export function signedWithPublicKey(key: TestKey, payload: string): string[] {
  const { publicJwk } = key;
  const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const secrets = [
    pem,
    pem.trimEnd(),
    publicKey.export({ type: 'spki', format: 'der' }),
    JSON.stringify(publicJwk),
    JSON.stringify({ ...publicJwk, kid: key.kid }),
    publicJwk.x ?? publicJwk.n ?? '',
  ];
  return secrets.map((secret) =>
    craft(key, 'HS256', payload, (input) => createHmac('sha256', secret).update(input).digest()),
  );
}

/** Right signatures of an ES256 key, under the name of an algorithm of another type of key. */
function signedAsAnother(key: TestKey, payload: string): string[] {
  return ['RS256', 'PS256', 'EdDSA', 'ES384', 'ES256K'].map((alg) => craft(key, alg, payload, es256With(key)));
}

function unsigned(key: TestKey, payload: string): string[] {
  return ['none', 'None', 'nOnE'].flatMap((alg) => [
    craft(key, alg, payload, () => Buffer.alloc(0)),
    craft(key, alg, payload, es256With(key)),
  ]);
}

function es256With({ privateKey }: TestKey): (input: Buffer) => Buffer {
  return (input) => sign('sha256', input, { key: KeyObject.from(privateKey), dsaEncoding: 'ieee-p1363' });
}

function craft({ kid }: TestKey, alg: string, payload: string, signInput: (input: Buffer) => Buffer): string {
  const input = [JSON.stringify({ alg, kid }), payload]
    .map((text) => Buffer.from(text).toString('base64url'))
    .join('.');
  return `${input}.${signInput(Buffer.from(input)).toString('base64url')}`;
}
