import { ENVELOPED, EXCLUSIVE_C14N, SHA256 } from './algorithms.js';
import { signerWith } from './signed-xml.js';
import type { SigningKey } from './signing-key.js';

/** What is signed: the element with that `ID`, which has an issuer unless it is metadata. */
export interface SignedPlace {
  readonly id: string;
  readonly hasIssuer: boolean;
}

/**
 * The document with a signature of that element. It stands where the schemas of SAML want it: behind the issuer (SAML
 * Core §3.2.1), in metadata in front of all other content (SAML Metadata §2.3.2).
 */
export function signXml(xml: string, { id, hasIssuer }: SignedPlace, key: SigningKey): string {
  const element = `//*[@ID='${id}']`;
  const signer = signerWith(key);
  signer.addReference({ xpath: element, transforms: [ENVELOPED, EXCLUSIVE_C14N], digestAlgorithm: SHA256 });
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: hasIssuer
      ? { reference: `${element}/*[local-name()='Issuer']`, action: 'after' }
      : { reference: element, action: 'prepend' },
  });
  return signer.getSignedXml();
}
