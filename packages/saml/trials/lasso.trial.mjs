/*
 * Lasso in both roles against us in both roles, with metadata of both that we write.
 */
import { assert, file, it, keyFiles, load, NOW, peer } from './trial.mjs';

const { readServiceProvider } = await load('metadata/service-provider');
const { readIdentityProvider } = await load('metadata/identity-provider');
const { writeIdentityProvider, writeServiceProvider } = await load('metadata/write-metadata');
const { decodeRedirect, toRedirectUrl } = await load('bindings/redirect');
const { decodePost, toPostForm } = await load('bindings/post');
const { readAuthnRequest } = await load('idp/authn-request');
const { writeResponse } = await load('idp/write-response');
const { namedAttribute } = await load('idp/attribute-names');
const { writeAuthnRequest } = await load('sp/write-authn-request');
const { readResponse } = await load('sp/read-response');
const { readLogoutRequest, writeLogoutRequest } = await load('logout/logout-request');
const { AUTHN_CONTEXT, NAME_ID_FORMAT } = await load('protocol/uris');

const ENTITY = 'https://gatehouse.test/saml/v2/metadata';
const SSO = 'https://gatehouse.test/saml/v2/SSO';
const SLO = 'https://gatehouse.test/saml/v2/SLO';
const ACS = 'https://gatehouse.test/acs';

const ours = await keyFiles('ours');
const theirs = await keyFiles('theirs');
const lasso = peer(process.env.LASSO_PYTHON ?? '/usr/bin/python3', 'lasso_peer.py');
const query = (url) => url.slice(url.indexOf('?') + 1);

const endpoints = (url) => [
  { binding: 'redirect', url },
  { binding: 'post', url },
];
const entity = (entityId, key, slo) => ({
  entityId,
  certificates: [key.certificate],
  logoutEndpoints: endpoints(slo),
  nameIdFormats: [NAME_ID_FORMAT.persistent],
});
const idp = (...of) =>
  writeIdentityProvider({ ...entity(...of), signOnEndpoints: endpoints(of[3]), wantAuthnRequestsSigned: true });
const sp = (...of) =>
  writeServiceProvider({ ...entity(...of), assertionConsumerUrl: of[3], authnRequestsSigned: true });

const ourIdp = idp(ENTITY, ours, SLO, SSO);
const ourSp = sp(ENTITY, ours, SLO, ACS);
const theirSp = sp('https://sp.test', theirs, 'https://sp.test/slo', 'https://sp.test/acs');
const theirIdp = idp('https://idp.test', theirs, 'https://idp.test/slo', 'https://idp.test/sso');
const keys = { key: theirs.files.key, certificate: theirs.files.certificate };
const asIdp = { ...keys, entity: ENTITY, own: file('their-sp.xml', theirSp), metadata: file('our-idp.xml', ourIdp) };
const asSp = { ...keys, own: file('their-idp.xml', theirIdp), metadata: file('our-sp.xml', ourSp) };

console.log('Lasso, a service provider that signs people in by us');
const serviceProvider = readServiceProvider(Buffer.from(theirSp), NOW);
const nameId = {
  value: 'anna',
  format: NAME_ID_FORMAT.persistent,
  nameQualifier: ENTITY,
  spNameQualifier: 'https://sp.test',
};

for (const hash of ['SHA256', 'SHA384', 'SHA512']) {
  for (const binding of ['redirect', 'post']) {
    await it(`asks us by ${binding} with ${hash}, and reads our response`, () => {
      const asked = lasso('sp_request', { ...asIdp, binding, hash });
      const message = binding === 'redirect' ? decodeRedirect(query(asked.url)) : decodePost(asked);
      const result = readAuthnRequest(message, { serviceProvider, destination: SSO });
      assert.equal(result.kind, 'accepted');
      assert.equal(result.request.answer.requestId, asked.id);
      assert.deepEqual(result.request.nameId, { format: 'persistent', allowCreate: true });
      assert.equal(result.request.isPassive, true);
      if (binding === 'redirect') assert.equal(message.relayState, 'state/1?a=b c');
      const outgoing = writeResponse(
        {
          issuer: ENTITY,
          answer: result.request.answer,
          nameId,
          authnInstant: new Date(),
          authnContext: AUTHN_CONTEXT.passwordProtectedTransport,
          sessionIndex: '17',
          attributes: [namedAttribute('mail', ['anna & <co>'])],
          now: new Date(),
        },
        ours,
      );
      const read = lasso('sp_read', { ...asIdp, ...toPostForm(outgoing).fields, hash, state: asked.state });
      assert.equal(read.nameId, 'anna');
      assert.equal(read.inResponseTo, asked.id);
      assert.equal(read.session, '17');
      assert.deepEqual(read.attributes, { mail: ['anna &amp; &lt;co&gt;'] });
      const expected = { partner: serviceProvider, destination: SLO, now: new Date() };
      const logout = readLogoutRequest(decodeRedirect(query(read.logout)), expected);
      assert.deepEqual([logout.id, logout.nameId, logout.sessionIndexes], [read.logoutId, nameId, ['17']]);
    });
  }
}

await it('reads our request for logout', () => {
  const destination = 'https://sp.test/slo';
  const request = writeLogoutRequest({ issuer: ENTITY, destination, nameId, sessionIndexes: ['17'], now: new Date() });
  const read = lasso('sp_read_logout', { ...asIdp, query: query(toRedirectUrl(request, { key: ours })) });
  assert.deepEqual(read, { nameId: 'anna', id: request.id });
});

await it('refuses our request for logout after a change', () => {
  const destination = 'https://sp.test/slo';
  const request = writeLogoutRequest({ issuer: ENTITY, destination, nameId, sessionIndexes: ['17'], now: new Date() });
  const url = toRedirectUrl(request, { key: ours, relayState: { ours: 'a' } }).replace('RelayState=a', 'RelayState=b');
  assert.throws(() => lasso('sp_read_logout', { ...asIdp, query: query(url) }), /signature/i);
});

console.log('Lasso, an identity provider at which our people sign in');
const provider = readIdentityProvider(Buffer.from(theirIdp), NOW);

for (const binding of ['redirect', 'post']) {
  await it(`reads our signed request by ${binding}, and we read its response`, () => {
    const request = writeAuthnRequest({
      issuer: ENTITY,
      destination: 'https://idp.test/sso',
      assertionConsumerUrl: ACS,
      nameIdFormat: NAME_ID_FORMAT.persistent,
      now: new Date(),
    });
    const message =
      binding === 'redirect'
        ? query(toRedirectUrl(request, { key: ours }))
        : toPostForm(request, { key: ours }).fields.SAMLRequest;
    const at = (seconds) => new Date(Math.floor(Date.now() / 1000 + seconds) * 1000).toISOString().replace('.000', '');
    const times = { authnInstant: at(0), notBefore: at(-30), notOnOrAfter: at(300) };
    const answered = lasso('idp_answer', { ...asSp, message, ...times });
    assert.deepEqual([answered.issuer, answered.acs, answered.requestId], [ENTITY, ACS, request.id]);
    const expected = { provider, requestId: request.id, recipient: ACS, audience: ENTITY, now: new Date() };
    const person = readResponse(decodePost(answered), expected);
    assert.equal(person.nameId.value, answered.nameId);
    assert.deepEqual(person.attributes[0].values, ['anna & <co>']);
  });
}
