import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** https://github.com/secure-systems-lab/dsse/blob/master/envelope.md */
const PAYLOAD = 'application/vnd.in-toto+json';

/** @param {string} path of a PEM file with an Ed25519 or ECDSA key */
export function readKey(path) {
  const key = createPrivateKey(readFileSync(path));
  const { asymmetricKeyType: type } = key;
  if (type !== 'ed25519' && type !== 'ec')
    throw new Error(`${path} is a key of the kind ${type}: take Ed25519 or ECDSA.`);
  return key;
}

/** Ed25519 has its hash inside; ECDSA signs SHA-256 and writes DER, as `openssl dgst` does. */
const hashOf = (key) => (key.asymmetricKeyType === 'ed25519' ? null : 'sha256');

export const signed = (key, content) => sign(hashOf(key), Buffer.from(content), key);

export const isSigned = (key, content, signature) => verify(hashOf(key), Buffer.from(content), key, signature);

/** Of the public key, to name it: the SHA-256 of its SubjectPublicKeyInfo. */
export function fingerprint(key) {
  const known = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(known.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** The bytes that a signature of DSSE is over: PAE(type, payload) of its protocol, version 1. */
export function preAuthentication(payload) {
  const content = Buffer.from(payload);
  return Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD.length} ${PAYLOAD} ${content.length} `), content]);
}

/** A statement, signed. */
export function envelope(key, payload) {
  const sig = signed(key, preAuthentication(payload)).toString('base64');
  return {
    payloadType: PAYLOAD,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: fingerprint(key), sig }],
  };
}

/**
 * @returns {string} what was signed
 * @throws Error if none of the signatures is by this key
 */
export function opened(key, { payloadType, payload, signatures }) {
  const content = Buffer.from(payload, 'base64');
  const isValid = ({ sig }) => isSigned(key, preAuthentication(content), Buffer.from(sig, 'base64'));
  if (payloadType !== PAYLOAD || !signatures.some(isValid)) throw new Error('The envelope is not signed by this key.');
  return content.toString('utf8');
}
