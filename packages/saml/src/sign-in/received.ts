import type { IncomingMessage } from 'node:http';
import type { FormFields } from 'gatehouse/admin';
import type { ReceivedMessage } from '../bindings/message.js';
import { decodePost } from '../bindings/post.js';
import { decodeRedirect } from '../bindings/redirect.js';
import { SamlRefusal } from '../refusal.js';

/** A message of 256 KiB in base64 and percent signs, and what goes along with it. */
export const MAX_FORM_BYTES = 400_000;

/** @throws SamlRefusal */
export function receivedInQuery(request: IncomingMessage): ReceivedMessage {
  return decodeRedirect(rawQueryOf(request));
}

/** @throws SamlRefusal */
export function receivedInForm(form: FormFields): ReceivedMessage {
  const names = ['SAMLRequest', 'SAMLResponse', 'RelayState'];
  return decodePost(Object.fromEntries(names.map((name) => [name, valueOf(form, name)])));
}

/** The query as it stands in the request line. */
export function rawQueryOf({ url = '' }: IncomingMessage): string {
  const question = url.indexOf('?');
  return question < 0 ? '' : url.slice(question + 1);
}

/** @throws SamlRefusal `parameter_repeated`, also for what is no UTF-8 */
export function valueOf(form: FormFields, name: string): string | undefined {
  const value = form.find(name);
  if (value === undefined && form.isGiven(name)) throw new SamlRefusal('parameter_repeated', name);
  return value;
}
