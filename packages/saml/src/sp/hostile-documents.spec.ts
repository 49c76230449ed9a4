import { beforeAll, describe, expect, it } from '@jest/globals';
import { cpuMilliseconds } from '../cpu-time.fixture.js';
import { reasonOf } from '../refusal.fixture.js';
import { keyOf } from '../signature/keys.fixture.js';
import { signXml } from '../signature/sign-xml.js';
import { craftSignature, TRANSFORM } from '../signature/signature.fixture.js';
import type { SigningKey } from '../signature/signing-key.js';
import { NS } from '../xml/namespaces.js';
import {
  ASSERTION_ID,
  assertion,
  PARTS,
  readPosted,
  response,
  signAssertion,
  signResponse,
} from './provider.fixture.js';
import { signatureIn } from './wrapping.fixture.js';

let key: SigningKey;
let other: SigningKey;
beforeAll(async () => {
  key = await keyOf('provider');
  other = await keyOf('mallory');
});

/** Whom the document signs in, or why nobody. */
function outcome(xml: string): string {
  let name = '';
  const reason = reasonOf(() => {
    name = readPosted(xml, key).nameId?.value ?? 'nobody by name';
  });
  return reason === 'accepted' ? name : reason;
}

const signed = (): string => signAssertion(response(assertion()), key);
const whole = (): string => signResponse(response(assertion()), key);
const forged = (id: string): string =>
  assertion({
    nameId: PARTS.nameId.replace('anna', 'admin'),
    attributesOfAssertion: PARTS.attributesOfAssertion.replace(`ID="${ASSERTION_ID}"`, id),
  });
const originalIn = (xml: string): string => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)![0];
/** The forged assertion in place of the original one, which goes where `hide` puts it. */
const replaced = (id: string, hide: (original: string) => string): string => {
  const xml = signed();
  const original = originalIn(xml);
  return xml.replace(original, forged(id) + hide(original));
};
const moved = (place: string): string => {
  const xml = signed();
  const signature = signatureIn(xml);
  return xml.replace(signature, '').replace(place, place + signature);
};
const transforms = (list: string): string =>
  `${TRANSFORM.enveloped}<ds:Transform Algorithm="${NS.exclusive}"><ec:InclusiveNamespaces xmlns:ec="${NS.exclusive}" ` +
  `PrefixList="${list}"/></ds:Transform>`;
const EXCLUSIVE = `<ds:CanonicalizationMethod Algorithm="${NS.exclusive}"`;

describe('Somebody who holds a signed response of their own signs in nobody else', () => {
  it.each<[string, () => string, string]>([
    // Names and namespaces
    [
      'the prefix of the assertion means another namespace',
      () => signed().replace(`xmlns:saml="${NS.assertion}"`, 'xmlns:saml="urn:x"'),
      'assertion_missing',
    ],
    [
      'the prefix is declared again on the assertion',
      () => signed().replace('<saml:Assertion ', '<saml:Assertion xmlns:saml="urn:x" '),
      'assertion_missing',
    ],
    [
      'the prefix is declared again on the name',
      () => signed().replace('<saml:NameID ', '<saml:NameID xmlns:saml="urn:x" '),
      'signature_invalid',
    ],
    [
      'another namespace that only begins the same',
      () => signed().replace(`xmlns:saml="${NS.assertion}"`, `xmlns:saml="${NS.assertion}:"`),
      'assertion_missing',
    ],
    [
      'a second assertion in another namespace',
      () =>
        replaced('ID="_x"', (original) =>
          original
            .replace('<saml:Assertion', '<x:Assertion xmlns:x="urn:x"')
            .replace('</saml:Assertion', '</x:Assertion'),
        ),
      'assertion_repeated',
    ],
    [
      'an unused declaration is added',
      () => signed().replace('<saml:Assertion ', '<saml:Assertion xmlns:x="urn:x" '),
      'anna',
    ],
    [
      'the response is of another namespace',
      () => whole().replace(`xmlns:samlp="${NS.protocol}"`, 'xmlns:samlp="urn:x"'),
      'element_unexpected',
    ],
    [
      'the response has a name in another case',
      () => signed().replaceAll('samlp:Response', 'samlp:response'),
      'element_unexpected',
    ],
    // IDs
    [
      'the forged one has the ID as xml:id',
      () => replaced(`xml:id="${ASSERTION_ID}"`, (original) => `<x:a xmlns:x="urn:x">${original}</x:a>`),
      'assertion_repeated',
    ],
    [
      'an element has the ID as xml:id',
      () => signed().replace('<samlp:Status>', `<samlp:Status xml:id="${ASSERTION_ID}">`),
      'id_repeated',
    ],
    [
      'an element has the ID as Id',
      () => signed().replace('<samlp:Status>', `<samlp:Status Id="${ASSERTION_ID}">`),
      'id_repeated',
    ],
    [
      'an element has the ID as iD',
      () => signed().replace('<samlp:Status>', `<samlp:Status iD="${ASSERTION_ID}">`),
      'id_repeated',
    ],
    [
      'an element has the ID in a namespace',
      () => signed().replace('<samlp:Status>', `<samlp:Status saml:ID="${ASSERTION_ID}">`),
      'id_repeated',
    ],
    [
      'an element has the ID by references',
      () => signed().replace('<samlp:Status>', '<samlp:Status ID="&#95;&#x61;ssertion">'),
      'id_repeated',
    ],
    [
      'the assertion has a second ID in another case',
      () => signed().replace(` ID="${ASSERTION_ID}"`, ` ID="${ASSERTION_ID}" Id="_x"`),
      'signature_invalid',
    ],
    [
      'the assertion has its ID twice',
      () => signed().replace(` ID="${ASSERTION_ID}"`, ` ID="${ASSERTION_ID}" ID="${ASSERTION_ID}"`),
      'xml_malformed',
    ],
    [
      'the assertion has its ID as Id alone',
      () => signed().replace(` ID="${ASSERTION_ID}"`, ` Id="${ASSERTION_ID}"`),
      'signature_reference',
    ],
    [
      'the ID in references is the same',
      () => signed().replace(` ID="${ASSERTION_ID}"`, ' ID="&#95;assertion"'),
      'anna',
    ],
    [
      'an attribute by the name of a member of objects',
      () => signed().replace('<samlp:Status>', '<samlp:Status __proto__="a" constructor="b" hasOwnProperty="c">'),
      'anna',
    ],
    [
      'an attribute by the name of length',
      () => signed().replace('<samlp:Status>', '<samlp:Status length="0" item="1">'),
      'anna',
    ],
    // The reference
    [
      'the reference in references is the same',
      () => signed().replace(`URI="#${ASSERTION_ID}"`, 'URI="&#35;&#95;assertion"'),
      'anna',
    ],
    [
      'the reference with a blank before',
      () => signed().replace(`URI="#${ASSERTION_ID}"`, `URI=" #${ASSERTION_ID}"`),
      'signature_reference',
    ],
    [
      'the reference with a line behind',
      () => signed().replace(`URI="#${ASSERTION_ID}"`, `URI="#${ASSERTION_ID}&#10;"`),
      'signature_reference',
    ],
    [
      'the reference in percent signs',
      () => signed().replace(`URI="#${ASSERTION_ID}"`, 'URI="#%5Fassertion"'),
      'signature_reference',
    ],
    ['no reference', () => signed().replace(` URI="#${ASSERTION_ID}"`, ''), 'signature_reference'],
    [
      'the reference to the response',
      () => signed().replace(`URI="#${ASSERTION_ID}"`, 'URI="#_response"'),
      'signature_reference',
    ],
    [
      'another attribute of that name',
      () => signed().replace(`URI="#${ASSERTION_ID}"`, `saml:URI="#${ASSERTION_ID}"`),
      'signature_reference',
    ],
    // The place of the signature
    ['in the subject', () => moved('<saml:Subject>'), 'signature_misplaced'],
    ['in the conditions', () => moved('</saml:AudienceRestriction>'), 'signature_misplaced'],
    ['in a value of an attribute', () => moved('<saml:AttributeValue>'), 'signature_misplaced'],
    ['in the status', () => moved('<samlp:Status>'), 'signature_misplaced'],
    ['in the response', () => moved(`</saml:Issuer>`), 'signature_reference'],
    ['behind the assertion', () => moved('</saml:Assertion>'), 'signature_reference'],
    ['at the end of the assertion', () => moved('</saml:AttributeStatement>'), 'anna'],
    [
      'in the key of another signature',
      () => signed().replace('<ds:X509Data>', `${signatureIn(signed())}<ds:X509Data>`),
      'signature_misplaced',
    ],
    // Its parts
    [
      'a list of prefixes that was not signed',
      () =>
        signed().replace(
          `${EXCLUSIVE}/>`,
          `${EXCLUSIVE}><ec:InclusiveNamespaces xmlns:ec="${NS.exclusive}" PrefixList="samlp"/></ds:CanonicalizationMethod>`,
        ),
      'signature_invalid',
    ],
    [
      'a list of prefixes in another namespace',
      () =>
        signed().replace(
          `${EXCLUSIVE}/>`,
          `${EXCLUSIVE}><InclusiveNamespaces xmlns="urn:x" PrefixList="samlp"/></ds:CanonicalizationMethod>`,
        ),
      'signature_transform',
    ],
    [
      'two lists of prefixes',
      () =>
        signed().replace(
          `${EXCLUSIVE}/>`,
          `${EXCLUSIVE}>${`<ec:InclusiveNamespaces xmlns:ec="${NS.exclusive}"/>`.repeat(2)}</ds:CanonicalizationMethod>`,
        ),
      'signature_transform',
    ],
    ['no transforms', () => signed().replace(/<ds:Transforms>.*<\/ds:Transforms>/s, ''), 'signature_form'],
    [
      'empty transforms',
      () => signed().replace(/<ds:Transforms>.*<\/ds:Transforms>/s, '<ds:Transforms/>'),
      'signature_transform',
    ],
    ['two keys', () => signed().replace(/(<ds:KeyInfo>.*<\/ds:KeyInfo>)/s, '$1$1'), 'signature_form'],
    [
      'the key in front',
      () => signed().replace(/(<ds:SignedInfo>.*)(<ds:KeyInfo>.*<\/ds:KeyInfo>)/s, '$2$1'),
      'signature_form',
    ],
    ['no key', () => signed().replace(/<ds:KeyInfo>.*<\/ds:KeyInfo>/s, ''), 'anna'],
    ['another key', () => signed().replace(key.certificate.base64, other.certificate.base64), 'anna'],
    [
      'the value in lines',
      () => signed().replace(/<ds:SignatureValue>(.{20})/, '<ds:SignatureValue>\n $1\r\n\t'),
      'anna',
    ],
    [
      'the value in a section',
      () => signed().replace(/<ds:SignatureValue>([^<]*)/, '<ds:SignatureValue><![CDATA[$1]]>'),
      'signature_invalid',
    ],
    [
      'a value of zeros',
      () => signed().replace(/<ds:SignatureValue>[^<]*/, `<ds:SignatureValue>${Buffer.alloc(64).toString('base64')}`),
      'signature_invalid',
    ],
    [
      'a value of no length',
      () => signed().replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>='),
      'signature_form',
    ],
    [
      'a value that is long',
      () => signed().replace(/<ds:SignatureValue>[^<]*/, `<ds:SignatureValue>${'A'.repeat(100_000)}`),
      'signature_invalid',
    ],
    [
      'a value with blanks without end',
      () => signed().replace(/<ds:SignatureValue>[^<]*/, `<ds:SignatureValue>A${' '.repeat(150_000)}!`),
      'signature_form',
    ],
    ['the digest in lines', () => signed().replace('<ds:DigestValue>', '<ds:DigestValue>\n'), 'signature_invalid'],
    ['the method with a blank', () => signed().replace('#ecdsa-sha256"', '#ecdsa-sha256 "'), 'signature_algorithm'],
    ['the method in another case', () => signed().replace('#ecdsa-sha256"', '#ECDSA-SHA256"'), 'signature_algorithm'],
    [
      'an attribute in its own namespace',
      () => signed().replace('<ds:SignatureMethod ', '<ds:SignatureMethod ds:Algorithm="x" '),
      'signature_invalid',
    ],
    // Other messages
    [
      'the assertion by itself',
      () => originalIn(signed()).replace('<saml:Assertion', `<saml:Assertion xmlns:saml="${NS.assertion}"`),
      'element_unexpected',
    ],
    [
      'a response in a response',
      () => response(whole(), { attributes: 'ID="_outer" Version="2.0" IssueInstant="2026-11-30T12:00:00Z"' }),
      'assertion_missing',
    ],
    [
      'the assertion in the extensions',
      () => {
        const xml = signed();
        return xml
          .replace(originalIn(xml), '')
          .replace('<samlp:Status>', `<samlp:Extensions>${originalIn(xml)}</samlp:Extensions><samlp:Status>`);
      },
      'assertion_missing',
    ],
    ['two statuses', () => signed().replace(/(<samlp:Status>.*<\/samlp:Status>)/s, '$1$1'), 'element_repeated'],
    [
      'a status of success in another one',
      () => signed().replace(/(<samlp:StatusCode [^>]*)\/>/, '<samlp:StatusCode Value="x">$1/></samlp:StatusCode>'),
      'status_failed',
    ],
    ['a processing instruction in the name', () => signed().replace('anna<', 'anna<?x ?><'), 'xml_malformed'],
    ['a comment beside the root', () => `${signed()}<!-- -->`, 'anna'],
    ['comments everywhere', () => signed().replace(/(<saml:[A-Z])/g, '<!-- x -->$1'), 'anna'],
    ['blanks at the end', () => `${signed()}\n\n`, 'anna'],
    [
      'deep nesting in the extensions',
      () =>
        whole().replace(
          '<samlp:Status>',
          `<samlp:Extensions>${'<x>'.repeat(40)}${'</x>'.repeat(40)}</samlp:Extensions><samlp:Status>`,
        ),
      'xml_too_complex',
    ],
  ])('%s', (_, xml, expected) => {
    const document = xml();
    expect(cpuMilliseconds(() => expect(outcome(document)).toBe(expected))).toBeLessThan(1000);
  });

  it('the signature of one assertion does not sign another one of the same provider', () => {
    const mine = signed();
    const theirs = signAssertion(response(forged(`ID="${ASSERTION_ID}"`)), key);
    expect(outcome(theirs)).toBe('admin');
    expect(outcome(mine.replace(signatureIn(mine), signatureIn(theirs)))).toBe('signature_invalid');
    expect(outcome(theirs.replace(signatureIn(theirs), signatureIn(mine)))).toBe('signature_invalid');
  });

  it('what the provider has signed as another kind of message is no assertion', () => {
    const request = `<samlp:LogoutRequest xmlns:samlp="${NS.protocol}" xmlns:saml="${NS.assertion}" ID="${ASSERTION_ID}">${PARTS.issuer}<saml:NameID>admin</saml:NameID></samlp:LogoutRequest>`;
    const message = signXml(request, { id: ASSERTION_ID, hasIssuer: true }, key);
    const forgery = forged(`ID="${ASSERTION_ID}"`).replace('</saml:Issuer>', `</saml:Issuer>${signatureIn(message)}`);
    expect(outcome(response(forgery))).toBe('signature_invalid');
    expect(outcome(response(message))).toBe('assertion_missing');
    expect(outcome(message)).toBe('element_unexpected');
  });

  it('a prefix that the provider has listed means what it meant', () => {
    const xml = response(assertion().replace('<saml:Assertion ', '<saml:Assertion xmlns:xs="urn:xs" '));
    const parts = { id: ASSERTION_ID, transforms: transforms('xs'), listed: ['xs'] };
    const listed = craftSignature(xml, parts, key.privateKey);
    expect(outcome(listed)).toBe('anna');
    expect(outcome(listed.replace('xmlns:xs="urn:xs"', 'xmlns:xs="urn:other"'))).toBe('signature_invalid');
    expect(outcome(listed.replace('xmlns:xs="urn:xs"', 'saml:xs="urn:xs"'))).toBe('signature_invalid');
    expect(outcome(listed.replace('xmlns:xs="urn:xs" ', ''))).toBe('signature_invalid');
  });
});
