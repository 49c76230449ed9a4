import type { KeyObject } from 'node:crypto';
import type { NamespacePrefix, SignedXml } from 'xml-crypto';
import { SamlRefusal } from '../refusal.js';
import { NS } from '../xml/namespaces.js';
import { readCanonicalXml } from '../xml/read-xml.js';
import { attributesOf, isDeclaration, type XmlElement } from '../xml/xml-element.js';
import { EXCLUSIVE_C14N, isSignedText } from './algorithms.js';
import { checkSignatureForm } from './signature-form.js';
import { verifierWith } from './signed-xml.js';

declare const signed: unique symbol;

/**
 * An element of which every octet is signed by a key of the partner. Made by `readSigned` and `signedByQuery` alone.
 */
export type SignedElement = XmlElement & { readonly [signed]: true };

/** Whether the element has a signature of its own. Nothing is verified. */
export function hasSignature(element: XmlElement): boolean {
  return element.all(NS.signature, 'Signature').length > 0;
}

/**
 * Refuses signatures at places where SAML has none: they are children of the message, or of an assertion in it
 * (SAML Core §5.4.1). One that stands in an extension, a subject or another signature only misleads.
 * @throws SamlRefusal `signature_misplaced`
 */
export function checkSignaturePlaces(root: XmlElement): void {
  for (const element of root.tree()) {
    if (!element.is(NS.signature, 'Signature')) continue;
    const parent = element.parent;
    const isOfAssertion = parent?.is(NS.assertion, 'Assertion') && parent.parent?.node === root.node;
    if (parent?.node !== root.node && !isOfAssertion) throw new SamlRefusal('signature_misplaced');
  }
}

/**
 * The element as its signature covers it: read anew from the octets that were digested. Whatever else a document says,
 * around or within, these octets are what the partner has signed.
 * @throws SamlRefusal `signature_…`, `id_repeated`
 */
export function readSigned(element: XmlElement, keys: readonly KeyObject[]): SignedElement {
  const [key, ...others] = keys;
  if (!key) throw new SamlRefusal('signature_keyless');
  const [signature, second] = element.all(NS.signature, 'Signature');
  if (!signature) throw new SamlRefusal('signature_missing');
  if (second) throw new SamlRefusal('signature_misplaced', 'two of one element');
  const { root } = element;
  checkSignaturePlaces(root);
  checkIds(root);
  checkSignatureForm(signature, element);
  return asSigned(sameElement(readCanonicalXml(verify(signature, [key, ...others])), element));
}

/** The child of a signed element, which is signed with it. */
export function signedChild(element: SignedElement, namespace: string, name: string): SignedElement {
  return asSigned(element.required(namespace, name));
}

/** For what is signed as a whole, outside of XML. */
export function asSigned(element: XmlElement): SignedElement {
  return element as SignedElement;
}

/** The octets that the signature covers. */
function verify(signature: XmlElement, keys: readonly [KeyObject, ...KeyObject[]]): string {
  const verifier = verifierWith(keys);
  const isValid = attempt(() => {
    verifier.loadSignature(signature.node);
    return isSignedInfo(signature, verifier, keys) && verifier.checkSignature(signature.source);
  });
  const [octets, second] = verifier.getSignedReferences();
  if (!isValid || octets === undefined || second !== undefined) throw new SamlRefusal('signature_invalid');
  return octets;
}

/** xml-crypto throws for some signatures, and answers no for others. */
function attempt(check: () => boolean): boolean {
  try {
    return check();
  } catch (error) {
    if (error instanceof SamlRefusal) throw error;
    return false;
  }
}

/**
 * Whether the digest is signed. xml-crypto digests the element first, which takes much longer: whoever has no signature
 * of the partner must not cost us that.
 */
function isSignedInfo(signature: XmlElement, verifier: SignedXml, keys: readonly KeyObject[]): boolean {
  const signedInfo = signature.required(NS.signature, 'SignedInfo');
  const algorithm = signedInfo.required(NS.signature, 'SignatureMethod').requiredAttribute('Algorithm');
  const value = signature.required(NS.signature, 'SignatureValue').text;
  const ancestorNamespaces = namespacesAround(signedInfo);
  const octets = verifier.getCanonXml([EXCLUSIVE_C14N], signedInfo.node, { ancestorNamespaces });
  return isSignedText(octets, algorithm, Buffer.from(value, 'base64'), keys);
}

/** What prefixes mean where the element begins, for those that its canonical form is to keep. */
function namespacesAround({ node, parent }: XmlElement): NamespacePrefix[] {
  if (!parent) return [];
  const declared = attributesOf(parent.node)
    .filter(isDeclaration)
    .map(({ qualifiedName, value }) => ({ prefix: qualifiedName.replace(/^xmlns:?/, ''), namespaceURI: value }));
  const isOwn = ({ prefix }: NamespacePrefix): boolean =>
    node.hasAttribute(prefix === '' ? 'xmlns' : `xmlns:${prefix}`);
  const further = namespacesAround(parent).filter(({ prefix }) => !declared.some((one) => one.prefix === prefix));
  return [...declared, ...further].filter((one) => !isOwn(one));
}

/** xml-crypto would take any of these attributes for the one that a reference means, of whichever namespace. */
function checkIds(root: XmlElement): void {
  const ids = [...root.tree()].flatMap(({ attributes }) =>
    attributes.filter(({ name }) => name.toLowerCase() === 'id').map(({ value }) => value),
  );
  if (new Set(ids).size < ids.length) throw new SamlRefusal('id_repeated');
}

function sameElement(read: XmlElement, element: XmlElement): XmlElement {
  const isSame = read.is(element.namespace, element.name) && read.attribute('ID') === element.attribute('ID');
  if (!isSame) throw new SamlRefusal('signature_reference', 'another element');
  return read;
}
