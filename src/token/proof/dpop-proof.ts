import type { JWK } from 'jose';
import { type CompactJws, readCompactJwsOr } from '../../foundation/crypto/compact-jws.js';
import { sha256Base64Url } from '../../foundation/crypto/digest.js';
import { isSecretKey } from '../../foundation/crypto/public-key.js';
import { algorithmsOf } from '../../foundation/crypto/verification-key.js';
import { ProofRefused } from './proof-refused.js';
import { comparableUrl } from './proof-url.js';

/** How far `iat` may be from now, in either direction: clocks differ (RFC 9449 §11.1). */
export const PROOF_WINDOW_SECONDS = 60;

/** A proof with an RSA key of 8192 bits and its signature takes half of this. */
const MAX_CHARACTERS = 8_192;
const MAX_ID_CHARACTERS = 128;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** The members of a public key of which its thumbprint is made, in their order (RFC 7638 §3.2, RFC 8037 §2). */
const MEMBERS: Readonly<Record<string, ReadonlyArray<'crv' | 'e' | 'kty' | 'n' | 'x' | 'y'>>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
};

/** The request that a proof is for. */
export interface ProvenRequest {
  readonly method: string;
  /** The address of the request as clients see it; two, if there is another host for clients with certificates. */
  readonly urls: readonly string[];
  /** The access token, at a protected resource (RFC 9449 §7). */
  readonly accessToken: string | undefined;
}

/** A proof of which all but the key and the signature was checked. */
export interface ReadProof {
  readonly text: string;
  readonly algorithm: string;
  /** The public key, with no members but those of the thumbprint. */
  readonly key: JWK;
  /** RFC 7638; what tokens are bound to (RFC 9449 §6.1). */
  readonly thumbprint: string;
  readonly id: string;
  /** Unix seconds. */
  readonly issuedAt: number;
  readonly nonce: unknown;
}

/**
 * Everything about the proof of a request (RFC 9449 §4.3) but nonce, signature and single use; undefined without a
 * `DPoP` header.
 * @throws ProofRefused
 */
export function readProof(
  headers: readonly string[] | undefined,
  request: ProvenRequest,
  nowSeconds: number,
): ReadProof | undefined {
  const [text, ...others] = headers ?? [];
  if (text === undefined) return undefined;
  if (others.length > 0 || text.includes(',')) throw new ProofRefused('repeated');
  const { header, payload } = readJws(text);
  const { typ, alg, jwk } = header;
  if (typeof typ !== 'string' || typ.toLowerCase() !== 'dpop+jwt') throw new ProofRefused('typ'); // RFC 7515 §4.1.9
  const key = readKey(jwk);
  if (typeof alg !== 'string' || !algorithmsOf(key).includes(alg)) throw new ProofRefused('alg');
  const { jti, htm, htu, iat, ath, nonce } = payload;
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_ID_CHARACTERS) throw new ProofRefused('jti');
  if (htm !== request.method) throw new ProofRefused('htm');
  if (typeof htu !== 'string' || !isOneOf(htu, request.urls)) throw new ProofRefused('htu');
  if (typeof iat !== 'number' || !(Math.abs(iat - nowSeconds) <= PROOF_WINDOW_SECONDS)) throw new ProofRefused('iat');
  if (request.accessToken !== undefined && ath !== sha256Base64Url(request.accessToken)) throw new ProofRefused('ath');
  return { text, algorithm: alg, key, thumbprint: thumbprintOf(key), id: jti, issuedAt: iat, nonce };
}

function isOneOf(htu: string, urls: readonly string[]): boolean {
  const named = comparableUrl(htu);
  return named !== undefined && urls.some((url) => comparableUrl(url) === named);
}

function readJws(text: string): CompactJws {
  return readCompactJwsOr(text, MAX_CHARACTERS, (error) => new ProofRefused('malformed', undefined, error));
}

/** The key without other members, so that what is remembered by thumbprint is the key and nothing else. */
function readKey(sent: unknown): JWK {
  if (typeof sent !== 'object' || sent === null || isSecretKey(sent)) throw new ProofRefused('jwk');
  const members = sent as Readonly<Record<string, unknown>>;
  const names = (typeof members['kty'] === 'string' ? MEMBERS[members['kty']] : undefined) ?? [];
  const key = names.map((name) => [name, members[name]] as const);
  const isWhole = key.every(([name, value]) => typeof value === 'string' && (name === 'crv' || BASE64URL.test(value)));
  if (key.length === 0 || !isWhole) throw new ProofRefused('jwk');
  return Object.fromEntries(key);
}

/** RFC 7638 §3: the members are in their order already. */
function thumbprintOf(key: JWK): string {
  return sha256Base64Url(JSON.stringify(key));
}
