import { SamlRefusal } from '../refusal.js';

/** Of a document as it comes, after base64 and inflation. */
export const MAX_XML_BYTES = 256 * 1024;

/**
 * The characters of a document. SAML is exchanged in UTF-8 alone: a document whose octets two readers decode
 * differently says two things.
 * @throws SamlRefusal `xml_too_large`, `xml_not_utf8`
 */
export function decodeOctets(octets: Uint8Array): string {
  if (octets.byteLength > MAX_XML_BYTES) throw new SamlRefusal('xml_too_large');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets);
  } catch {
    throw new SamlRefusal('xml_not_utf8');
  }
}
