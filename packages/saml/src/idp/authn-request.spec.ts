import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodePost } from '../bindings/post.js';
import { AUTHN_CONTEXT, NAME_ID_FORMAT } from '../protocol/uris.js';
import { reasonOf } from '../refusal.fixture.js';
import { keyOf } from '../signature/keys.fixture.js';
import type { SigningKey } from '../signature/signing-key.js';
import { defaultAssertionConsumer, unsolicitedAnswer } from './assertion-consumer.js';
import { statedAuthnContext } from './authn-context.js';
import {
  type AuthnRequest,
  type AuthnRequestResult,
  claimedServiceProvider,
  readAuthnRequest,
} from './authn-request.js';
import {
  POST,
  readPostedRequest,
  readRedirectedRequest,
  requestXml,
  SERVICE_PROVIDER,
  SSO,
  signRequest,
} from './requests.fixture.js';

let key: SigningKey;
let other: SigningKey;
beforeAll(async () => {
  key = await keyOf('service provider');
  other = await keyOf('other service provider');
});

function accepted(result: AuthnRequestResult): AuthnRequest {
  if (result.kind === 'failed') throw new Error(result.failure);
  return result.request;
}

const ask = (attributes = '', content = ''): AuthnRequest =>
  accepted(readPostedRequest(requestXml(attributes, content)));
const refused = (attributes = '', content = ''): string =>
  reasonOf(() => readPostedRequest(requestXml(attributes, content)));

describe('An AuthnRequest', () => {
  it('asks for nothing in particular', () => {
    expect(ask()).toEqual({
      answer: { url: 'https://sp.test/acs2', serviceProvider: 'https://sp.test', requestId: '_request' },
      forceAuthn: false,
      isPassive: false,
      nameId: { format: undefined, allowCreate: undefined },
      authnContext: undefined,
      subject: undefined,
    });
  });

  it('asks for what OpenID Connect calls prompt', () => {
    expect(ask('ForceAuthn="true" IsPassive="false"')).toMatchObject({ forceAuthn: true, isPassive: false });
    expect(ask('ForceAuthn="0" IsPassive="1"')).toMatchObject({ forceAuthn: false, isPassive: true });
    expect(refused('IsPassive="yes"')).toBe('value_malformed');
  });

  it('may expect somebody', () => {
    const nameId = `<saml:NameID Format="${NAME_ID_FORMAT.emailAddress}">anna@a.test</saml:NameID>`;
    expect(ask('', `<saml:Subject>${nameId}</saml:Subject>`).subject).toMatchObject({
      value: 'anna@a.test',
      format: NAME_ID_FORMAT.emailAddress,
    });
    expect(refused('', '<saml:Subject><saml:EncryptedID/></saml:Subject>')).toBe('identifier_encrypted');
  });

  it('may have a scope, conditions and extensions, which are passed over', () => {
    const scoping =
      '<samlp:Scoping ProxyCount="0"><samlp:IDPList><samlp:IDPEntry ProviderID="x"/></samlp:IDPList></samlp:Scoping>';
    expect(
      ask('', `<samlp:Extensions><x xmlns="urn:x"/></samlp:Extensions><saml:Conditions/>${scoping}`).forceAuthn,
    ).toBe(false);
  });

  it.each([
    ['another version', () => requestXml().replace('Version="2.0"', 'Version="1.1"'), 'version_unsupported'],
    ['no ID', () => requestXml().replace(' ID="_request"', ''), 'value_malformed'],
    ['an ID of blanks', () => requestXml().replace('_request', '_a b'), 'value_malformed'],
    ['a long ID', () => requestXml().replace('_request', `_${'a'.repeat(256)}`), 'value_malformed'],
    ['no instant', () => requestXml().replace(/IssueInstant="[^"]*"/, ''), 'value_malformed'],
    ['an instant without a zone', () => requestXml().replace('.000Z', ''), 'value_malformed'],
    ['another issuer', () => requestXml().replace('https://sp.test', 'https://other.test'), 'issuer_other'],
    ['no issuer', () => requestXml().replace(/<saml:Issuer.*<\/saml:Issuer>/, ''), 'issuer_missing'],
    ['another Destination', () => requestXml('Destination="https://other.test/SSO"'), 'destination_other'],
    ['another message', () => requestXml().replaceAll('AuthnRequest', 'LogoutRequest'), 'element_unexpected'],
  ])('is refused with %s', (_, xml, reason) => {
    expect(reasonOf(() => readPostedRequest(xml()))).toBe(reason);
  });

  it('is refused where a response is expected', () => {
    const message = decodePost({ SAMLResponse: Buffer.from(requestXml()).toString('base64') });
    const expected = { serviceProvider: SERVICE_PROVIDER, destination: SSO };
    expect(reasonOf(() => readAuthnRequest(message, expected))).toBe('parameter_misplaced');
  });

  it('says whose it is before anything is verified', () => {
    const message = (xml: string) => decodePost({ SAMLRequest: Buffer.from(xml).toString('base64') });
    expect(claimedServiceProvider(message(requestXml()))).toBe('https://sp.test');
    expect(reasonOf(() => claimedServiceProvider(message(requestXml().replaceAll('AuthnRequest', 'Response'))))).toBe(
      'element_unexpected',
    );
  });
});

describe('SML-012: answers go only to addresses that the registered metadata lists', () => {
  it.each([
    ['by nothing', '', 'https://sp.test/acs2'],
    ['by URL', 'AssertionConsumerServiceURL="https://sp.test/acs"', 'https://sp.test/acs'],
    [
      'by URL and binding',
      `AssertionConsumerServiceURL="https://sp.test/acs" ProtocolBinding="${POST}"`,
      'https://sp.test/acs',
    ],
    ['by index', 'AssertionConsumerServiceIndex="0"', 'https://sp.test/acs'],
    [
      'by index, with an address of its own for responses',
      'AssertionConsumerServiceIndex="6"',
      'https://sp.test/answers',
    ],
    ['by binding', `ProtocolBinding="${POST}"`, 'https://sp.test/acs2'],
  ])('chosen %s', (_, attributes, url) => {
    expect(ask(attributes).answer.url).toBe(url);
  });

  it.each([
    ['a URL that is not listed', 'AssertionConsumerServiceURL="https://evil.test/acs"', 'consumer_unlisted'],
    [
      'a listed URL of another service provider',
      'AssertionConsumerServiceURL="https://other.test/acs"',
      'consumer_unlisted',
    ],
    ['a URL with more behind it', 'AssertionConsumerServiceURL="https://sp.test/acs/"', 'consumer_unlisted'],
    ['a URL in another case', 'AssertionConsumerServiceURL="https://sp.test/ACS"', 'consumer_unlisted'],
    ['an empty URL', 'AssertionConsumerServiceURL=""', 'consumer_unlisted'],
    ['a script', 'AssertionConsumerServiceURL="javascript:alert(1)"', 'consumer_unlisted'],
    ['an index that is not listed', 'AssertionConsumerServiceIndex="1"', 'consumer_unlisted'],
    ['an index that is none', 'AssertionConsumerServiceIndex="x"', 'value_malformed'],
    [
      'both URL and index',
      'AssertionConsumerServiceURL="https://sp.test/acs" AssertionConsumerServiceIndex="0"',
      'consumer_ambiguous',
    ],
    ['both binding and index', `ProtocolBinding="${POST}" AssertionConsumerServiceIndex="0"`, 'consumer_ambiguous'],
    ['artifacts', 'ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact"', 'consumer_binding'],
    [
      'responses in a query',
      'ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"',
      'consumer_binding',
    ],
  ])('%s: a page, and no answer to anywhere', (_, attributes, reason) => {
    expect(refused(attributes)).toBe(reason);
  });

  it('the default is the first that says so, else the first that does not deny it, else the first', () => {
    const [first, second, third] = SERVICE_PROVIDER.assertionConsumers;
    expect(defaultAssertionConsumer([first!, third!, second!])).toBe('https://sp.test/acs2');
    expect(defaultAssertionConsumer([first!, third!])).toBe('https://sp.test/answers');
    expect(defaultAssertionConsumer([first!])).toBe('https://sp.test/acs');
    expect(reasonOf(() => defaultAssertionConsumer([]))).toBe('consumer_unlisted');
  });

  it('an answer to no request goes to the default one', () => {
    expect(unsolicitedAnswer(SERVICE_PROVIDER)).toEqual({
      url: 'https://sp.test/acs2',
      serviceProvider: 'https://sp.test',
      requestId: undefined,
    });
  });
});

describe('NameIDPolicy (SAML Core §3.4.1.1)', () => {
  const policy = (attributes: string): string => `<samlp:NameIDPolicy ${attributes}/>`;

  it.each([
    [`Format="${NAME_ID_FORMAT.persistent}" AllowCreate="true"`, { format: 'persistent', allowCreate: true }],
    [`Format="${NAME_ID_FORMAT.emailAddress}" AllowCreate="false"`, { format: 'emailAddress', allowCreate: false }],
    [`Format="${NAME_ID_FORMAT.transient}"`, { format: 'transient', allowCreate: undefined }],
    [`Format="${NAME_ID_FORMAT.unspecified}"`, { format: undefined, allowCreate: undefined }],
    ['SPNameQualifier="https://sp.test"', { format: undefined, allowCreate: undefined }],
  ])('%s', (attributes, nameId) => {
    expect(ask('', policy(attributes)).nameId).toEqual(nameId);
  });

  it.each([
    ['a name that is encrypted', 'Format="urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted"'],
    ['a name of Windows', 'Format="urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName"'],
    ['a name shared with others', 'SPNameQualifier="https://affiliation.test"'],
  ])('%s: InvalidNameIDPolicy to the service provider', (_, attributes) => {
    expect(readPostedRequest(requestXml('', policy(attributes)))).toEqual({
      kind: 'failed',
      answer: { url: 'https://sp.test/acs2', serviceProvider: 'https://sp.test', requestId: '_request' },
      failure: 'invalidNameIdPolicy',
    });
  });
});

describe('RequestedAuthnContext (SAML Core §3.3.2.2.1)', () => {
  const { passwordProtectedTransport: password, refedsMfa: mfa, unspecified } = AUTHN_CONTEXT;
  const x509 = 'urn:oasis:names:tc:SAML:2.0:ac:classes:X509';
  const requested = (comparison: string, ...classes: string[]): string =>
    `<samlp:RequestedAuthnContext${comparison && ` Comparison="${comparison}"`}>` +
    `${classes.map((uri) => `<saml:AuthnContextClassRef>${uri}</saml:AuthnContextClassRef>`).join('')}</samlp:RequestedAuthnContext>`;

  it.each<[string, string[], string[], number]>([
    ['', [password], [password], 1],
    ['exact', [mfa], [mfa], 2],
    ['exact', [mfa, password], [mfa, password], 1],
    ['exact', [x509, password], [password], 1],
    ['minimum', [password], [password, mfa], 1],
    ['minimum', [mfa], [mfa], 2],
    ['maximum', [mfa], [mfa, password], 1],
    ['maximum', [password], [password], 1],
    ['better', [password], [mfa], 2],
  ])('%s %j accepts %j', (comparison, classes, acceptable, level) => {
    expect(ask('', requested(comparison, ...classes)).authnContext).toEqual({ acceptable, level });
  });

  it.each<[string, string[]]>([
    ['exact', [x509]],
    ['exact', []],
    ['minimum', [x509]],
    ['maximum', [x509]],
    ['better', [mfa]],
    ['better', [x509]],
    ['better', [x509, password]],
  ])('%s %j: NoAuthnContext to the service provider', (comparison, classes) => {
    expect(readPostedRequest(requestXml('', requested(comparison, ...classes)))).toMatchObject({
      kind: 'failed',
      failure: 'noAuthnContext',
    });
  });

  it('by declaration: NoAuthnContext', () => {
    const declaration =
      '<samlp:RequestedAuthnContext><saml:AuthnContextDeclRef>x</saml:AuthnContextDeclRef></samlp:RequestedAuthnContext>';
    expect(readPostedRequest(requestXml('', declaration))).toMatchObject({ failure: 'noAuthnContext' });
  });

  it('unspecified: any will do', () => {
    expect(ask('', requested('exact', unspecified, mfa)).authnContext).toBeUndefined();
  });

  it('compared in another way is refused', () => {
    expect(refused('', requested('worse', password))).toBe('value_malformed');
  });

  it('what is stated is the best that was reached and is acceptable', () => {
    expect([1, 2].map((level) => statedAuthnContext(undefined, level as 1 | 2))).toEqual([password, mfa]);
    const demand = (comparison: string, ...classes: string[]) =>
      ask('', requested(comparison, ...classes)).authnContext;
    expect(statedAuthnContext(demand('exact', password), 2)).toBe(password);
    expect(statedAuthnContext(demand('exact', mfa, password), 2)).toBe(mfa);
    expect(statedAuthnContext(demand('exact', mfa, password), 1)).toBe(password);
    expect(statedAuthnContext(demand('exact', mfa), 1)).toBeUndefined();
  });
});

describe('SML-013: signatures of requests', () => {
  const signing = { authnRequestsSigned: true };
  const withKey = (signer: SigningKey) => ({ signingCertificates: [signer.certificate] });
  const toUs = `Destination="${SSO}"`;

  it.each(['posted', 'redirected'] as const)('a signed request that is %s is accepted', (how) => {
    const expected = { ...signing, ...withKey(key) };
    const result =
      how === 'posted'
        ? readPostedRequest(signRequest(requestXml(toUs), key), expected)
        : readRedirectedRequest(requestXml(toUs), key, expected);
    expect(result.kind).toBe('accepted');
  });

  it('a request without a signature is refused where metadata says that all are signed', () => {
    const expected = { ...signing, ...withKey(key) };
    expect(reasonOf(() => readPostedRequest(requestXml(), expected))).toBe('signature_missing');
    expect(reasonOf(() => readRedirectedRequest(requestXml(), undefined, expected))).toBe('signature_missing');
  });

  it('a signature is verified also where none is needed', () => {
    expect(reasonOf(() => readPostedRequest(signRequest(requestXml(toUs), other), withKey(key)))).toBe(
      'signature_invalid',
    );
    expect(reasonOf(() => readRedirectedRequest(requestXml(toUs), other, withKey(key)))).toBe('signature_invalid');
    expect(reasonOf(() => readPostedRequest(signRequest(requestXml(toUs), other)))).toBe('signature_keyless');
    expect(reasonOf(() => readRedirectedRequest(requestXml(toUs), other))).toBe('signature_keyless');
  });

  it('a signed request says where it goes', () => {
    expect(reasonOf(() => readPostedRequest(signRequest(requestXml(), key), withKey(key)))).toBe('destination_missing');
    expect(reasonOf(() => readRedirectedRequest(requestXml(), key, withKey(key)))).toBe('destination_missing');
  });

  it('a signed request in another one (samlify#634) is refused', () => {
    const inner = signRequest(requestXml(toUs), key);
    const outer = requestXml('AssertionConsumerServiceURL="https://sp.test/acs"').replace('_request', '_outer');
    for (const place of ['<samlp:Extensions>', '<saml:Subject>', '<samlp:Scoping>']) {
      const wrapped = outer.replace(
        '</samlp:AuthnRequest>',
        `${place}${inner}${place.replace('<', '</')}</samlp:AuthnRequest>`,
      );
      expect(reasonOf(() => readPostedRequest(wrapped, withKey(key)))).toBe('signature_misplaced');
    }
  });

  it('what a signed request says is read from what was signed', () => {
    const xml = signRequest(requestXml(`${toUs} AssertionConsumerServiceURL="https://sp.test/acs"`), key);
    const changed = xml.replace('https://sp.test/acs"', 'https://sp.test/acs2"');
    expect(reasonOf(() => readPostedRequest(changed, withKey(key)))).toBe('signature_invalid');
  });
});
