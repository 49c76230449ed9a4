import { DOMParser } from '@xmldom/xmldom';
import { SamlRefusal } from '../refusal.js';
import { checkGrammar } from './grammar.js';
import { NS } from './namespaces.js';
import { decodeOctets } from './octets.js';
import { attributesOf, isDeclaration, type XmlAttribute, XmlElement } from './xml-element.js';

/** Declarations that are inherited are repeated where they are used first: a long one would make a large document. */
const MAX_NAMESPACE_LENGTH = 256;
/** Canonical form repeats declarations of namespaces, and escapes more. */
const MAX_CANONICAL_LENGTH = 1024 * 1024;

/**
 * The root of a document as it came.
 * @throws SamlRefusal `xml_…`
 */
export function readXml(octets: Uint8Array): XmlElement {
  return parse(decodeOctets(octets));
}

/**
 * The root of what was signed.
 * @throws SamlRefusal `xml_…`
 */
export function readCanonicalXml(text: string): XmlElement {
  if (text.length > MAX_CANONICAL_LENGTH) throw new SamlRefusal('xml_too_large');
  return parse(text);
}

/** With the parser of xml-crypto, of the same version: two parsers would see two documents (CVE-2025-25291). */
function parse(text: string): XmlElement {
  checkGrammar(text);
  const refuse = (): never => {
    throw new SamlRefusal('xml_malformed', 'refused by the parser');
  };
  const document = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } });
  const root = new XmlElement(document.parseFromString(text, 'text/xml').documentElement, text);
  for (const { node } of root.tree()) checkNames(node);
  return root;
}

/**
 * Namespaces in XML 1.0 §3, §5 and §6.3, of which the parser checks nothing: an unbound prefix would be bound in the
 * canonical form.
 */
function checkNames(node: Element): void {
  const attributes = attributesOf(node);
  checkBinding(node.tagName, node.namespaceURI);
  for (const attribute of attributes) {
    if (isDeclaration(attribute)) checkDeclaration(attribute);
    else checkAttribute(attribute);
  }
  const names = attributes.map(({ namespace, name }) => `${name} ${namespace}`);
  if (new Set(names).size < names.length) throw new SamlRefusal('xml_malformed', 'an attribute twice');
}

function checkBinding(qualifiedName: string, namespace: unknown): void {
  const isBound = typeof namespace === 'string' && namespace !== '';
  if (qualifiedName.includes(':') && !isBound) throw new SamlRefusal('xml_malformed', 'a prefix without a namespace');
  if (/^xmlns?:/.test(qualifiedName) && namespace !== NS.xml)
    throw new SamlRefusal('xml_malformed', 'a reserved prefix');
}

function checkDeclaration({ qualifiedName, value }: XmlAttribute): void {
  // What is in some elements of XHTML would be text for the parser, and elements for others.
  if (value === NS.xhtml) throw new SamlRefusal('xml_malformed', 'HTML');
  const isReserved = /^xmlns:xml/i.test(qualifiedName) || value === NS.xml || value === NS.xmlns;
  if (isReserved || (value === '' && qualifiedName !== 'xmlns'))
    throw new SamlRefusal('xml_malformed', 'a reserved namespace');
  if (value.length > MAX_NAMESPACE_LENGTH) throw new SamlRefusal('xml_too_complex');
}

/** XML 1.0 §2.3 keeps names that begin with these letters; canonicalization would take some for declarations. */
function checkAttribute({ qualifiedName, namespace }: XmlAttribute): void {
  if (/^xml(?!:)/i.test(qualifiedName)) throw new SamlRefusal('xml_malformed', 'a reserved name');
  checkBinding(qualifiedName, namespace);
}
