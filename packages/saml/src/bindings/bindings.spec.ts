import { sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { cpuMilliseconds } from '../cpu-time.fixture.js';
import { reasonOf } from '../refusal.fixture.js';
import { keyOf } from '../signature/keys.fixture.js';
import { signQuery } from '../signature/query-signature.js';
import { signXml } from '../signature/sign-xml.js';
import type { SigningKey } from '../signature/signing-key.js';
import { NS } from '../xml/namespaces.js';
import { MAX_XML_BYTES } from '../xml/octets.js';
import { type OutgoingMessage, type ReceivedMessage, signedMessage } from './message.js';
import { decodePost, toPostForm } from './post.js';
import { decodeRedirect, toRedirectUrl } from './redirect.js';

const XML = `<samlp:AuthnRequest xmlns:samlp="${NS.protocol}" xmlns:saml="${NS.assertion}" ID="_a"><saml:Issuer>https://sp.test</saml:Issuer></samlp:AuthnRequest>`;
const MESSAGE: OutgoingMessage = { parameter: 'SAMLRequest', id: '_a', destination: 'https://idp.test/SSO', xml: XML };

let key: SigningKey;
let rsa: SigningKey;
beforeAll(async () => {
  key = await keyOf('sender');
  rsa = await keyOf('sender', 'rsa');
});

const queryOf = (url: string): string => url.slice(url.indexOf('?') + 1);
const deflated = (xml: string): string => encodeURIComponent(deflateRawSync(Buffer.from(xml)).toString('base64'));
const base64 = (xml: string): string => Buffer.from(xml).toString('base64');
const isSigned = (message: ReceivedMessage, signer = key): boolean =>
  signedMessage(message, [signer.certificate.publicKey]) !== undefined;

describe('The redirect binding (SAML Bindings §3.4)', () => {
  it('carries a message, and the state along', () => {
    const url = toRedirectUrl(MESSAGE, { relayState: { ours: "a b&c=+ü(*)'" } });
    expect(url).toMatch(/^https:\/\/idp\.test\/SSO\?SAMLRequest=[^&]+&RelayState=a\+b%26c%3D%2B%C3%BC%28%2A%29%27$/);
    const message = decodeRedirect(queryOf(url));
    expect(message).toMatchObject({ parameter: 'SAMLRequest', binding: 'redirect', relayState: "a b&c=+ü(*)'" });
    expect(message.root.attribute('ID')).toBe('_a');
    expect(isSigned(message)).toBe(false);
  });

  it.each(['ec', 'rsa'] as const)('carries a signature with a key of kind %s', async (kind) => {
    const signer = await keyOf('sender', kind);
    const message = decodeRedirect(queryOf(toRedirectUrl(MESSAGE, { relayState: { ours: 'x' }, key: signer })));
    expect(isSigned(message, signer)).toBe(true);
  });

  it('understands a signature with ECDSA in DER, as some libraries write it', () => {
    const algorithm = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256';
    const octets = `SAMLRequest=${deflated(XML)}&SigAlg=${encodeURIComponent(algorithm)}`;
    const value = sign('sha256', Buffer.from(octets), { key: key.privateKey, dsaEncoding: 'der' }).toString('base64');
    expect(isSigned(decodeRedirect(`${octets}&Signature=${encodeURIComponent(value)}`))).toBe(true);
  });

  it('goes to an address that has a query already', () => {
    expect(toRedirectUrl({ ...MESSAGE, destination: 'https://idp.test/SSO?a=b' })).toMatch(/SSO\?a=b&SAMLRequest=/);
  });

  it('understands other parameters, lower case in percent signs, and the name of its encoding', () => {
    const encoding = 'SAMLEncoding=urn%3Aoasis%3Anames%3Atc%3ASAML%3A2.0%3Abindings%3AURL-Encoding%3ADEFLATE';
    const query = signQuery(`SAMLRequest=${deflated(XML).replaceAll('%2B', '%2b').replaceAll('%3D', '%3d')}`, key);
    const message = decodeRedirect(`client-request-id=1&${query}&${encoding}&flag`);
    expect(isSigned(message)).toBe(true);
  });

  it('takes the octets as they came: the same parameters in another encoding are others', () => {
    const query = signQuery(`SAMLRequest=${deflated(XML)}&RelayState=a`, key);
    expect(reasonOf(() => isSigned(decodeRedirect(query.replace('RelayState=a', 'RelayState=%61'))))).toBe(
      'signature_invalid',
    );
  });

  it.each<[string, () => string, string]>([
    ['no message', () => 'RelayState=a', 'parameter_missing'],
    ['both messages', () => `SAMLRequest=${deflated(XML)}&SAMLResponse=${deflated(XML)}`, 'parameter_repeated'],
    [
      'an encoding that we do not know',
      () => `SAMLRequest=${deflated(XML)}&SAMLEncoding=urn:x`,
      'encoding_unsupported',
    ],
    ['what is not base64', () => 'SAMLRequest=%3Ca%2F%3E', 'encoding_malformed'],
    ['base64 for addresses', () => 'SAMLRequest=_-_-', 'encoding_malformed'],
    ['base64 without its end', () => 'SAMLRequest=abc', 'encoding_malformed'],
    ['what is not deflated', () => `SAMLRequest=${encodeURIComponent(base64(XML))}`, 'encoding_malformed'],
    [
      'what is deflated in part',
      () => `SAMLRequest=${encodeURIComponent(deflateRawSync(Buffer.from(XML)).subarray(0, -20).toString('base64'))}`,
      'encoding_malformed',
    ],
    ['percent signs without digits', () => 'SAMLRequest=%zz', 'encoding_malformed'],
    ['a signature without its algorithm', () => `SAMLRequest=${deflated(XML)}&Signature=AAAA`, 'parameter_missing'],
    ['an algorithm without its signature', () => `SAMLRequest=${deflated(XML)}&SigAlg=x`, 'parameter_missing'],
    ['an empty signature', () => `SAMLRequest=${deflated(XML)}&SigAlg=x&Signature=`, 'parameter_missing'],
  ])('refuses %s', (_, query, reason) => {
    expect(reasonOf(() => decodeRedirect(query()))).toBe(reason);
  });
});

describe('SML-003: a bomb of 1:1000 is refused within 50 ms', () => {
  const bomb = `SAMLRequest=${deflated(`<a>${' '.repeat(50_000_000)}</a>`)}`;
  const large = base64('a'.repeat(MAX_XML_BYTES + 3));
  const blanks = ' '.repeat(5_000_000);

  it.each<[string, () => unknown]>([
    ['deflated', () => decodeRedirect(bomb)],
    ['in base64', () => decodePost({ SAMLRequest: large })],
    ['in blanks', () => decodePost({ SAMLRequest: blanks })],
  ])('%s', (_, decode) => {
    expect(cpuMilliseconds(() => expect(reasonOf(decode)).toBe('xml_too_large'))).toBeLessThan(50);
  });
});

describe('SML-013: what a signature in a query does not cover is refused', () => {
  const signed = (): string => signQuery(`SAMLRequest=${deflated(XML)}&RelayState=a`, key);

  it('as it was signed, it is accepted', () => {
    expect(isSigned(decodeRedirect(signed()))).toBe(true);
  });

  it.each<[string, (query: string) => string, string]>([
    ['the message twice', (query) => `${query}&SAMLRequest=${deflated(XML)}`, 'parameter_repeated'],
    ['the message twice, before', (query) => `SAMLRequest=${deflated(XML)}&${query}`, 'parameter_repeated'],
    [
      'the message again under an encoded name',
      (query) => `${query}&SAMLReques%74=${deflated(XML)}`,
      'parameter_repeated',
    ],
    [
      'the message under an encoded name alone',
      (query) => query.replace('SAMLRequest', 'SAMLReques%74'),
      'encoding_malformed',
    ],
    ['the state twice', (query) => `${query}&RelayState=b`, 'parameter_repeated'],
    ['two algorithms', (query) => `${query}&SigAlg=x`, 'parameter_repeated'],
    ['two signatures', (query) => `${query}&Signature=AAAA`, 'parameter_repeated'],
    [
      'parameters in another order',
      (query) => query.replace(/^(SAMLRequest=[^&]*)&(RelayState=a)/, '$2&$1'),
      'parameter_misplaced',
    ],
    [
      'parameters that were signed in another order',
      () => signQuery(`RelayState=a&SAMLRequest=${deflated(XML)}`, key),
      'parameter_misplaced',
    ],
    ['another state', (query) => query.replace('RelayState=a', 'RelayState=b'), 'signature_invalid'],
    ['no state', (query) => query.replace('&RelayState=a', ''), 'signature_invalid'],
    [
      'a state that was not signed',
      () => `${signQuery(`SAMLRequest=${deflated(XML)}`, key).replace('&SigAlg', '&RelayState=b&SigAlg')}`,
      'signature_invalid',
    ],
    [
      'another message',
      (query) => query.replace(/SAMLRequest=[^&]*/, `SAMLRequest=${deflated(XML.replace('_a', '_b'))}`),
      'signature_invalid',
    ],
    ['a response in place of a request', (query) => query.replace('SAMLRequest', 'SAMLResponse'), 'signature_invalid'],
    ['another algorithm', (query) => query.replace('ecdsa-sha256', 'ecdsa-sha512'), 'signature_invalid'],
    [
      'the algorithm of another kind of key',
      (query) => query.replace('ecdsa-sha256', 'rsa-sha256'),
      'signature_invalid',
    ],
    [
      'SHA-1',
      (query) => query.replace(/SigAlg=[^&]*/, 'SigAlg=http%3A%2F%2Fwww.w3.org%2F2000%2F09%2Fxmldsig%23rsa-sha1'),
      'signature_algorithm',
    ],
    [
      'HMAC',
      (query) => query.replace(/SigAlg=[^&]*/, 'SigAlg=http%3A%2F%2Fwww.w3.org%2F2000%2F09%2Fxmldsig%23hmac-sha1'),
      'signature_algorithm',
    ],
  ])('%s', (_, change, reason) => {
    expect(reasonOf(() => isSigned(decodeRedirect(change(signed()))))).toBe(reason);
  });

  it('a signature within the message counts for nothing, and is refused', () => {
    const within = signXml(XML, { id: '_a', hasIssuer: true }, key);
    expect(reasonOf(() => isSigned(decodeRedirect(`SAMLRequest=${deflated(within)}`)))).toBe('signature_misplaced');
  });

  it('the key of another sender is refused', () => {
    expect(reasonOf(() => isSigned(decodeRedirect(signed()), rsa))).toBe('signature_invalid');
  });

  it('a request that was signed, with another one around it', () => {
    const inner = signXml(XML, { id: '_a', hasIssuer: true }, key);
    const outer = XML.replace('ID="_a"', 'ID="_b"').replace('</samlp:AuthnRequest>', `${inner}</samlp:AuthnRequest>`);
    expect(reasonOf(() => isSigned(decodePost({ SAMLRequest: base64(outer) })))).toBe('signature_misplaced');
  });
});

describe('The POST binding (SAML Bindings §3.5)', () => {
  it('carries a message, signed within, and the state along', () => {
    const form = toPostForm(MESSAGE, { relayState: { ours: 'a' }, key });
    expect(form.action).toBe('https://idp.test/SSO');
    const message = decodePost(form.fields);
    expect(message).toMatchObject({ parameter: 'SAMLRequest', binding: 'post', relayState: 'a' });
    expect(isSigned(message)).toBe(true);
  });

  it('carries a message without a signature', () => {
    expect(isSigned(decodePost(toPostForm(MESSAGE).fields))).toBe(false);
  });

  it('understands lines of base64', () => {
    const lines = base64(XML).replace(/.{76}/g, '$&\r\n');
    expect(decodePost({ SAMLResponse: `${lines}\n` }).parameter).toBe('SAMLResponse');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no message', {}, 'parameter_missing'],
    ['the message twice', { SAMLRequest: [base64(XML), base64(XML)] }, 'parameter_repeated'],
    ['the state twice', { SAMLRequest: base64(XML), RelayState: ['a', 'b'] }, 'parameter_repeated'],
    ['both messages', { SAMLRequest: base64(XML), SAMLResponse: base64(XML) }, 'parameter_repeated'],
    ['a message in parts', { SAMLRequest: { a: 'b' } }, 'parameter_missing'],
    ['what is not base64', { SAMLRequest: XML }, 'encoding_malformed'],
    ['what is deflated', { SAMLRequest: deflateRawSync(Buffer.from(XML)).toString('base64') }, 'xml_not_utf8'],
  ])('refuses %s', (_, fields, reason) => {
    expect(reasonOf(() => decodePost(fields))).toBe(reason);
  });
});

describe('SML-010: RelayState', () => {
  it.each(['https://evil.test/', 'javascript:alert(1)', 'x'.repeat(10_000), ''])(
    'of others is nothing but a text',
    (state) => {
      expect(decodePost({ SAMLResponse: base64(XML), RelayState: state }).relayState).toBe(state);
    },
  );

  it('of ours is at most 80 bytes long (SAML Bindings §3.4.3)', () => {
    expect(toPostForm(MESSAGE, { relayState: { ours: 'ü'.repeat(40) } }).fields['RelayState']).toHaveLength(40);
    expect(() => toPostForm(MESSAGE, { relayState: { ours: `${'ü'.repeat(40)}a` } })).toThrow(RangeError);
    expect(() => toRedirectUrl(MESSAGE, { relayState: { ours: 'a'.repeat(81) } })).toThrow(RangeError);
  });

  it('of theirs goes back exactly as it came', () => {
    const theirs = `https://sp.test/${'a'.repeat(200)}?b=<"&'>`;
    expect(toPostForm(MESSAGE, { relayState: { theirs } }).fields['RelayState']).toBe(theirs);
    expect(decodeRedirect(queryOf(toRedirectUrl(MESSAGE, { relayState: { theirs } }))).relayState).toBe(theirs);
  });
});
