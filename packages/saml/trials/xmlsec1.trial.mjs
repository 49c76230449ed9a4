/*
 * xmlsec1, the program of the XML Security Library, verifies what we sign, and we verify what it signs.
 */
import { execFileSync } from 'node:child_process';
import { assert, file, folder, it, keyFiles, load, NOW } from './trial.mjs';

const { writeResponse } = await load('idp/write-response');
const { namedAttribute, knownAttribute } = await load('idp/attribute-names');
const { writeIdentityProvider } = await load('metadata/write-metadata');
const { readSigned } = await load('signature/read-signed');
const { readXml } = await load('xml/read-xml');
const { writeLogoutRequest } = await load('logout/logout-request');
const { signXml } = await load('signature/sign-xml');

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';

const xmlsec1 = (...options) =>
  execFileSync('xmlsec1', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const ids = ['Response', 'LogoutRequest', 'AuthnRequest'].flatMap((name) => ['--id-attr:ID', `${PROTOCOL}:${name}`]);
const allIds = [...ids, '--id-attr:ID', `${ASSERTION}:Assertion`, '--id-attr:ID', `${METADATA}:EntityDescriptor`];

const HARD = [
  '</saml:AttributeValue><x>',
  'R&D',
  'a\rb\r\nc\td',
  '  blanks  ',
  ']]>',
  'ß漢😀\u00a0',
  '\u0085\u2028',
  '"\'',
  '',
];

const statement = {
  issuer: 'https://gatehouse.test/saml/v2/metadata',
  answer: { url: 'https://sp.test/acs?a=1&b=2', serviceProvider: 'https://sp.test', requestId: '_request' },
  nameId: { value: 'anna & <co>\r', format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' },
  authnInstant: NOW,
  authnContext: 'https://refeds.org/profile/mfa',
  sessionIndex: '"1"\n',
  attributes: [knownAttribute('mail', ['anna@a.test']), namedAttribute('hard & "quoted"', HARD)],
  now: NOW,
};

for (const kind of ['rsa', 'ec']) {
  console.log(`xmlsec1, key of kind ${kind}`);
  const key = await keyFiles(`ours-${kind}`, kind);
  const verify = (path, xpath) =>
    xmlsec1('--verify', '--pubkey-cert-pem', key.files.certificate, ...allIds, '--node-xpath', xpath, path);

  await it('verifies both signatures of our response', () => {
    const path = file(`response-${kind}.xml`, writeResponse(statement, key).xml);
    verify(path, '/*/*[local-name()="Signature"]');
    verify(path, '/*/*[local-name()="Assertion"]/*[local-name()="Signature"]');
  });

  await it('does not verify our response after a change', () => {
    const path = file(`changed-${kind}.xml`, writeResponse(statement, key).xml.replace('anna@', 'admin@'));
    assert.throws(() => verify(path, '/*/*[local-name()="Signature"]'));
  });

  await it('verifies our metadata', () => {
    const endpoint = { binding: 'redirect', url: 'https://gatehouse.test/saml/v2/SSO' };
    const xml = writeIdentityProvider({
      entityId: statement.issuer,
      certificates: [key.certificate],
      signOnEndpoints: [endpoint],
      logoutEndpoints: [endpoint],
      nameIdFormats: [],
      wantAuthnRequestsSigned: false,
      key,
    });
    verify(file(`metadata-${kind}.xml`, xml), '/*/*[local-name()="Signature"]');
  });

  await it('verifies our request for logout', () => {
    const { xml, id } = writeLogoutRequest({ ...statement, destination: 'https://sp.test/slo', sessionIndexes: ['1'] });
    verify(file(`logout-${kind}.xml`, signXml(xml, { id, hasIssuer: true }, key)), '/*/*[local-name()="Signature"]');
  });

  for (const hash of ['sha256', 'sha384', 'sha512']) {
    for (const list of ['', 'xs xsi', '#default saml']) {
      await it(`signs with ${hash}${list && `, with the prefixes ${list}`}, and we verify that`, () => {
        const xml = signedByXmlsec1(key, kind, hash, list);
        const signed = readSigned(readXml(Buffer.from(xml)), [key.certificate.publicKey]);
        const name = signed.required(ASSERTION, 'NameID').text;
        assert.equal(name, 'annaé & <co>\r\t');
      });
    }
  }

  await it('signs with SHA-1, and we refuse that', () => {
    assert.throws(
      () => {
        const xml = signedByXmlsec1(key, kind, 'sha1', '');
        readSigned(readXml(Buffer.from(xml)), [key.certificate.publicKey]);
      },
      { reason: 'signature_algorithm' },
    );
  });
}

/**
 * A document full of what canonicalization is about. xml-crypto passes over `#default` in a list of prefixes, which
 * makes a difference only where a default namespace is in scope.
 */
function signedByXmlsec1(key, kind, hash, list) {
  const digests = {
    sha1: 'http://www.w3.org/2000/09/xmldsig#sha1',
    sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
    sha384: 'http://www.w3.org/2001/04/xmldsig-more#sha384',
    sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
  };
  const prefix =
    kind === 'rsa' && hash === 'sha1'
      ? 'http://www.w3.org/2000/09/xmldsig#rsa-'
      : 'http://www.w3.org/2001/04/xmldsig-more#';
  const algorithm = prefix.endsWith('rsa-') ? `${prefix}sha1` : `${prefix}${kind === 'ec' ? 'ecdsa' : 'rsa'}-${hash}`;
  const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
  const inclusive = list && `<ec:InclusiveNamespaces xmlns:ec="${exclusive}" PrefixList="${list}"/>`;
  const template =
    '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>' +
    `<ds:CanonicalizationMethod Algorithm="${exclusive}">${inclusive}</ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${algorithm}"/><ds:Reference URI="#_m"><ds:Transforms>` +
    '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>' +
    `<ds:Transform Algorithm="${exclusive}">${inclusive}</ds:Transform></ds:Transforms>` +
    `<ds:DigestMethod Algorithm="${digests[hash]}"/><ds:DigestValue/></ds:Reference></ds:SignedInfo>` +
    '<ds:SignatureValue/><ds:KeyInfo><ds:X509Data/></ds:KeyInfo></ds:Signature>';
  const xml =
    '<?xml version="1.0" encoding="UTF-8"?>\n<!-- before -->\n' +
    `<p:LogoutRequest xmlns:p="${PROTOCOL}" ${list.includes('#default') ? '' : 'xmlns="urn:default" '}xmlns:xs="http://www.w3.org/2001/XMLSchema" ` +
    `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ID='_m' b="2" a="1 &#9; &quot;&lt;>" xsi:c="3">` +
    `<saml:Issuer xmlns:saml="${ASSERTION}">https://sp.test</saml:Issuer>${template}` +
    `<NameID xmlns="${ASSERTION}" Format="x">anna&#xe9; &amp; <!-- comment --><![CDATA[<co>]]>&#13;&#9;</NameID>` +
    '<p:Extensions xmlns:p="urn:p2" xmlns:q="urn:q"><p:a q:z="1" p:z="2" z="3"><b xmlns=""/></p:a>\n\t</p:Extensions>' +
    '</p:LogoutRequest>\n<!-- behind -->';
  const path = file('template.xml', xml);
  const output = `${folder}/signed.xml`;
  xmlsec1('--sign', '--privkey-pem', `${key.files.key},${key.files.certificate}`, ...allIds, '--output', output, path);
  return execFileSync('cat', [output], { encoding: 'utf8' });
}
