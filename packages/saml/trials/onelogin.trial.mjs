/*
 * python3-saml, which checks by the schemas of SAML, as a service provider that signs people in by us.
 */
import { assert, file, it, keyFiles, load, NOW, peer } from './trial.mjs';

const { readServiceProvider } = await load('metadata/service-provider');
const { writeIdentityProvider, writeServiceProvider } = await load('metadata/write-metadata');
const { decodeRedirect, toRedirectUrl } = await load('bindings/redirect');
const { toPostForm } = await load('bindings/post');
const { readAuthnRequest } = await load('idp/authn-request');
const { writeFailure, writeResponse } = await load('idp/write-response');
const { knownAttribute, namedAttribute } = await load('idp/attribute-names');
const { writeAuthnRequest } = await load('sp/write-authn-request');
const { readLogoutRequest, writeLogoutRequest } = await load('logout/logout-request');
const { readLogoutResponse, writeLogoutResponse } = await load('logout/logout-response');
const { AUTHN_CONTEXT, NAME_ID_FORMAT } = await load('protocol/uris');

const ENTITY = 'https://gatehouse.test/saml/v2/metadata';
const SSO = 'https://gatehouse.test/saml/v2/SSO';
const SLO = 'https://gatehouse.test/saml/v2/SLO';

const ours = await keyFiles('ours');
const theirs = await keyFiles('theirs');
const onelogin = peer(process.env.PYTHON ?? 'python3', 'onelogin_peer.py');
const given = { key: theirs.files.key, certificate: theirs.files.certificate };

const common = {
  entityId: ENTITY,
  certificates: [ours.certificate],
  logoutEndpoints: [{ binding: 'redirect', url: SLO }],
  nameIdFormats: [NAME_ID_FORMAT.persistent],
  validUntil: new Date(NOW.getTime() + 86_400_000),
  key: ours,
};
const idpMetadata = writeIdentityProvider({
  ...common,
  signOnEndpoints: [{ binding: 'redirect', url: SSO }],
  wantAuthnRequestsSigned: true,
});
const spMetadata = writeServiceProvider({
  ...common,
  assertionConsumerUrl: 'https://gatehouse.test/acs',
  authnRequestsSigned: true,
});
const asIdp = { ...given, metadata: file('our-idp.xml', idpMetadata) };
const query = (url) => url.slice(url.indexOf('?') + 1);
const nameId = {
  value: 'anna',
  format: NAME_ID_FORMAT.persistent,
  nameQualifier: ENTITY,
  spNameQualifier: 'https://sp.test',
};
const answer = { url: 'https://sp.test/acs', serviceProvider: 'https://sp.test', requestId: '_r' };
const statement = {
  issuer: ENTITY,
  answer,
  nameId,
  authnInstant: NOW,
  authnContext: AUTHN_CONTEXT.passwordProtectedTransport,
  sessionIndex: '17',
  attributes: [knownAttribute('mail', ['anna@a.test']), namedAttribute('roles', ['a & b', '<c>'])],
  now: NOW,
};

console.log('python3-saml, a service provider that signs people in by us');
const serviceProvider = readServiceProvider(Buffer.from(onelogin('sp_metadata', given)), NOW);

await it('has metadata that we read', () => {
  assert.equal(serviceProvider.entityId, 'https://sp.test');
  assert.equal(serviceProvider.authnRequestsSigned, true);
});

await it('asks us, and reads our response', () => {
  const asked = onelogin('sp_request', { ...asIdp, context: [AUTHN_CONTEXT.passwordProtectedTransport] });
  const expected = { serviceProvider, destination: SSO };
  const result = readAuthnRequest(decodeRedirect(query(asked.url)), expected);
  assert.equal(result.kind, 'accepted');
  assert.equal(result.request.forceAuthn, true);
  assert.deepEqual(result.request.authnContext, { acceptable: [AUTHN_CONTEXT.passwordProtectedTransport], level: 1 });
  const { fields } = toPostForm(writeResponse({ ...statement, answer: result.request.answer }, ours));
  assert.deepEqual(onelogin('sp_read', { ...asIdp, ...fields, requestId: asked.id }), {
    errors: [],
    reason: null,
    nameId: 'anna',
    attributes: { 'urn:oid:0.9.2342.19200300.100.1.3': ['anna@a.test'], roles: ['a & b', '<c>'] },
    session: '17',
  });
});

await it('refuses our response to another request', () => {
  const { fields } = toPostForm(writeResponse(statement, ours));
  assert.match(onelogin('sp_read', { ...asIdp, ...fields, requestId: '_other' }).reason, /InResponseTo/);
});

await it('understands why nobody is signed in', () => {
  const { fields } = toPostForm(writeFailure({ issuer: ENTITY, answer, now: NOW }, 'requestDenied', ours));
  assert.match(onelogin('sp_read', { ...asIdp, ...fields, requestId: '_r' }).reason, /RequestDenied|Responder/);
});

await it('asks for logout, and reads our response', () => {
  const asked = onelogin('sp_logout', asIdp);
  const expected = { partner: serviceProvider, destination: SLO, now: new Date() };
  const read = readLogoutRequest(decodeRedirect(query(asked.url)), expected);
  assert.deepEqual([read.id, read.nameId.value, read.sessionIndexes], [asked.id, 'anna', ['17']]);
  const destination = 'https://sp.test/slo';
  const response = writeLogoutResponse({ issuer: ENTITY, destination, requestId: asked.id, outcome: 'done', now: NOW });
  const url = toRedirectUrl(response, { key: ours, relayState: { theirs: "https://sp.test/?a=b c&d=(e)*'!~" } });
  assert.deepEqual(onelogin('sp_read_logout', { ...asIdp, url, requestId: asked.id }).errors, []);
});

await it('reads our request for logout, and we read its response', () => {
  const destination = 'https://sp.test/slo';
  const request = writeLogoutRequest({ issuer: ENTITY, destination, nameId, sessionIndexes: ['17'], now: NOW });
  const answered = onelogin('sp_read_logout', { ...asIdp, url: toRedirectUrl(request, { key: ours }) });
  assert.deepEqual(answered.errors, []);
  const expected = { partner: serviceProvider, destination: SLO, requestId: request.id, now: new Date() };
  assert.equal(readLogoutResponse(decodeRedirect(query(answered.url)), expected), 'done');
});

console.log('The schemas of SAML');
const METADATA = 'saml-schema-metadata-2.0.xsd';
const PROTOCOL = 'saml-schema-protocol-2.0.xsd';
const request = writeAuthnRequest({
  issuer: ENTITY,
  destination: SSO,
  assertionConsumerUrl: 'https://gatehouse.test/acs',
  forceAuthn: true,
  isPassive: true,
  nameIdFormat: NAME_ID_FORMAT.persistent,
  authnContexts: [AUTHN_CONTEXT.refedsMfa],
  subject: nameId,
  now: NOW,
});
const logout = { issuer: ENTITY, destination: SLO, now: NOW };
const documents = {
  'our metadata as an identity provider': [METADATA, idpMetadata],
  'our metadata as a service provider': [METADATA, spMetadata],
  'our response': [PROTOCOL, writeResponse(statement, ours).xml],
  'our response without attributes': [PROTOCOL, writeResponse({ ...statement, attributes: [] }, ours).xml],
  'our failure': [PROTOCOL, writeFailure({ issuer: ENTITY, answer, now: NOW }, 'noPassive').xml],
  'our request': [PROTOCOL, request.xml],
  'our request, signed': [
    PROTOCOL,
    Buffer.from(toPostForm(request, { key: ours }).fields.SAMLRequest, 'base64').toString(),
  ],
  'our request for logout': [PROTOCOL, writeLogoutRequest({ ...logout, nameId, sessionIndexes: ['1'] }).xml],
  'our response to logout': [PROTOCOL, writeLogoutResponse({ ...logout, requestId: '_a', outcome: 'partial' }).xml],
};
for (const [name, [schema, xml]] of Object.entries(documents)) {
  await it(`allow ${name}`, () => assert.equal(onelogin('validate', { schema, xml }).result, 'valid'));
}
await it('do not allow what is wrong', () => {
  const xml = request.xml.replace('<saml:Issuer>', '<saml:Wrong>').replace('</saml:Issuer>', '</saml:Wrong>');
  assert.equal(onelogin('validate', { schema: PROTOCOL, xml }).result, 'invalid_xml');
});
