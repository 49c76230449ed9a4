import { duplicateMember, unstorableMember } from '../../../foundation/crypto/json-members.js';
import type { Form } from '../../../foundation/http/form.js';
import type { ClaimsRequest } from '../../../session/auth-request/claims-request.js';
import { USER_CLAIMS } from '../../../token/claims/user-claims.js';
import { refusal } from '../../oidc.errors.js';
import { parseEssentialAcr } from './acr.check.js';

/** Requested names are part of the access token, so their number must be limited. */
const ANSWERABLE: ReadonlySet<string> = new Set([...USER_CLAIMS, 'acr', 'sub']);

/** OIDC Core §2: at most 255 ASCII characters. Any other text cannot be the ID of a user. */
const USER_ID = /^[\x21-\x7e]{1,255}$/;
const NOBODY = '';

export interface ParsedClaims {
  readonly request: ClaimsRequest;
  /** `sub` with a value: the only user for whom the request may be answered (OIDC Core §5.5.1). */
  readonly requiredUserId: string | undefined;
  /** An essential `acr` that requires a second factor. */
  readonly requiresSecondFactor: boolean;
}

/**
 * OIDC Core §5.5. Claims that the user does not have, or that are unknown, are omitted, except for an essential `acr`.
 * `isContributed`: whether an extension makes the claim.
 * @throws OAuthError invalid_request, unmet_authentication_requirements
 */
export function parseClaims(form: Form, isContributed: (name: string) => boolean): ParsedClaims | undefined {
  const text = form.find('claims');
  if (text === undefined) return undefined;
  const claims = parseObject(text);
  const isAnswerable = (name: string) => ANSWERABLE.has(name) || isContributed(name);
  const idToken = members(claims['id_token'], isAnswerable);
  const userinfo = members(claims['userinfo'], isAnswerable);
  const sub = idToken.get('sub');
  const value = typeof sub === 'object' && sub !== null ? (sub as { value?: unknown }).value : undefined;
  return {
    requiresSecondFactor: parseEssentialAcr(idToken.get('acr')),
    request: { idToken: [...idToken.keys()], userinfo: [...userinfo.keys()] },
    requiredUserId: typeof value === 'string' ? (USER_ID.test(value) ? value : NOBODY) : undefined,
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    // Which of two members counts differs from parser to parser (RFC 8259 §4).
    if (duplicateMember(text) !== undefined || unstorableMember(text, value) !== undefined)
      throw refusal.claimsMalformed();
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw refusal.claimsMalformed(error);
  }
  throw refusal.claimsMalformed();
}

function members(value: unknown, isAnswerable: (name: string) => boolean): ReadonlyMap<string, unknown> {
  if (value === undefined || value === null) return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) throw refusal.claimsMalformed();
  return new Map(Object.entries(value).filter(([name]) => isAnswerable(name)));
}
