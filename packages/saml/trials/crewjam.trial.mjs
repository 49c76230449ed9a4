/*
 * crewjam/saml, of Go, in both roles against us in both roles.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { assert, folder, here, it, keyFiles, load, NOW } from './trial.mjs';

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
const { readLogoutRequest } = await load('logout/logout-request');
const { AUTHN_CONTEXT, NAME_ID_FORMAT } = await load('protocol/uris');

const ENTITY = 'https://gatehouse.test/saml/v2/metadata';
const SSO = 'https://gatehouse.test/saml/v2/SSO';
const SLO = 'https://gatehouse.test/saml/v2/SLO';
const ACS = 'https://gatehouse.test/acs';

const program = join(folder, 'crewjam');
const source = join(folder, 'source');
mkdirSync(source);
copyFileSync(join(here, 'crewjam_peer.go'), join(source, 'main.go'));
for (const options of [
  ['mod', 'init', 'crewjam_peer'],
  ['mod', 'tidy'],
  ['build', '-o', program, '.'],
])
  execFileSync('go', options, { cwd: source, stdio: 'pipe' });
const crewjam = (command, input) =>
  JSON.parse(execFileSync(program, [command], { input: JSON.stringify(input), encoding: 'utf8', stdio: 'pipe' }));
const query = (url) => url.slice(url.indexOf('?') + 1);
const endpoints = (url) => [
  { binding: 'redirect', url },
  { binding: 'post', url },
];

const ours = await keyFiles('ours');

// It writes signatures of ECDSA in DER, which we read; it does not read those of RFC 9231, which we write.
for (const kind of ['rsa', 'ec']) {
  const theirs = await keyFiles(`theirs-${kind}`, kind);
  const given = { key: theirs.files.key, certificate: theirs.files.certificate };
  const common = {
    entityId: ENTITY,
    certificates: [ours.certificate],
    logoutEndpoints: endpoints(SLO),
    nameIdFormats: [NAME_ID_FORMAT.persistent],
  };
  const asIdp = {
    ...given,
    metadata: writeIdentityProvider({ ...common, signOnEndpoints: endpoints(SSO), wantAuthnRequestsSigned: true }),
  };
  const asSp = {
    ...given,
    metadata: writeServiceProvider({ ...common, assertionConsumerUrl: ACS, authnRequestsSigned: true }),
  };

  console.log(`crewjam/saml, a service provider that signs people in by us, its key of kind ${kind}`);
  const serviceProvider = readServiceProvider(Buffer.from(crewjam('sp_metadata', given).xml), NOW);

  for (const binding of ['redirect', 'post']) {
    await it(`asks us by ${binding}, and reads our response`, () => {
      const asked = crewjam('sp_request', { ...asIdp, binding });
      const message = binding === 'redirect' ? decodeRedirect(query(asked.url)) : decodePost(asked);
      const result = readAuthnRequest(message, { serviceProvider, destination: SSO });
      assert.equal(result.kind, 'accepted');
      assert.equal(result.request.answer.requestId, asked.id);
      const outgoing = writeResponse(
        {
          issuer: ENTITY,
          answer: result.request.answer,
          nameId: { value: 'anna & <co>', format: NAME_ID_FORMAT.persistent },
          authnInstant: new Date(),
          authnContext: AUTHN_CONTEXT.passwordProtectedTransport,
          sessionIndex: '17',
          attributes: [namedAttribute('roles', ['a & b', '<c>'])],
          now: new Date(),
        },
        ours,
      );
      const read = crewjam('sp_read', { ...asIdp, ...toPostForm(outgoing).fields, requestId: asked.id });
      assert.deepEqual(read, { nameId: 'anna & <co>', session: '17', attributes: { roles: ['a & b', '<c>'] } });
    });
  }

  await it('asks for logout, and we read that', () => {
    const { url } = crewjam('sp_logout', { ...asIdp, nameId: 'anna' });
    const expected = { partner: serviceProvider, destination: SLO, now: new Date() };
    assert.equal(readLogoutRequest(decodeRedirect(query(url)), expected).nameId.value, 'anna');
  });

  if (kind === 'ec') continue; // As an identity provider it has no such key.
  console.log('crewjam/saml, an identity provider at which our people sign in');
  const provider = readIdentityProvider(Buffer.from(crewjam('idp_metadata', given).xml), NOW);

  for (const binding of ['redirect', 'post']) {
    await it(`reads our signed request by ${binding}, and we read its response`, () => {
      const request = writeAuthnRequest({
        issuer: ENTITY,
        destination: 'https://idp.test/sso',
        assertionConsumerUrl: ACS,
        now: new Date(),
      });
      const options = { key: ours, relayState: { ours: 'a b' } };
      const sent =
        binding === 'redirect' ? { url: toRedirectUrl(request, options) } : toPostForm(request, options).fields;
      const answered = crewjam('idp_answer', { ...asSp, ...sent, nameId: 'anna & <co>' });
      assert.deepEqual([answered.acs, answered.requestId], [ACS, request.id]);
      const expected = { provider, requestId: request.id, recipient: ACS, audience: ENTITY, now: new Date() };
      const person = readResponse(decodePost(answered), expected);
      assert.equal(person.nameId.value, 'anna & <co>');
      const groups = person.attributes.find(({ friendlyName }) => friendlyName === 'eduPersonAffiliation');
      assert.deepEqual(groups.values, ['a & b', '<c>']);
    });
  }
}
