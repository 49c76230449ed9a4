import type { Form } from '../../../foundation/http/form.js';
import type { ResponseType } from '../../../project/client/client.entity.js';
import type { Client } from '../../../project/client/client.js';
import { refusal } from '../../oidc.errors.js';

/** A SHA-256 digest in base64url without padding. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * RFC 7636 §4.3, RFC 9700 §2.1.1: S256 only (a missing method means plain), and for some clients required.
 * @throws OAuthError invalid_request
 */
export function parseCodeChallenge(form: Form, responseType: ResponseType, client: Client): string | undefined {
  const challenge = form.find('code_challenge');
  const method = form.find('code_challenge_method');
  if (challenge === undefined) {
    if (method !== undefined) throw refusal.challengeMalformed();
    if (responseType === 'code' && client.mustUsePkce) throw refusal.challengeMissing();
    return undefined;
  }
  if (method !== 'S256') throw refusal.challengeMethodUnsupported();
  if (!CHALLENGE.test(challenge)) throw refusal.challengeMalformed();
  return challenge;
}
