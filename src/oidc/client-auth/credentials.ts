import type { Request as ExpressRequest } from 'express';
import { Secret } from '../../foundation/config/secret.js';
import { type ClientCertificate, certificateOf } from '../../foundation/http/client-certificate.js';
import { decode, type Form } from '../../foundation/http/form.js';
import { refusal } from '../oidc.errors.js';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
/** No client id is longer, and callers must not fill the lookup cache with longer ones. */
const MAX_CLIENT_ID_CHARACTERS = 200;
const IS_BASIC = /^basic\b/i;

/** The credentials of a client, not yet checked. One method per request (RFC 6749 §2.3). */
export type Credentials =
  | {
      readonly method: 'client_secret_basic' | 'client_secret_post';
      readonly clientId: string;
      readonly secret: Secret;
    }
  | { readonly method: 'private_key_jwt'; readonly clientId: string | undefined; readonly assertion: string }
  /** `certificate`: what it has shown in the TLS handshake, if it did. */
  | { readonly method: 'none'; readonly clientId: string; readonly certificate: ClientCertificate | undefined };

/**
 * Whether it could be right by chance, and so counts as a guess if it is wrong. An absent or empty secret is not a
 * guess.
 */
export function isGuess(credentials: Credentials): boolean {
  if (credentials.method === 'private_key_jwt') return true;
  return credentials.method !== 'none' && credentials.secret.reveal() !== '';
}

/**
 * Reads the Authorization header and the form; undefined if neither contains credentials.
 * @throws OAuthError invalid_request for several methods at once, invalid_client for an unreadable header
 */
export function readCredentials(request: ExpressRequest, form: Form): Credentials | undefined {
  const basic = readBasic(request);
  const clientId = form.find('client_id');
  if ((basic?.clientId ?? clientId ?? '').length > MAX_CLIENT_ID_CHARACTERS) throw refusal.clientUnknown();
  const secret = form.find('client_secret');
  const assertion = form.find('client_assertion');
  const isAssertion = form.isGiven('client_assertion') || form.isGiven('client_assertion_type');
  const ways = [basic !== undefined, form.isGiven('client_secret'), isAssertion].filter(Boolean).length;
  if (ways > 1) throw refusal.severalAuthMethods();
  if (basic) {
    if (clientId !== undefined && clientId !== basic.clientId) throw refusal.severalAuthMethods();
    return basic;
  }
  if (isAssertion) {
    if (form.find('client_assertion_type') !== ASSERTION_TYPE) throw refusal.assertionTypeWrong();
    if (assertion === undefined) throw refusal.parameterMissing('client_assertion');
    return { method: 'private_key_jwt', clientId, assertion };
  }
  if (clientId === undefined) return undefined;
  if (secret !== undefined) return { method: 'client_secret_post', clientId, secret: new Secret(secret) };
  return { method: 'none', clientId, certificate: certificateOf(request) };
}

/** RFC 6749 §2.3.1: both halves are form-url-encoded before they are joined and encoded in base64. */
function readBasic(request: ExpressRequest): Extract<Credentials, { secret: Secret }> | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  if (
    request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization').length > 1
  ) {
    throw refusal.severalAuthMethods();
  }
  if (!IS_BASIC.test(header)) return undefined;
  const encoded = BASIC.exec(header)?.[1];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('latin1');
  const colon = decoded.indexOf(':');
  const clientId = colon < 0 ? undefined : decode(decoded.slice(0, colon));
  const secret = colon < 0 ? undefined : decode(decoded.slice(colon + 1));
  if (!clientId || secret === undefined) throw refusal.clientCredentialsMalformed();
  return { method: 'client_secret_basic', clientId, secret: new Secret(secret) };
}
