import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { SamlRefusal } from '../refusal.js';

type Hash = 'sha256' | 'sha384' | 'sha512';

interface Scheme {
  readonly key: 'rsa' | 'ec';
  readonly hash: Hash;
}

/**
 * RFC 9231 §2.3: the signatures that we verify, by the name of their algorithm. Those with SHA-1 are broken; those with
 * a secret (HMAC) would take a public key for one.
 */
const SCHEMES: ReadonlyMap<string, Scheme> = new Map([
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', { key: 'rsa', hash: 'sha256' }],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', { key: 'rsa', hash: 'sha384' }],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', { key: 'rsa', hash: 'sha512' }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256', { key: 'ec', hash: 'sha256' }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384', { key: 'ec', hash: 'sha384' }],
  ['http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512', { key: 'ec', hash: 'sha512' }],
]);

/** RFC 9231 §2.1 */
const DIGESTS: ReadonlyMap<string, Hash> = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#sha384', 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
]);

export const SIGNATURE_ALGORITHMS: readonly string[] = [...SCHEMES.keys()];
export const DIGEST_ALGORITHMS: readonly string[] = [...DIGESTS.keys()];

export const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
export const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
export const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** What we sign with: SHA-256, by the kind of the key. */
export function algorithmFor({ asymmetricKeyType }: KeyObject): string {
  return `http://www.w3.org/2001/04/xmldsig-more#${asymmetricKeyType === 'ec' ? 'ecdsa' : 'rsa'}-sha256`;
}

/** The signature in base64. */
export function signText(text: string, privateKey: KeyObject): string {
  const { hash } = schemeOf(algorithmFor(privateKey));
  return sign(hash, Buffer.from(text), { key: privateKey, dsaEncoding: ENCODINGS[0] }).toString('base64');
}

/** RFC 9231 §2.3.6: the two numbers of ECDSA beside one another. Some libraries write them in DER instead. */
const ENCODINGS = ['ieee-p1363', 'der'] as const;

/**
 * Whether one of the keys has signed the text. A key is tried with algorithms of its own kind alone.
 * @throws SamlRefusal `signature_algorithm`
 */
export function isSignedText(text: string, algorithm: string, signature: Buffer, keys: readonly KeyObject[]): boolean {
  const { key: kind, hash } = schemeOf(algorithm);
  return keys
    .filter(({ asymmetricKeyType }) => asymmetricKeyType === kind)
    .flatMap((key) => ENCODINGS.map((dsaEncoding) => ({ key, dsaEncoding })))
    .some((key) => verify(hash, Buffer.from(text), key, signature));
}

/**
 * The digest in base64.
 * @throws SamlRefusal `signature_algorithm`
 */
export function digestOf(text: string, algorithm: string): string {
  const hash = DIGESTS.get(algorithm);
  if (hash === undefined) throw new SamlRefusal('signature_algorithm', 'DigestMethod');
  return createHash(hash).update(text).digest('base64');
}

function schemeOf(algorithm: string): Scheme {
  const scheme = SCHEMES.get(algorithm);
  if (!scheme) throw new SamlRefusal('signature_algorithm', 'SignatureMethod');
  return scheme;
}
