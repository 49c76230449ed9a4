import { type ReceivedMessage, signedMessage } from '../bindings/message.js';
import { keysOf, type Partner } from '../protocol/partner.js';
import { SamlRefusal } from '../refusal.js';
import { hasSignature, readSigned, type SignedElement, signedChild } from '../signature/read-signed.js';
import { NS } from '../xml/namespaces.js';
import type { XmlElement } from '../xml/xml-element.js';

/** What of a response may be believed. */
export interface SignedParts {
  /** Undefined if the assertion alone is signed. What the response then says around it can only make us refuse. */
  readonly response: SignedElement | undefined;
  readonly assertion: SignedElement;
}

/**
 * The one assertion of a response, as the identity provider has signed it: by itself, with the response, or both, and
 * then both signatures are verified.
 * @throws SamlRefusal `assertion_…`, `signature_…`, `id_repeated`
 */
export function signedParts(message: ReceivedMessage, provider: Partner): SignedParts {
  const assertion = oneAssertion(message.root);
  const response = signedMessage(message, keysOf(provider));
  if (hasSignature(assertion)) return { response, assertion: readSigned(assertion, keysOf(provider)) };
  if (!response) throw new SamlRefusal('signature_missing');
  return { response, assertion: signedChild(response, NS.assertion, 'Assertion') };
}

/**
 * SAML Profiles §4.1.4.2 allows several assertions about one person; no provider of ours sends more than one, and a
 * second one, wherever it is, is how forged ones come along.
 */
function oneAssertion(response: XmlElement): XmlElement {
  const elements = [...response.tree()];
  if (elements.some(({ name }) => name === 'EncryptedAssertion')) throw new SamlRefusal('assertion_encrypted');
  if (elements.filter(({ name }) => name === 'Assertion').length > 1) throw new SamlRefusal('assertion_repeated');
  const [assertion] = response.all(NS.assertion, 'Assertion');
  if (!assertion) throw new SamlRefusal('assertion_missing');
  return assertion;
}
