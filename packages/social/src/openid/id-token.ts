import { IdpAnswerRefused, type JsonObject } from 'gatehouse';
import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, type JWK, type JWTPayload, jwtVerify } from 'jose';
import { isObject } from '../answer/json-answer.js';

/** What the vendors sign with. Neither `none` nor a secret that both sides know is among them (RFC 8725 §3.1). */
const ALGORITHMS = ['RS256', 'PS256', 'ES256'];
const TOLERANCE_SECONDS = 60;
/** An access or logout token proves no identity (RFC 8725 §3.11). Not every vendor names a type. */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'id_token+jwt'];

export interface TokenExpectation {
  readonly issuer: string;
  readonly audience: string;
  readonly nonce: string;
  readonly now: Date;
}

/** The claims of a token that nobody has verified. @throws IdpAnswerRefused if it is none */
export function unverifiedClaims(token: string): JsonObject {
  try {
    return decodeJwt(token);
  } catch {
    throw new IdpAnswerRefused('token_malformed');
  }
}

/**
 * The claims of an ID token (OIDC Core §3.1.3.7). Undefined if none of the keys is the one that it names: they may have
 * changed.
 * @throws IdpAnswerRefused
 */
export async function verifyIdToken(
  token: string,
  keys: readonly JsonObject[],
  expected: TokenExpectation,
): Promise<JWTPayload | undefined> {
  const keySet: JSONWebKeySet = { keys: keysFor(keys, expected.issuer) };
  try {
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keySet), {
      algorithms: ALGORITHMS,
      issuer: expected.issuer,
      audience: expected.audience,
      currentDate: expected.now,
      clockTolerance: TOLERANCE_SECONDS,
      requiredClaims: ['iss', 'aud', 'exp', 'iat'],
    });
    if (!TYPES.includes(protectedHeader.typ?.toLowerCase())) throw new IdpAnswerRefused('token_type_wrong');
    checkClaims(payload, expected);
    return payload;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined;
    if (error instanceof errors.JOSEError) throw new IdpAnswerRefused(error.code.toLowerCase());
    throw error;
  }
}

/** The keys of a set as it was published (RFC 7517 §5). @throws Error if it is none */
export function keysIn(document: JsonObject): readonly JsonObject[] {
  const { keys } = document;
  if (!Array.isArray(keys)) throw new Error('The key set of the provider has no keys.');
  return keys.filter(isObject);
}

/** Entra says of each key whose tokens it signs, as an issuer or a template of one; others say nothing. */
function keysFor(keys: readonly JsonObject[], issuer: string): JWK[] {
  const tenant = /\/([\da-f-]{36})\/v2\.0$/.exec(issuer)?.[1] ?? '';
  const isFor = ({ issuer: of }: JsonObject) =>
    of === undefined || (typeof of === 'string' && of.replace('{tenantid}', tenant) === issuer);
  return keys.filter(isFor); // read by jose, which takes nothing that is no key
}

function checkClaims({ aud, azp, nonce, iat = 0 }: JWTPayload, expected: TokenExpectation): void {
  // OIDC Core §3.1.3.7, steps 4 and 5
  if (Array.isArray(aud) && aud.length > 1 && azp === undefined) throw new IdpAnswerRefused('token_azp_missing');
  if (azp !== undefined && azp !== expected.audience) throw new IdpAnswerRefused('token_azp_wrong');
  // OIDC Core §3.1.3.7, step 11
  if (nonce !== expected.nonce) throw new IdpAnswerRefused('token_nonce_wrong');
  if (iat > expected.now.getTime() / 1000 + TOLERANCE_SECONDS) throw new IdpAnswerRefused('token_iat_ahead');
}
