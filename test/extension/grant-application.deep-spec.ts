import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { ClientService } from '../../src/project/client/client.service.js';
import type { NewClient } from '../../src/project/client/client-settings.js';
import { PRODUCT_GRANT_URIS } from '../../src/project/client/ext-grant.js';
import { ProjectService } from '../../src/project/project.service.js';
import { EMPTY_LISTS } from '../admin/project-support.js';
import type { AdminApi, Json } from '../support/admin-api.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import type { Parameters } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import { BADGE, BadgeGrant, BadgeStage, forgetBadges, KIOSK, outcomeOf } from './badge-stage.js';

let stage: BadgeStage;
let world: World;
let alice: TestPerson;
let api: AdminApi;
let projectId: string;
let party: RelyingParty;

beforeAll(async () => {
  stage = await BadgeStage.set();
  ({ world, alice, api, projectId, party } = stage);
});
beforeEach(() => world.clock.advance('16m'));
afterEach(forgetBadges);
afterAll(() => world.close());

describe('An application', () => {
  it.each<[string, Partial<NewClient>, Parameters, string]>([
    ['without the grant', { extensionGrants: [KIOSK] }, {}, '400 unauthorized_client'],
    ['without authentication', { authMethod: 'none' }, {}, '400 unauthorized_client'],
    ['whose users agree on a page', { consentPage: true }, {}, '400 unauthorized_client'],
    ['that has registered itself', { origin: 'registered', about: { name: 'x' } }, {}, '400 unauthorized_client'],
    ['without authentication, by a grant that allows it', { authMethod: 'none' }, { grant_type: KIOSK }, 'ok'],
    ['with a grant that nobody has', {}, { grant_type: 'urn:example:nobody' }, '400 unsupported_grant_type'],
  ])('%s is answered accordingly', async (_, settings, over, outcome) => {
    expect(outcomeOf(await stage.ask(over, await stage.partyWith(settings)))).toBe(outcome);
  });

  it('with wrong credentials does not reach the grant', async () => {
    const stranger = new RelyingParty(world, { ...party.client, secret: 'wrong' });
    expect(outcomeOf(await stage.ask({}, stranger))).toBe('401 invalid_client');
    expect(BadgeGrant.asked).toEqual([]);
  });

  it('that must bind its tokens proves a key, or gets none', async () => {
    const prover = await Prover.make(world);
    const demands = [
      ['400 invalid_dpop_proof', { dpopBoundAccessTokens: true }],
      ['400 invalid_request', { securityProfile: 'fapi_2_0', authMethod: 'private_key_jwt', keyAlgorithm: 'ES256' }],
    ] as const;
    for (const [refusal, over] of demands) {
      const bound = await stage.partyWith(over);
      expect(outcomeOf(await stage.ask({}, bound))).toBe(refusal);
      expect(BadgeGrant.asked).toEqual([]);
      const reply = await stage.ask({}, bound, await prover.forTokens());
      expect(reply.json()).toMatchObject({ token_type: 'DPoP' });
      expect(decodeJwt(tokensOf(reply).access_token)).toMatchObject({ cnf: { jkt: prover.thumbprint } });
      BadgeGrant.asked = [];
    }
  });

  it('gets the roles of its project', async () => {
    const own = await world.add.project({ orgId: alice.orgId, projectRoleAssertion: true }, ['viewer']);
    await world.add.grant(alice.id, own, alice.orgId, ['viewer']);
    const rp = await stage.partyWith({ projectId: own, accessTokenRoleAssertion: true });
    const claims = decodeJwt(tokensOf(await stage.ask({}, rp)).access_token);
    expect(JSON.stringify(claims)).toContain('viewer');
  });

  it('gets a token for the resource that it names, and nothing else', async () => {
    const resource = 'urn:example:door';
    await world.transaction((tx) => world.get(ProjectService).setResources(tx, projectId, [resource], EDITOR));
    const { access_token: token } = await stage.granted({ resource });
    expect(decodeJwt(token).aud).toEqual([resource]);
  });
});

describe('The grants of an application', () => {
  const settings = (names: readonly string[] | undefined): Json => ({
    ...EMPTY_LISTS,
    redirectUris: ['https://kiosk.test/cb'],
    appType: 'OIDC_APP_TYPE_WEB',
    ...(names && { extensionGrants: { names } }),
  });
  const grantsOf = async (id: string) =>
    (await api.call('GET', `/management/v1/projects/${projectId}/apps/${id}`))['app'].oidcConfig;

  it('are set by the administrative API, and left alone by an update that does not name them', async () => {
    const base = `/management/v1/projects/${projectId}/apps`;
    const { appId } = await api.call('POST', `${base}/oidc`, { name: 'Kiosk', ...settings([BADGE]) });
    expect((await grantsOf(appId)).extensionGrants).toEqual({ names: [BADGE] });
    await api.call('PUT', `${base}/${appId}/oidc_config`, settings(undefined));
    expect((await grantsOf(appId)).extensionGrants).toEqual({ names: [BADGE] });
    await api.call('PUT', `${base}/${appId}/oidc_config`, settings([]));
    expect((await grantsOf(appId)).extensionGrants.names ?? []).toEqual([]);
  });

  it.each([
    ['no loaded extension has', ['urn:example:nobody']],
    ['is no absolute URI', ['badge']],
    ["is the product's", [PRODUCT_GRANT_URIS[0]!]],
  ])('cannot contain one that %s', async (_, names) => {
    const body = { name: 'Other', ...settings(names) };
    expect(await api.verdict('POST', `/management/v1/projects/${projectId}/apps/oidc`, body)).toBe(
      '400 extensionGrants.names[0]',
    );
  });

  it('keep one whose extension is gone, which is refused; the problems of the application name it', async () => {
    const { client } = await stage.partyWith();
    await world.rows(`UPDATE client SET extension_grants = '{urn:example:gone}' WHERE id = $1`, [client.id]);
    await world.get(ClientService).findActiveAnew(client.clientId);
    const config = await grantsOf(client.id);
    expect(config.extensionGrants).toEqual({ names: ['urn:example:gone'] });
    expect(config.complianceProblems).toContainEqual({
      key: 'Application.OIDC.V1.GrantType.Extension.NotLoaded',
      localizedMessage: expect.stringContaining('urn:example:gone'),
    });
    const path = `/management/v1/projects/${projectId}/apps/${client.id}/oidc_config`;
    await api.call('PUT', path, settings(['urn:example:gone', BADGE]));
    expect(await api.verdict('PUT', path, settings(['urn:example:other']))).toBe('400 extensionGrants.names[0]');
    const gone = new RelyingParty(world, client);
    expect(outcomeOf(await stage.ask({ grant_type: 'urn:example:gone' }, gone))).toBe('400 unsupported_grant_type');
    const { orgs } = await api.call('POST', '/admin/v1/export', { orgIds: [(await ownerOf(projectId))!] });
    const app = orgs[0].oidcApps.find((one: { appId: string }) => one.appId === client.id);
    expect(app.app.extensionGrants).toEqual(['urn:example:gone', BADGE]);
  });

  it('come with a document, which says what is refused here', async () => {
    const app = {
      projectId: 'of-kiosk',
      name: 'Kiosk',
      redirectUris: ['https://kiosk.test/cb'],
      responseTypes: ['OIDC_RESPONSE_TYPE_CODE'],
      grantTypes: ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE'],
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
      extensionGrants: [BADGE, 'urn:example:gone'],
    };
    const orgs = [
      {
        orgId: 'org-of-kiosk',
        org: { name: 'Kiosks' },
        projects: [{ projectId: 'of-kiosk', project: { name: 'Doors' } }],
        oidcApps: [{ appId: 'app-of-kiosk', clientId: 'kiosk', app }],
      },
    ];
    const report = await api.call('POST', '/admin/v1/import', { data_orgs: { orgs } });
    expect(report['errors'].map(({ message }: { message: string }) => message)).toEqual([
      'app.extensionGrants[1]: "urn:example:gone" is kept, but refused: no extension that is loaded has this grant',
    ]);
    const [row] = await world.rows(`SELECT extension_grants AS names FROM client WHERE id = 'app-of-kiosk'`);
    expect(row).toEqual({ names: [BADGE, 'urn:example:gone'] });
  });

  async function ownerOf(id: string): Promise<string | undefined> {
    return (await world.rows<{ orgId: string }>('SELECT org_id AS "orgId" FROM project WHERE id = $1', [id]))[0]?.orgId;
  }
});
