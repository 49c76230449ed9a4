import type { KeyObject } from 'node:crypto';
import { SamlRefusal } from '../refusal.js';
import type { QuerySignature } from '../signature/query-signature.js';
import { signedByQuery } from '../signature/query-signature.js';
import { checkSignaturePlaces, hasSignature, readSigned, type SignedElement } from '../signature/read-signed.js';
import type { XmlElement } from '../xml/xml-element.js';

/** The parameter that carries a message. */
export type MessageParameter = 'SAMLRequest' | 'SAMLResponse';

/** A message as a binding has delivered it. Nothing in it is verified. */
export interface ReceivedMessage {
  readonly parameter: MessageParameter;
  readonly binding: 'redirect' | 'post';
  readonly root: XmlElement;
  /** What the other side wants back, or what we have given along. As long as they like: a form has its own limit. */
  readonly relayState: string | undefined;
  /** Of the redirect binding alone. A message that is posted has its signature within. */
  readonly querySignature: QuerySignature | undefined;
}

/** A message to be sent: the writers make it, the bindings carry it. */
export interface OutgoingMessage {
  readonly parameter: MessageParameter;
  readonly id: string;
  /** Where it goes. */
  readonly destination: string;
  readonly xml: string;
}

/**
 * Which of the two there is.
 * @throws SamlRefusal `parameter_repeated`, `parameter_missing`
 */
export function messageParameter(request: unknown, response: unknown): MessageParameter {
  if (request !== undefined && response !== undefined) throw new SamlRefusal('parameter_repeated');
  if (request === undefined && response === undefined) throw new SamlRefusal('parameter_missing');
  return request === undefined ? 'SAMLResponse' : 'SAMLRequest';
}

/**
 * The message as its sender has signed it; undefined if it has no signature.
 * @throws SamlRefusal `signature_…`, `id_repeated` if it has one that proves nothing
 */
export function signedMessage(
  { binding, root, querySignature }: ReceivedMessage,
  keys: readonly KeyObject[],
): SignedElement | undefined {
  checkSignaturePlaces(root);
  if (binding === 'post') return hasSignature(root) ? readSigned(root, keys) : undefined;
  // SAML Bindings §3.4.4.1: the signature within is taken out before a message is sent in a query.
  if (hasSignature(root)) throw new SamlRefusal('signature_misplaced', 'within a message in a query');
  return querySignature && signedByQuery(root, querySignature, keys);
}
