import { SamlRefusal, type SignatureReason } from '../refusal.js';
import { NS } from '../xml/namespaces.js';
import type { XmlElement } from '../xml/xml-element.js';
import { DIGEST_ALGORITHMS, ENVELOPED, EXCLUSIVE_C14N, SIGNATURE_ALGORITHMS } from './algorithms.js';

const NC_NAME = /^[A-Za-z_][\w.-]*$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Prefixes and `#default`, Exclusive XML Canonicalization §3.3. */
const PREFIX = /^(?:#default|[A-Za-z_][\w.-]*)$/;
const MAX_PREFIXES = 16;

/**
 * Refuses every form of a signature but the one that SAML Core §5.4 describes: one reference, by `#ID`, to the element
 * that the signature is a child of, and no transforms but the two. What xml-crypto would look up by name anywhere
 * within the signature is there once.
 * @throws SamlRefusal `signature_…`
 */
export function checkSignatureForm(signature: XmlElement, element: XmlElement): void {
  const [signedInfo, signatureValue] = inOrder(signature, ['SignedInfo', 'SignatureValue'], 'KeyInfo');
  checkSignedInfo(signedInfo!, element);
  if (!isBase64(signatureValue!)) refuse('signature_form', 'SignatureValue');
  for (const name of ['SignedInfo', 'CanonicalizationMethod', 'SignatureMethod', 'SignatureValue', 'Reference']) {
    const named = [...signature.tree()].filter((one) => one.name === name);
    if (named.length !== 1) refuse('signature_form', `${name} again`);
  }
}

function checkSignedInfo(signedInfo: XmlElement, element: XmlElement): void {
  const parts = inOrder(signedInfo, ['CanonicalizationMethod', 'SignatureMethod', 'Reference']);
  const [canonicalization, method, reference] = parts as [XmlElement, XmlElement, XmlElement];
  checkCanonicalization(canonicalization);
  checkAlgorithm(method, SIGNATURE_ALGORITHMS);
  checkReference(reference, element);
}

function checkReference(reference: XmlElement, element: XmlElement): void {
  const id = element.attribute('ID');
  if (id === undefined || !NC_NAME.test(id) || reference.attribute('URI') !== `#${id}`)
    refuse('signature_reference', 'not the element around it');
  const [transforms, method, value] = inOrder(reference, ['Transforms', 'DigestMethod', 'DigestValue']);
  checkAlgorithm(method!, DIGEST_ALGORITHMS);
  if (!isBase64(value!)) refuse('signature_form', 'DigestValue');
  const [enveloped, canonicalization, third] = transforms!.children;
  if (!enveloped || !canonicalization || third || !hasNothing(enveloped)) return refuse('signature_transform', 'two');
  if (!enveloped.is(NS.signature, 'Transform') || enveloped.attribute('Algorithm') !== ENVELOPED)
    refuse('signature_transform', 'the first');
  if (!canonicalization.is(NS.signature, 'Transform')) refuse('signature_transform', 'the second');
  checkCanonicalization(canonicalization);
}

/** Exclusive canonicalization without comments, with a short list of prefixes at most. */
function checkCanonicalization(method: XmlElement): void {
  if (method.attribute('Algorithm') !== EXCLUSIVE_C14N) refuse('signature_transform', method.name);
  const [list, second] = method.children;
  if (second || (list && !(list.is(NS.exclusive, 'InclusiveNamespaces') && hasNothing(list))))
    refuse('signature_transform', 'InclusiveNamespaces');
  const prefixes = list?.attribute('PrefixList')?.split(' ') ?? [];
  if (prefixes.length > MAX_PREFIXES || !prefixes.every((prefix) => prefix === '' || PREFIX.test(prefix)))
    refuse('signature_transform', 'PrefixList');
}

function checkAlgorithm(method: XmlElement, allowed: readonly string[]): void {
  const algorithm = method.attribute('Algorithm');
  if (algorithm === undefined || !allowed.includes(algorithm)) refuse('signature_algorithm', method.name);
  if (!hasNothing(method)) refuse('signature_form', method.name);
}

/** The children, which are those of these names in this order, and perhaps one more. */
function inOrder(parent: XmlElement, names: readonly string[], optional?: string): XmlElement[] {
  const { children } = parent;
  const expected = optional !== undefined && children.length > names.length ? [...names, optional] : names;
  const isExpected =
    children.length === expected.length && children.every((child, index) => child.is(NS.signature, expected[index]!));
  if (!isExpected) refuse('signature_form', parent.name);
  return children;
}

function hasNothing(element: XmlElement): boolean {
  return element.children.length === 0;
}

/** In lines perhaps, but not divided by comments. */
function isBase64(element: XmlElement): boolean {
  return element.node.childNodes.length === 1 && BASE64.test(element.text.replace(/[ \t\r\n]/g, ''));
}

function refuse(reason: SignatureReason, detail: string): never {
  throw new SamlRefusal(reason, detail);
}
