import { SamlRefusal } from '../refusal.js';
import { MAX_XML_BYTES } from '../xml/octets.js';

const MAX_LENGTH = Math.ceil(MAX_XML_BYTES / 3) * 4;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * RFC 4648 §4. Lines may be broken (RFC 2045 §6.8, which SAML Bindings §3.5.4 means); nothing else is passed over.
 * @throws SamlRefusal `xml_too_large`, `encoding_malformed`
 */
export function decodeBase64(text: string): Buffer {
  if (text.length > MAX_LENGTH * 2) throw new SamlRefusal('xml_too_large');
  const characters = text.replace(/[ \t\r\n]/g, '');
  if (characters.length > MAX_LENGTH) throw new SamlRefusal('xml_too_large');
  if (!BASE64.test(characters)) throw new SamlRefusal('encoding_malformed', 'base64');
  return Buffer.from(characters, 'base64');
}
