/*
 * pysaml2 in both roles against us in both roles.
 */
import { assert, file, it, keyFiles, load, NOW, peer } from './trial.mjs';

const { readServiceProvider } = await load('metadata/service-provider');
const { readIdentityProvider } = await load('metadata/identity-provider');
const { writeIdentityProvider, writeServiceProvider } = await load('metadata/write-metadata');
const { decodeRedirect, toRedirectUrl } = await load('bindings/redirect');
const { decodePost, toPostForm } = await load('bindings/post');
const { readAuthnRequest } = await load('idp/authn-request');
const { writeFailure, writeResponse } = await load('idp/write-response');
const { knownAttribute, namedAttribute } = await load('idp/attribute-names');
const { writeAuthnRequest } = await load('sp/write-authn-request');
const { readResponse } = await load('sp/read-response');
const { readLogoutRequest, writeLogoutRequest } = await load('logout/logout-request');
const { writeLogoutResponse } = await load('logout/logout-response');
const { NAME_ID_FORMAT } = await load('protocol/uris');

const ENTITY = 'https://gatehouse.test/saml/v2/metadata';
const SSO = 'https://gatehouse.test/saml/v2/SSO';
const SLO = 'https://gatehouse.test/saml/v2/SLO';
const ACS = 'https://gatehouse.test/acs';

const ours = await keyFiles('ours');
const next = await keyFiles('next');
const theirs = await keyFiles('theirs');
const pysaml2 = peer(process.env.PYTHON ?? 'python3', 'pysaml2_peer.py');
const given = { key: theirs.files.key, certificate: theirs.files.certificate };

const endpoints = (url) => [
  { binding: 'redirect', url },
  { binding: 'post', url },
];
const common = {
  entityId: ENTITY,
  certificates: [next.certificate, ours.certificate],
  logoutEndpoints: endpoints(SLO),
  nameIdFormats: [NAME_ID_FORMAT.persistent],
};
const asIdp = {
  ...given,
  metadata: file(
    'our-idp.xml',
    writeIdentityProvider({ ...common, signOnEndpoints: endpoints(SSO), wantAuthnRequestsSigned: true }),
  ),
};
const asSp = {
  ...given,
  metadata: file(
    'our-sp.xml',
    writeServiceProvider({ ...common, assertionConsumerUrl: ACS, authnRequestsSigned: true }),
  ),
};
const query = (url) => url.slice(url.indexOf('?') + 1);

console.log('pysaml2, a service provider that signs people in by us');
const serviceProvider = readServiceProvider(Buffer.from(pysaml2('sp_metadata', given)), NOW);

await it('has metadata that we read', () => {
  assert.equal(serviceProvider.entityId, 'https://sp.test');
  assert.equal(serviceProvider.assertionConsumers[0].url, 'https://sp.test/acs');
  assert.equal(serviceProvider.signingCertificates[0].fingerprint, theirs.certificate.fingerprint);
  assert.equal(serviceProvider.authnRequestsSigned, true);
});

for (const binding of ['redirect', 'post']) {
  await it(`asks us by ${binding}, signed, and reads our response`, () => {
    const asked = pysaml2('sp_request', { ...asIdp, binding, signed: true });
    const message = binding === 'redirect' ? decodeRedirect(query(asked.url)) : decodePost(asked);
    const result = readAuthnRequest(message, { serviceProvider, destination: SSO });
    assert.equal(result.kind, 'accepted');
    assert.equal(result.request.answer.requestId, asked.id);
    const outgoing = writeResponse(
      {
        issuer: ENTITY,
        answer: result.request.answer,
        nameId: {
          value: 'anna <&> ß',
          format: NAME_ID_FORMAT.persistent,
          nameQualifier: ENTITY,
          spNameQualifier: 'https://sp.test',
        },
        authnInstant: new Date(),
        authnContext: 'https://refeds.org/profile/mfa',
        sessionIndex: '17',
        attributes: [knownAttribute('mail', ['anna@a.test']), namedAttribute('roles', ['a & b', '<c>'])],
        now: new Date(),
      },
      ours,
    );
    const read = pysaml2('sp_read', { ...asIdp, ...toPostForm(outgoing).fields, requestId: asked.id });
    assert.deepEqual(read, {
      nameId: 'anna <&> ß',
      format: NAME_ID_FORMAT.persistent,
      ava: { mail: ['anna@a.test'], roles: ['a & b', '<c>'] },
      session: '17',
      authn: 'https://refeds.org/profile/mfa',
    });
  });
}

await it('asks without a signature, and we refuse since its metadata says that it signs', () => {
  const asked = pysaml2('sp_request', { ...asIdp, binding: 'redirect', signed: false });
  const read = () => readAuthnRequest(decodeRedirect(query(asked.url)), { serviceProvider, destination: SSO });
  assert.throws(read, { reason: 'signature_missing' });
});

await it('asks with SHA-1, its default, and we refuse', () => {
  const asked = pysaml2('sp_request', { ...asIdp, binding: 'redirect', signed: true, sha1: true });
  const read = () => readAuthnRequest(decodeRedirect(query(asked.url)), { serviceProvider, destination: SSO });
  assert.throws(read, { reason: 'signature_algorithm' });
});

await it('understands why nobody is signed in', () => {
  const answer = { url: 'https://sp.test/acs', serviceProvider: 'https://sp.test', requestId: '_r' };
  const outgoing = writeFailure({ issuer: ENTITY, answer, now: new Date() }, 'noAuthnContext', ours);
  const read = () => pysaml2('sp_read', { ...asIdp, ...toPostForm(outgoing).fields, requestId: '_r' });
  assert.throws(read, /StatusNoAuthnContext/);
});

for (const binding of ['redirect', 'post']) {
  await it(`asks for logout by ${binding}, and we read that`, () => {
    const input = { ...asIdp, destination: SLO, issuer: ENTITY, nameId: 'anna', binding };
    const asked = pysaml2('sp_logout', input);
    const message = binding === 'redirect' ? decodeRedirect(query(asked.url)) : decodePost(asked);
    const read = readLogoutRequest(message, { partner: serviceProvider, destination: SLO, now: new Date() });
    assert.deepEqual([read.id, read.nameId.value, read.sessionIndexes], [asked.id, 'anna', ['1']]);
  });
}

await it('reads our request for logout, and our response to its own', () => {
  const nameId = { value: 'anna & co', format: NAME_ID_FORMAT.persistent };
  const destination = 'https://sp.test/slo';
  const request = writeLogoutRequest({ issuer: ENTITY, destination, nameId, sessionIndexes: ['17'], now: new Date() });
  const url = toRedirectUrl(request, { key: ours, relayState: { ours: 'a b' } });
  assert.deepEqual(pysaml2('sp_read_logout', { ...asIdp, url }), {
    id: request.id,
    nameId: 'anna & co',
    indexes: ['17'],
  });
  const response = writeLogoutResponse({
    issuer: ENTITY,
    destination,
    requestId: '_l',
    outcome: 'done',
    now: new Date(),
  });
  const answer = toRedirectUrl(response, { key: ours });
  assert.deepEqual(pysaml2('sp_read_logout', { ...asIdp, url: answer }), { inResponseTo: '_l', ok: true });
});

console.log('pysaml2, an identity provider at which our people sign in');
const provider = readIdentityProvider(Buffer.from(pysaml2('idp_metadata', given)), NOW);

await it('has metadata that we read', () => {
  assert.equal(provider.entityId, 'https://idp.test');
  assert.deepEqual(
    provider.signOnEndpoints.map(({ binding }) => binding),
    ['redirect', 'post'],
  );
});

for (const binding of ['redirect', 'post']) {
  await it(`reads our signed request by ${binding}`, () => {
    const request = writeAuthnRequest({
      issuer: ENTITY,
      destination: 'https://idp.test/sso',
      assertionConsumerUrl: ACS,
      forceAuthn: true,
      nameIdFormat: NAME_ID_FORMAT.persistent,
      now: new Date(),
    });
    const options = { key: ours, relayState: { ours: 'a/b' } };
    const sent =
      binding === 'redirect' ? { url: toRedirectUrl(request, options) } : toPostForm(request, options).fields;
    assert.deepEqual(pysaml2('idp_read', { ...asSp, ...sent }), {
      id: request.id,
      issuer: ENTITY,
      acs: ACS,
      forceAuthn: 'true',
      format: NAME_ID_FORMAT.persistent,
    });
  });
}

const answerOf = (signed) =>
  pysaml2('idp_answer', {
    ...asSp,
    identity: { mail: ['anna@a.test'], givenName: ['Änna <&>'] },
    requestId: '_request',
    acs: ACS,
    audience: ENTITY,
    nameId: 'anna',
    ...signed,
  });
const expected = { provider, requestId: '_request', recipient: ACS, audience: ENTITY, now: new Date() };

for (const signed of [
  { signResponse: true, signAssertion: false },
  { signResponse: false, signAssertion: true },
  { signResponse: true, signAssertion: true },
]) {
  await it(`answers, ${JSON.stringify(signed)}, and we read that`, () => {
    const person = readResponse(decodePost(answerOf(signed)), { ...expected, now: new Date() });
    assert.equal(person.nameId.value, 'anna');
    const values = Object.fromEntries(person.attributes.map(({ friendlyName, values: all }) => [friendlyName, all]));
    assert.deepEqual(values, { mail: ['anna@a.test'], givenName: ['Änna <&>'] });
  });
}

await it('answers without a signature, and we refuse', () => {
  const answer = answerOf({ signResponse: false, signAssertion: false });
  assert.throws(() => readResponse(decodePost(answer), { ...expected, now: new Date() }), {
    reason: 'signature_missing',
  });
});

await it('says why nobody is signed in, and we read that', () => {
  const answer = pysaml2('idp_refuse', { ...asSp, requestId: '_request', acs: ACS });
  assert.throws(() => readResponse(decodePost(answer), { ...expected, now: new Date() }), {
    reason: 'status_failed',
    status: { level: 'Responder', code: 'NoPassive' },
  });
});
