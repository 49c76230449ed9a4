import { beforeAll, describe, expect, it } from '@jest/globals';
import { BINDING, NAME_ID_FORMAT } from '../protocol/uris.js';
import { reasonOf } from '../refusal.fixture.js';
import { keyOf } from '../signature/keys.fixture.js';
import { readSigned } from '../signature/read-signed.js';
import type { SigningKey } from '../signature/signing-key.js';
import { NS } from '../xml/namespaces.js';
import { readXml } from '../xml/read-xml.js';
import { readIdentityProvider } from './identity-provider.js';
import { readServiceProvider } from './service-provider.js';
import { writeIdentityProvider, writeServiceProvider } from './write-metadata.js';

const NOW = new Date('2026-11-30T12:00:00Z');

let key: SigningKey;
let next: SigningKey;
beforeAll(async () => {
  key = await keyOf('entity');
  next = await keyOf('entity, next');
});

const keyTag = (signer: SigningKey, use = ''): string =>
  `<md:KeyDescriptor${use}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>\n${signer.certificate.base64.replace(/.{64}/g, '$&\n')}` +
  '\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>';
const consumer = (attributes: string, url = 'https://sp.test/acs', binding: string = BINDING.post): string =>
  `<md:AssertionConsumerService Binding="${binding}" Location="${url}" ${attributes}/>`;
const NAMESPACES = `xmlns:md="${NS.metadata}" xmlns:ds="${NS.signature}"`;
const PROTOCOL = `protocolSupportEnumeration="${NS.protocol}"`;

const serviceProvider = (content: string, attributes = '', ofEntity = ''): string =>
  `<md:EntityDescriptor ${NAMESPACES} entityID="https://sp.test"${ofEntity}>` +
  `<md:SPSSODescriptor ${PROTOCOL}${attributes}>${content}</md:SPSSODescriptor></md:EntityDescriptor>`;
const identityProvider = (content: string, attributes = ''): string =>
  `<md:EntityDescriptor ${NAMESPACES} entityID="https://idp.test">` +
  `<md:IDPSSODescriptor ${PROTOCOL}${attributes}>${content}</md:IDPSSODescriptor></md:EntityDescriptor>`;
const signOn = (url = 'https://idp.test/SSO', binding: string = BINDING.redirect): string =>
  `<md:SingleSignOnService Binding="${binding}" Location="${url}"/>`;

const readSp = (xml: string, rules = {}) => readServiceProvider(Buffer.from(xml), NOW, rules);
const readIdp = (xml: string) => readIdentityProvider(Buffer.from(xml), NOW);

describe('Metadata of a service provider (SAML Metadata §2.4.4)', () => {
  it('says where assertions may go, and with which keys it signs', () => {
    const metadata = serviceProvider(
      keyTag(key, ' use="signing"') +
        keyTag(next, ' use="encryption"') +
        `<md:SingleLogoutService Binding="${BINDING.redirect}" Location="https://sp.test/slo" ResponseLocation="https://sp.test/slr"/>` +
        '<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="https://sp.test/soap"/>' +
        `<md:NameIDFormat>${NAME_ID_FORMAT.persistent}</md:NameIDFormat><md:NameIDFormat>\n${NAME_ID_FORMAT.transient}\n</md:NameIDFormat>` +
        consumer('index="7"') +
        consumer('index="1" isDefault="true"', 'https://sp.test/second') +
        consumer('index="2"', 'https://sp.test/artifact', 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact'),
      ' AuthnRequestsSigned="1" WantAssertionsSigned="true"',
      ' validUntil="2026-12-01T00:00:00Z"',
    );
    const { signingCertificates, ...read } = readSp(metadata);
    expect(read).toEqual({
      entityId: 'https://sp.test',
      assertionConsumers: [
        { binding: 'post', url: 'https://sp.test/acs', responseUrl: undefined, index: 7, isDefault: undefined },
        { binding: 'post', url: 'https://sp.test/second', responseUrl: undefined, index: 1, isDefault: true },
      ],
      logoutEndpoints: [{ binding: 'redirect', url: 'https://sp.test/slo', responseUrl: 'https://sp.test/slr' }],
      nameIdFormats: [NAME_ID_FORMAT.persistent, NAME_ID_FORMAT.transient],
      authnRequestsSigned: true,
      wantAssertionsSigned: true,
      validUntil: new Date('2026-12-01T00:00:00Z'),
    });
    expect(signingCertificates.map(({ fingerprint }) => fingerprint)).toEqual([key.certificate.fingerprint]);
  });

  it('may have a key for encryption that we could not use', () => {
    const weak = keyTag(key, ' use="encryption"').replace(/MI[A-Za-z0-9+/=\n]*/, 'AAAA');
    expect(readSp(serviceProvider(weak + consumer('index="0"'))).signingCertificates).toEqual([]);
  });

  it('needs no key', () => {
    expect(readSp(serviceProvider(consumer('index="0"')))).toMatchObject({
      signingCertificates: [],
      authnRequestsSigned: false,
      validUntil: undefined,
    });
  });

  it.each<[string, () => string, string]>([
    [
      'signed requests without a key',
      () => serviceProvider(consumer('index="0"'), ' AuthnRequestsSigned="true"'),
      'metadata_certificate_missing',
    ],
    ['no address for assertions', () => serviceProvider(''), 'metadata_endpoint_missing'],
    [
      'none that a browser posts to',
      () => serviceProvider(consumer('index="0"', 'https://sp.test/acs', BINDING.redirect)),
      'metadata_endpoint_missing',
    ],
    ['an address without an index', () => serviceProvider(consumer('')), 'value_malformed'],
    ['an index twice', () => serviceProvider(consumer('index="0"') + consumer('index="0"')), 'value_malformed'],
    ['an index below zero', () => serviceProvider(consumer('index="-1"')), 'value_malformed'],
    ['no name', () => serviceProvider(consumer('index="0"')).replace('https://sp.test"', '"'), 'value_malformed'],
    [
      'a long name',
      () => serviceProvider(consumer('index="0"')).replace('https://sp.test"', `https://sp.test/${'a'.repeat(1024)}"`),
      'value_malformed',
    ],
    [
      'another protocol',
      () =>
        serviceProvider(consumer('index="0"')).replace(
          PROTOCOL,
          'protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol"',
        ),
      'metadata_role_missing',
    ],
    ['the other role', () => identityProvider(keyTag(key) + signOn()), 'metadata_role_missing'],
    [
      'the role twice',
      () => serviceProvider(consumer('index="0"')).replace(/(<md:SP.*<\/md:SPSSODescriptor>)/s, '$1$1'),
      'metadata_several_roles',
    ],
    ['something else', () => '<a/>', 'element_unexpected'],
    [
      'a key that is too short to trust',
      () => serviceProvider(keyTag(key).replace(/MI[A-Za-z0-9+/=\n]*/, 'AAAA') + consumer('index="0"')),
      'certificate_unusable',
    ],
  ])('is refused with %s', (_, xml, reason) => {
    expect(reasonOf(() => readSp(xml()))).toBe(reason);
  });
});

describe('Metadata of an identity provider (SAML Metadata §2.4.3)', () => {
  it('says where requests go, and with which keys it signs', () => {
    const metadata = identityProvider(
      keyTag(key, ' use="signing"') +
        keyTag(next, ' use="signing"') +
        signOn() +
        signOn('https://idp.test/POST', BINDING.post),
      ' WantAuthnRequestsSigned="true"',
    );
    const { signingCertificates, ...read } = readIdp(metadata);
    expect(read).toEqual({
      entityId: 'https://idp.test',
      signOnEndpoints: [
        { binding: 'redirect', url: 'https://idp.test/SSO', responseUrl: undefined },
        { binding: 'post', url: 'https://idp.test/POST', responseUrl: undefined },
      ],
      logoutEndpoints: [],
      nameIdFormats: [],
      wantAuthnRequestsSigned: true,
      validUntil: undefined,
    });
    expect(signingCertificates.map(({ fingerprint }) => fingerprint)).toEqual(
      [key, next].map(({ certificate }) => certificate.fingerprint),
    );
  });

  it('is refused without an address', () => {
    expect(reasonOf(() => readIdp(identityProvider(keyTag(key))))).toBe('metadata_endpoint_missing');
  });
});

describe('SML-011: metadata', () => {
  it('a key without use signs too (CVE-2026-16443)', () => {
    const { signingCertificates } = readIdp(identityProvider(keyTag(key) + signOn()));
    expect(signingCertificates.map(({ fingerprint }) => fingerprint)).toEqual([key.certificate.fingerprint]);
  });

  it.each([
    ['none', ''],
    ['one for encryption alone', ' use="encryption"'],
    ['one for something else', ' use="Signing"'],
  ])('an identity provider whose keys are %s is refused', (_, use) => {
    const keys = use === '' ? '' : keyTag(key, use);
    expect(reasonOf(() => readIdp(identityProvider(keys + signOn())))).toBe('metadata_certificate_missing');
  });

  it('a certificate that has expired is a key like any other', async () => {
    const { certificate } = await keyOf('entity');
    expect(certificate.notAfter < new Date('2030-01-01T00:00:00Z')).toBe(true);
    const later = new Date('2030-01-01T00:00:00Z');
    expect(
      readIdentityProvider(Buffer.from(identityProvider(keyTag(key) + signOn())), later).signingCertificates,
    ).toHaveLength(1);
  });

  it.each([
    ['of the entity', (end: string) => serviceProvider(consumer('index="0"'), '', ` validUntil="${end}"`)],
    ['of the role', (end: string) => serviceProvider(consumer('index="0"'), ` validUntil="${end}"`)],
    [
      'of the list',
      (end: string) =>
        `<md:EntitiesDescriptor ${NAMESPACES} validUntil="${end}">${serviceProvider(consumer('index="0"'))}</md:EntitiesDescriptor>`,
    ],
  ])('validUntil %s is the end', (_, metadata) => {
    expect(reasonOf(() => readSp(metadata('2026-11-30T12:00:00Z')))).toBe('metadata_expired');
    expect(readSp(metadata('2026-11-30T12:00:01Z')).validUntil).toEqual(new Date('2026-11-30T12:00:01Z'));
    expect(reasonOf(() => readSp(metadata('tomorrow')))).toBe('value_malformed');
  });

  const list = (...entities: string[]): string =>
    `<md:EntitiesDescriptor ${NAMESPACES}>${entities.join('')}</md:EntitiesDescriptor>`;

  it('a list of one entity is that entity', () => {
    expect(readSp(list(serviceProvider(consumer('index="0"')))).entityId).toBe('https://sp.test');
  });

  it.each([
    ['two entities', list(serviceProvider(consumer('index="0"')), serviceProvider(consumer('index="0"')))],
    ['no entity', list()],
    ['a list within', list(serviceProvider(consumer('index="0"')), list())],
    ['an entity in a list within', list(list(serviceProvider(consumer('index="0"'))))],
  ])('a list of %s is refused', (_, metadata) => {
    expect(reasonOf(() => readSp(metadata))).toBe('metadata_several_entities');
  });

  it.each([
    ['http to a private address', 'http://10.0.0.1/acs'],
    ['http', 'http://sp.test/acs'],
    ['http to a name that begins like this machine', 'http://localhost.evil.test/acs'],
    ['http to an address that begins like this machine', 'http://127.0.0.1.evil.test/acs'],
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,a'],
    ['no address', 'acs'],
    ['an address without a scheme', '//sp.test/acs'],
    ['a password', 'https://a:b@sp.test/acs'],
    ['a fragment', 'https://sp.test/acs#a'],
    ['a blank', 'https://sp.test/a cs'],
    ['a reversed slash', 'https:\\\\sp.test\\acs'],
    ['a long address', `https://sp.test/${'a'.repeat(2048)}`],
  ])('assertions never go to %s', (_, url) => {
    expect(reasonOf(() => readSp(serviceProvider(consumer('index="0"', url))))).toBe('metadata_address');
  });

  it.each([
    'http://localhost:3000/acs',
    'http://127.0.0.1/acs',
    'http://[::1]:8080/acs',
    'https://10.0.0.1/acs?a=b&amp;c',
  ])('assertions may go to %s', (url) => {
    expect(readSp(serviceProvider(consumer('index="0"', url))).assertionConsumers[0]?.url).toBe(
      url.replace('&amp;', '&'),
    );
  });

  it('http to other machines is for those who say so', () => {
    const metadata = serviceProvider(consumer('index="0"', 'http://sp.test/acs'));
    expect(readSp(metadata, { allowHttp: true }).assertionConsumers).toHaveLength(1);
  });

  it('a large document is refused', () => {
    expect(reasonOf(() => readSp(`<a>${' '.repeat(5_000_000)}</a>`))).toBe('xml_too_large');
  });
});

describe('Our own metadata', () => {
  const common = { certificates: [] as SigningKey['certificate'][], nameIdFormats: Object.values(NAME_ID_FORMAT) };

  it('as an identity provider is read back, with both certificates', () => {
    const xml = writeIdentityProvider({
      ...common,
      entityId: 'https://gatehouse.test/saml/v2/metadata',
      certificates: [key.certificate, next.certificate],
      signOnEndpoints: [
        { binding: 'redirect', url: 'https://gatehouse.test/saml/v2/SSO' },
        { binding: 'post', url: 'https://gatehouse.test/saml/v2/SSO' },
      ],
      logoutEndpoints: [{ binding: 'redirect', url: 'https://gatehouse.test/saml/v2/SLO' }],
      wantAuthnRequestsSigned: false,
    });
    const read = readIdp(xml);
    expect(read.signingCertificates).toHaveLength(2);
    expect(read.signOnEndpoints.map(({ binding }) => binding)).toEqual(['redirect', 'post']);
    expect(read).toMatchObject({ entityId: 'https://gatehouse.test/saml/v2/metadata', wantAuthnRequestsSigned: false });
    expect(read.logoutEndpoints).toHaveLength(1);
    expect(read.nameIdFormats).toEqual(common.nameIdFormats);
  });

  it('as a service provider is read back, and is signed if there is a key', () => {
    const xml = writeServiceProvider({
      ...common,
      entityId: 'https://gatehouse.test/sp?id=1&a=<b>',
      certificates: [key.certificate],
      assertionConsumerUrl: 'https://gatehouse.test/acs',
      logoutEndpoints: [],
      authnRequestsSigned: true,
      validUntil: new Date('2026-12-01T00:00:00Z'),
      key,
    });
    expect(readSp(xml)).toMatchObject({
      entityId: 'https://gatehouse.test/sp?id=1&a=<b>',
      authnRequestsSigned: true,
      wantAssertionsSigned: true,
      validUntil: new Date('2026-12-01T00:00:00Z'),
    });
    expect(readSigned(readXml(Buffer.from(xml)), [key.certificate.publicKey]).name).toBe('EntityDescriptor');
  });
});
