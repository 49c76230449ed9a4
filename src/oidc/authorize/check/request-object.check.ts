import { MalformedJws, readCompactJws } from '../../../foundation/crypto/compact-jws.js';
import type { Form } from '../../../foundation/http/form.js';
import { refusal } from '../../oidc.errors.js';

/** Longer objects are not read: their refusal is sent as the query requests. */
const MAX_CHARACTERS = 16_384;

/**
 * OIDC Core §6.2: request objects are not fetched here, or this one was not. Ignoring the parameter would ignore what
 * the client wants.
 * @throws OAuthError
 */
export function checkNoReference(form: Form): void {
  if (form.find('request_uri') !== undefined) throw refusal.requestUriUnsupported();
}

/** How the client wants to get the response. */
export interface AnswerWishes {
  readonly responseMode: string | undefined;
  readonly state: string | undefined;
}

/**
 * How to send the refusal of a request object to the client, if only the object says so: OIDC Core §6.1 lets a client
 * put nearly every parameter there, and a client that expects a form post, or matches responses by `state`, would not
 * recognize the refusal otherwise. Nothing is verified, and nothing needs to be: the response goes to a registered
 * address, and the query could contain the same values. The rest of the object is ignored.
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

/** A member as a parameter could have it: JSON can also express lone surrogates and NUL, which no URL can. */
function textIn(payload: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = payload[name];
  const isText = typeof value === 'string' && value !== '' && value.isWellFormed() && !value.includes('\0');
  return isText ? value : undefined;
}
