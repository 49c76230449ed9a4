import { afterAll, beforeAll, expect, it } from '@jest/globals';
import ldap from '../../packages/ldap/src/ldap.extension.js';
import saml from '../../packages/saml/src/saml.extension.js';
import social from '../../packages/social/src/social.extension.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { startWorld } from '../support/world.js';
import { convertFrom, importable, type Org } from './zitadel-database/converted.js';
import { BIND_PASSWORD, IDS, ORG } from './zitadel-database/facts.js';
import { SourceFixture } from './zitadel-database/fixture.js';

const world = await startWorld({ extensions: [ldap, saml, social] });
const source = await SourceFixture.open(world.database.connection, '4');
let api: AdminApi;

beforeAll(async () => {
  api = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
});
afterAll(async () => {
  await source.close();
  await world.close();
});

it('Providers and SAML applications of a database of ZITADEL are imported where their extensions are loaded', async () => {
  const converted = await convertFrom(source.url, { extensions: ['ldap', 'saml', 'social'] });
  const answer = await api.call('POST', '/admin/v1/import', { data_orgs: importable(converted) });
  // Passkeys work where they were made.
  expect((answer['errors'] as Json[]).map(({ type }) => type)).toEqual(['passkey', 'security_key']);
  const { orgs } = await api.call<{ orgs: Org[] }>('POST', '/admin/v1/export', {
    org_ids: [ORG],
    with_passwords: true,
    response_output: true,
  });
  const [own] = orgs;
  expect(own!['extensionIdps'].map(({ idpId, idp }: Org) => [idpId, idp.kind])).toEqual([
    [IDS.google, 'ext:social-google'],
    [IDS.github, 'ext:social-github'],
    [IDS.entra, 'ext:social-entra'],
    [IDS.directory, 'ext:ldap'],
  ]);
  expect(own!['extensionIdps'][3].idp.settings.bindPassword).toBe(BIND_PASSWORD);
  expect(own!['extensions'].saml.application).toMatchObject([{ client_id: IDS.saml, name_id_format: 'emailAddress' }]);
  expect(own!['userLinks']).toHaveLength(5);
});
