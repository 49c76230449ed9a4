import type { KeyObject } from 'node:crypto';
import { SamlRefusal } from '../refusal.js';
import type { XmlElement } from '../xml/xml-element.js';
import { algorithmFor, isSignedText, signText } from './algorithms.js';
import { asSigned, type SignedElement } from './read-signed.js';
import type { SigningKey } from './signing-key.js';

/** The signature of a message that came in a query (SAML Bindings §3.4.4.1). */
export interface QuerySignature {
  readonly algorithm: string;
  readonly value: Buffer;
  /** The parameters as they came, octet by octet, in the order in which they are signed. */
  readonly octets: string;
}

/** The parameters with `SigAlg` and `Signature` behind them. */
export function signQuery(parameters: string, { privateKey }: SigningKey): string {
  const octets = `${parameters}&SigAlg=${encodeURIComponent(algorithmFor(privateKey))}`;
  return `${octets}&Signature=${encodeURIComponent(signText(octets, privateKey))}`;
}

/**
 * The message of which the query is signed: all of it is.
 * @throws SamlRefusal `signature_algorithm`, `signature_invalid`, `signature_keyless`
 */
export function signedByQuery(
  root: XmlElement,
  { algorithm, value, octets }: QuerySignature,
  keys: readonly KeyObject[],
): SignedElement {
  if (keys.length === 0) throw new SamlRefusal('signature_keyless');
  if (!isSignedText(octets, algorithm, value, keys)) throw new SamlRefusal('signature_invalid');
  return asSigned(root);
}
