import { createHash, type KeyObject, sign } from 'node:crypto';
import { ExclusiveCanonicalization } from 'xml-crypto';
import { NS } from '../xml/namespaces.js';
import { readXml } from '../xml/read-xml.js';

/**
 * A signature put together part by part, so that a test may sign what no signer in order would: the attacker here is a
 * provider, or somebody whom a provider has sign what they like.
 */
export interface Parts {
  readonly id: string;
  readonly uri: string;
  readonly transforms: string;
  readonly canonicalization: string;
  readonly method: string;
  readonly digestMethod: string;
  /** In place of the digest of the element. */
  readonly digestValue: string;
  /** Before and behind the reference. */
  readonly references: readonly [string, string];
  readonly keyInfo: string;
  /** The prefixes that the transforms list, for the digest. */
  readonly listed: string[];
  /** Of all its elements. */
  readonly prefix: 'ds:' | '';
}

const ENVELOPED = '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>';
const EXCLUSIVE = `<ds:Transform Algorithm="${NS.exclusive}"/>`;
export const TRANSFORMS = ENVELOPED + EXCLUSIVE;
export const TRANSFORM = { enveloped: ENVELOPED, exclusive: EXCLUSIVE };

/** The document with a signature behind the issuer of the element with that ID, whatever its parts say. */
export function craftSignature(xml: string, parts: Partial<Parts> & { readonly id: string }, key: KeyObject): string {
  const element = [...readXml(Buffer.from(xml)).tree()].find((one) => one.attribute('ID') === parts.id)!;
  const digest = createHash('sha256').update(canonical(element.node, parts.listed)).digest('base64');
  const prefixed = (text: string): string =>
    parts.prefix === ''
      ? text.replaceAll('<ds:', '<').replaceAll('</ds:', '</').replaceAll('xmlns:ds=', 'xmlns=')
      : text;
  const signedInfo = prefixed(signedInfoOf(parts, digest));
  const value = sign('sha256', Buffer.from(canonical(readXml(Buffer.from(signedInfo)).node)), {
    key,
    dsaEncoding: 'ieee-p1363',
  }).toString('base64');
  const signature = prefixed(
    `<ds:Signature xmlns:ds="${NS.signature}">${signedInfo}<ds:SignatureValue>${value}</ds:SignatureValue>` +
      `${parts.keyInfo ?? ''}</ds:Signature>`,
  );
  const start = xml.indexOf(`ID="${parts.id}"`);
  const behindIssuer = /<\/(?:saml:)?Issuer>/.exec(xml.slice(start))![0];
  const place = xml.indexOf(behindIssuer, start) + behindIssuer.length;
  return xml.slice(0, place) + signature + xml.slice(place);
}

function signedInfoOf(parts: Partial<Parts> & { readonly id: string }, digest: string): string {
  const [before, behind] = parts.references ?? ['', ''];
  const reference =
    `<ds:Reference URI="${parts.uri ?? `#${parts.id}`}"><ds:Transforms>${parts.transforms ?? TRANSFORMS}</ds:Transforms>` +
    `${parts.digestMethod ?? '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>'}` +
    `<ds:DigestValue>${parts.digestValue ?? digest}</ds:DigestValue></ds:Reference>`;
  return (
    `<ds:SignedInfo xmlns:ds="${NS.signature}">` +
    `${parts.canonicalization ?? `<ds:CanonicalizationMethod Algorithm="${NS.exclusive}"/>`}` +
    `${parts.method ?? '<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256"/>'}` +
    `${before}${reference}${behind}</ds:SignedInfo>`
  );
}

function canonical(node: Element, inclusiveNamespacesPrefixList: string[] = []): string {
  return new ExclusiveCanonicalization().process(node, { inclusiveNamespacesPrefixList });
}
