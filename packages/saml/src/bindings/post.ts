import { SamlRefusal } from '../refusal.js';
import { signXml } from '../signature/sign-xml.js';
import type { SigningKey } from '../signature/signing-key.js';
import { readXml } from '../xml/read-xml.js';
import { decodeBase64 } from './base64.js';
import { messageParameter, type OutgoingMessage, type ReceivedMessage } from './message.js';
import { type RelayState, relayStateValue } from './relay-state.js';

/** A form that the browser posts by itself. */
export interface PostForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * The message in a form (SAML Bindings §3.5), whose fields are those of the parser of forms: a text, or a list for a
 * field that comes twice.
 * @throws SamlRefusal `parameter_…`, `encoding_…`, `xml_…`
 */
export function decodePost(fields: Readonly<Record<string, unknown>>): ReceivedMessage {
  const parameter = messageParameter(fields['SAMLRequest'], fields['SAMLResponse']);
  return {
    parameter,
    binding: 'post',
    root: readXml(decodeBase64(textOf(fields[parameter]))),
    relayState: fields['RelayState'] === undefined ? undefined : textOf(fields['RelayState']),
    querySignature: undefined,
  };
}

/** Signed within if there is a key. A Response is signed by those who write it. */
export function toPostForm(
  { parameter, id, destination, xml }: OutgoingMessage,
  { relayState, key }: { readonly relayState?: RelayState; readonly key?: SigningKey } = {},
): PostForm {
  const signed = key ? signXml(xml, { id, hasIssuer: true }, key) : xml;
  return {
    action: destination,
    fields: {
      [parameter]: Buffer.from(signed).toString('base64'),
      ...(relayState ? { RelayState: relayStateValue(relayState) } : {}),
    },
  };
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) throw new SamlRefusal('parameter_repeated');
  if (typeof value !== 'string') throw new SamlRefusal('parameter_missing');
  return value;
}
