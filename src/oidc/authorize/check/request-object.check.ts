import { MalformedJws, readCompactJws } from '../../../foundation/crypto/compact-jws.js';
import type { Form } from '../../../foundation/http/form.js';
import { refusal } from '../../oidc.errors.js';

/** Longer objects are not read: their refusal goes where the query says. */
const MAX_CHARACTERS = 16_384;

/** OIDC Core §6: not supported, and said so. Ignoring them would ignore what the client wants. @throws OAuthError */
export function checkNoRequestObject(form: Form): void {
  if (form.find('request') !== undefined) throw refusal.requestUnsupported();
  if (form.find('request_uri') !== undefined) throw refusal.requestUriUnsupported();
}

/** How the client wants to be answered. */
export interface AnswerWishes {
  readonly responseMode: string | undefined;
  readonly state: string | undefined;
}

/**
 * How the refusal of a request object is to reach the client, where the object alone says so: OIDC Core §6.1 lets a
 * client put every parameter there but a few, and one that waits for a form post, or knows its requests by `state`, would
 * not recognize the refusal. Nothing is verified, and nothing needs to be: the answer goes to a registered address, and
 * the query could say the same of itself. Nothing else of the object is looked at.
 */
export function wishesInObject(form: Form): AnswerWishes {
  const text = form.find('request');
  const said = text === undefined ? {} : payloadOf(text);
  return { responseMode: textIn(said, 'response_mode'), state: textIn(said, 'state') };
}

function payloadOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return readCompactJws(text, MAX_CHARACTERS).payload;
  } catch (error) {
    if (error instanceof MalformedJws) return {};
    throw error;
  }
}

/** As a parameter could have it: JSON can also write lone surrogates, which no URL carries, and NUL. */
function textIn(payload: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = payload[name];
  const isText = typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0');
  return isText ? value : undefined;
}
