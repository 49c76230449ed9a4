import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { reasonOf } from '../refusal.fixture.js';
import { NS } from '../xml/namespaces.js';
import { readXml } from '../xml/read-xml.js';
import { toPem } from './certificate.js';
import { keyOf } from './keys.fixture.js';
import { readSigned, type SignedElement } from './read-signed.js';
import { signXml } from './sign-xml.js';
import { craftSignature, type Parts, TRANSFORM, TRANSFORMS } from './signature.fixture.js';
import type { SigningKey } from './signing-key.js';

let key: SigningKey;
let rsa: SigningKey;
beforeAll(async () => {
  key = await keyOf('signer');
  rsa = await keyOf('signer', 'rsa');
});

const ID = '_message';
const MESSAGE =
  `<samlp:LogoutRequest xmlns:samlp="${NS.protocol}" xmlns:saml="${NS.assertion}" ID="${ID}">` +
  '<saml:Issuer>https://sp.test</saml:Issuer><saml:NameID>anna</saml:NameID></samlp:LogoutRequest>';

const craft = (parts: Partial<Parts> = {}): string => craftSignature(MESSAGE, { id: ID, ...parts }, key.privateKey);
const read = (xml: string, signer = key): SignedElement =>
  readSigned(readXml(Buffer.from(xml)), [signer.certificate.publicKey]);
const refused = (xml: string): string => reasonOf(() => read(xml));

describe('What was signed is read, and nothing else', () => {
  it.each(['ec', 'rsa'] as const)('what we sign with a key of kind %s', async (kind) => {
    const signer = await keyOf('signer', kind);
    const signed = read(signXml(MESSAGE, { id: ID, hasIssuer: true }, signer), signer);
    expect(signed.required(NS.assertion, 'NameID').text).toBe('anna');
    expect(signed.optional(NS.signature, 'Signature')).toBeUndefined();
  });

  it('what the parts of this test make', () => {
    expect(read(craft()).required(NS.assertion, 'NameID').text).toBe('anna');
  });

  it('the element read is that of the octets, with comments gone', () => {
    const signed = read(craft().replace('anna<', 'an<!-- x -->na<'));
    expect(signed.source).not.toContain('<!--');
    expect(signed.source).toContain('>anna<');
  });

  it('the signature stands behind the issuer, or in front of all', () => {
    expect(signXml(MESSAGE, { id: ID, hasIssuer: true }, key)).toMatch(/<\/saml:Issuer><ds:Signature /);
    expect(signXml(MESSAGE, { id: ID, hasIssuer: false }, key)).toMatch(/ID="_message"[^>]*><ds:Signature /);
  });

  it('any of several keys may have signed', async () => {
    const other = await keyOf('other signer');
    const keys = [rsa, other, key].map(({ certificate }) => certificate.publicKey);
    expect(readSigned(readXml(Buffer.from(craft())), keys).name).toBe('LogoutRequest');
  });

  it('without a key nothing is proved', () => {
    expect(reasonOf(() => readSigned(readXml(Buffer.from(craft())), []))).toBe('signature_keyless');
  });

  it('without a signature nothing is proved', () => {
    expect(refused(MESSAGE)).toBe('signature_missing');
  });
});

const REFERENCE =
  `<ds:Reference URI="#${ID}"><ds:Transforms>${TRANSFORMS}</ds:Transforms>` +
  '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>AAAA</ds:DigestValue></ds:Reference>';
const transform = (algorithm: string, content = ''): string =>
  `<ds:Transform Algorithm="${algorithm}">${content}</ds:Transform>`;

describe('SML-004: a signature of any other form than that of SAML is refused, also by the right key', () => {
  it.each<[string, Partial<Parts>, string]>([
    ['two references', { references: ['', REFERENCE] }, 'signature_form'],
    ['two references, the other way round', { references: [REFERENCE, ''] }, 'signature_form'],
    ['no reference to an element', { uri: '' }, 'signature_reference'],
    ['a reference to another element', { uri: '#_other' }, 'signature_reference'],
    ['a reference by XPointer', { uri: `#xpointer(id('${ID}'))` }, 'signature_reference'],
    ['a reference to everything by XPointer', { uri: '#xpointer(/)' }, 'signature_reference'],
    ['a reference with a blank', { uri: `#${ID} ` }, 'signature_reference'],
    ['a reference outside', { uri: 'https://evil.test/' }, 'signature_reference'],
    ['a reference without its sign', { uri: ID }, 'signature_reference'],
    [
      'an XPath transform',
      { transforms: TRANSFORMS + transform('http://www.w3.org/TR/1999/REC-xpath-19991116', '<ds:XPath>1</ds:XPath>') },
      'signature_transform',
    ],
    [
      'an XPath transform in place of the other one',
      { transforms: transform('http://www.w3.org/TR/1999/REC-xpath-19991116') + TRANSFORM.exclusive },
      'signature_transform',
    ],
    [
      'an XSLT transform',
      { transforms: transform('http://www.w3.org/TR/1999/REC-xslt-19991116') },
      'signature_transform',
    ],
    [
      'a base64 transform',
      { transforms: transform('http://www.w3.org/2000/09/xmldsig#base64') },
      'signature_transform',
    ],
    [
      'a transform that keeps comments',
      { transforms: TRANSFORM.enveloped + transform(`${NS.exclusive}WithComments`) },
      'signature_transform',
    ],
    [
      'inclusive canonicalization',
      { transforms: TRANSFORM.enveloped + transform('http://www.w3.org/TR/2001/REC-xml-c14n-20010315') },
      'signature_transform',
    ],
    ['no transform', { transforms: '' }, 'signature_transform'],
    ['one transform', { transforms: TRANSFORM.exclusive }, 'signature_transform'],
    ['transforms in another order', { transforms: TRANSFORM.exclusive + TRANSFORM.enveloped }, 'signature_transform'],
    ['a transform twice', { transforms: TRANSFORMS + TRANSFORM.exclusive }, 'signature_transform'],
    [
      'canonicalization with comments',
      { canonicalization: `<ds:CanonicalizationMethod Algorithm="${NS.exclusive}WithComments"/>` },
      'signature_transform',
    ],
    [
      'inclusive canonicalization of the signature',
      {
        canonicalization: '<ds:CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>',
      },
      'signature_transform',
    ],
    [
      'a digest twice',
      { digestMethod: '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>'.repeat(2) },
      'signature_form',
    ],
    ['two values of a digest', { digestValue: 'AAAA</ds:DigestValue><ds:DigestValue>AAAA' }, 'signature_form'],
    ['an empty digest', { digestValue: '' }, 'signature_form'],
    ['a comment in a digest (CVE-2025-29775)', { digestValue: 'AA<!-- -->AA' }, 'signature_form'],
    ['an Object', { keyInfo: '<ds:Object/>' }, 'signature_form'],
    ['an Object behind the key', { keyInfo: '<ds:KeyInfo/><ds:Object/>' }, 'signature_form'],
    ['two KeyInfo', { keyInfo: '<ds:KeyInfo/><ds:KeyInfo/>' }, 'signature_form'],
    ['a Manifest', { keyInfo: '<ds:Manifest/>' }, 'signature_form'],
    [
      'a second SignedInfo (CVE-2025-29774)',
      { keyInfo: '<ds:KeyInfo><ds:SignedInfo/></ds:KeyInfo>' },
      'signature_form',
    ],
    [
      'another method in the key',
      { keyInfo: '<ds:KeyInfo><ds:SignatureMethod Algorithm="x"/></ds:KeyInfo>' },
      'signature_form',
    ],
  ])('%s', (_, parts, reason) => {
    expect(refused(craft(parts))).toBe(reason);
  });

  const inSignature = (pattern: RegExp | string, replacement: string): string => craft().replace(pattern, replacement);

  it.each<[string, () => string, string]>([
    [
      'two SignedInfo side by side',
      () => inSignature(/(<ds:SignedInfo.*<\/ds:SignedInfo>)/s, '$1$1'),
      'signature_form',
    ],
    [
      'a SignedInfo in the value',
      () => inSignature('<ds:SignatureValue>', '<ds:SignatureValue><ds:SignedInfo/>'),
      'signature_form',
    ],
    ['two signatures', () => inSignature(/(<ds:Signature .*<\/ds:Signature>)/s, '$1$1'), 'signature_misplaced'],
    [
      'a signature in Extensions',
      () => inSignature(/(<ds:Signature .*<\/ds:Signature>)/s, `$1<samlp:Extensions>$1</samlp:Extensions>`),
      'signature_misplaced',
    ],
    [
      'a signature in the subject alone',
      () => inSignature(/(<ds:Signature .*<\/ds:Signature>)/s, '<saml:Subject>$1</saml:Subject>'),
      'signature_missing',
    ],
    ['the ID twice', () => inSignature('<saml:NameID>', `<samlp:Extensions ID="${ID}"/><saml:NameID>`), 'id_repeated'],
    [
      'the ID twice, in other letters',
      () => inSignature('<saml:NameID>', `<samlp:Extensions Id="${ID}"/><saml:NameID>`),
      'id_repeated',
    ],
    [
      'the ID as xml:id',
      () => inSignature('<saml:NameID>', `<samlp:Extensions xml:id="${ID}"/><saml:NameID>`),
      'id_repeated',
    ],
    [
      'the ID in a namespace',
      () => inSignature('<saml:NameID>', `<samlp:Extensions saml:ID="${ID}"/><saml:NameID>`),
      'id_repeated',
    ],
    ['no ID', () => inSignature(` ID="${ID}"`, ''), 'signature_reference'],
    ['the ID as Id', () => inSignature(` ID="${ID}"`, ` Id="${ID}"`), 'signature_reference'],
    [
      'a comment in the value of the signature',
      () => inSignature('<ds:SignatureValue>', '<ds:SignatureValue><!-- -->'),
      'signature_form',
    ],
    [
      'an empty value',
      () => inSignature(/<ds:SignatureValue>.*<\/ds:SignatureValue>/, '<ds:SignatureValue/>'),
      'signature_form',
    ],
    [
      'a signature in another namespace',
      () => inSignature(`xmlns:ds="${NS.signature}"`, 'xmlns:ds="http://www.w3.org/2000/09/xmldsig"'),
      'signature_missing',
    ],
    ['a changed text', () => inSignature('>anna<', '>admin<'), 'signature_invalid'],
    ['a changed attribute', () => inSignature(` ID="${ID}"`, ` ID="${ID}" Reason="x"`), 'signature_invalid'],
    ['a changed digest', () => inSignature(/<ds:DigestValue>..../, '<ds:DigestValue>AAAA'), 'signature_invalid'],
    ['a changed value', () => inSignature(/<ds:SignatureValue>..../, '<ds:SignatureValue>AAAA'), 'signature_invalid'],
  ])('%s', (_, xml, reason) => {
    expect(refused(xml())).toBe(reason);
  });
});

describe('SML-005: the key and the algorithm are ours to choose', () => {
  const method = (algorithm: string, content = ''): string =>
    `<ds:SignatureMethod Algorithm="${algorithm}">${content}</ds:SignatureMethod>`;

  it.each([
    ['HMAC', 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'],
    ['HMAC with SHA-256', 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256'],
    ['SHA-1', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'],
    ['SHA-1 with ECDSA', 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha1'],
    ['MD5', 'http://www.w3.org/2001/04/xmldsig-more#rsa-md5'],
    ['DSA', 'http://www.w3.org/2000/09/xmldsig#dsa-sha1'],
    ['none', 'none'],
    ['nothing', ''],
    ['a member of objects', 'constructor'],
  ])('the algorithm %s is refused', (_, algorithm) => {
    expect(refused(craft({ method: method(algorithm) }))).toBe('signature_algorithm');
  });

  it('a signature by HMAC with our public key is refused', () => {
    const xml = craft({ method: method('http://www.w3.org/2000/09/xmldsig#hmac-sha1') });
    const value = createHmac('sha1', toPem(key.certificate)).update('').digest('base64');
    expect(refused(xml.replace(/(<ds:SignatureValue>)[^<]*/, `$1${value}`))).toBe('signature_algorithm');
  });

  it('a signature by HMAC is refused also where the length of its value is cut', () => {
    const content = '<ds:HMACOutputLength>0</ds:HMACOutputLength>';
    expect(refused(craft({ method: method('http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256', content) }))).toBe(
      'signature_form',
    );
  });

  it.each([
    ['SHA-1', 'http://www.w3.org/2000/09/xmldsig#sha1'],
    ['MD5', 'http://www.w3.org/2001/04/xmldsig-more#md5'],
    ['nothing', ''],
  ])('the digest %s is refused', (_, algorithm) => {
    expect(refused(craft({ digestMethod: `<ds:DigestMethod Algorithm="${algorithm}"/>` }))).toBe('signature_algorithm');
  });

  it('the algorithm of another kind of key is refused', () => {
    const rsaMethod = method('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256');
    expect(refused(craft({ method: rsaMethod }))).toBe('signature_invalid');
  });

  it('the key in the document is not looked at', async () => {
    const mallory = await keyOf('mallory');
    const xml = signXml(MESSAGE, { id: ID, hasIssuer: true }, mallory);
    expect(xml).toContain(mallory.certificate.base64);
    expect(refused(xml)).toBe('signature_invalid');
    const keyInfo = '<ds:KeyInfo><ds:KeyName>signer</ds:KeyName><ds:KeyValue/></ds:KeyInfo>';
    expect(refused(craft({ keyInfo }))).toBe('accepted');
  });
});

describe('Exclusive XML Canonicalization §3.3: a list of prefixes', () => {
  const transforms = (list: string): string =>
    TRANSFORM.enveloped +
    transform(NS.exclusive, `<ec:InclusiveNamespaces xmlns:ec="${NS.exclusive}" PrefixList="${list}"/>`);

  it('that is short is understood', () => {
    expect(refused(craft({ transforms: transforms('xs') }))).toBe('accepted');
  });

  it.each([
    ['long', 'a '.repeat(17).trim()],
    ['of something else', "xs' or '1"],
  ])('that is %s is refused', (_, list) => {
    expect(refused(craft({ transforms: transforms(list) }))).toBe('signature_transform');
  });
});
