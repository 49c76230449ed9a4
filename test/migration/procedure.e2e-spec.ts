import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addOidc, link, OUTBOUND, visit } from '../idp/external.js';
import { App, afterPassword, proofOf, withApp } from '../login/factor-turns.js';
import { AdminApi } from '../support/admin-api.js';
import { assertAs } from '../support/assertion.js';
import type { TestClient, TestOrg, TestPerson, TestService } from '../support/builders.js';
import { send } from '../support/http.js';
import { basicAuth, bearer, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';

const DAY_MS = 86_400_000;
const ROLES = 'urn:service:iam:org:project:roles';

/** What the source has, as those know it who use it. */
interface House {
  readonly org: TestOrg;
  readonly guests: TestOrg;
  readonly person: TestPerson;
  readonly seed: string;
  readonly guest: TestPerson;
  readonly web: TestClient;
  readonly api: TestClient;
  readonly service: TestService;
  readonly idpId: string;
  readonly refreshToken: string;
}

let source: World;
let target: World;
let upstream: Upstream;
let house: House;
let from: AdminApi;
let to: AdminApi;
let document: { orgs: unknown[] };

/** On each system: a service user of the default organization that owns the instance, and its expiring token. */
async function mover(world: World): Promise<AdminApi> {
  const administrator = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal());
  const { org } = await administrator.call<{ org: { id: string } }>('GET', '/admin/v1/orgs/default');
  const inOrg = administrator.about(org.id);
  const { userId } = await inOrg.call<{ userId: string }>('POST', '/management/v1/users/machine', {
    userName: 'mover',
    name: 'Mover',
    accessTokenType: 'ACCESS_TOKEN_TYPE_BEARER',
  });
  const expirationDate = new Date(world.clock.now().getTime() + DAY_MS).toISOString();
  const { token } = await inOrg.call<{ token: string }>('POST', `/management/v1/users/${userId}/pats`, {
    expirationDate,
  });
  await administrator.call('POST', '/admin/v1/members', { userId, roles: ['IAM_OWNER'] });
  world.plant(token);
  return new AdminApi(world.origin, token);
}

async function furnish(world: World, issuer: string): Promise<House> {
  const org = await world.add.org('birkenhof.test', 'Birkenhof');
  const guests = await world.add.org('spedition.test', 'Spedition');
  const projectId = await world.add.project({ orgId: org.id, projectRoleAssertion: true, projectRoleCheck: true }, [
    'dispatcher',
    'driver',
  ]);
  const person = await world.add.person({ orgId: org.id, userName: 'ilse' });
  const guest = await world.add.person({ orgId: guests.id, userName: 'bodo' });
  const app = await withApp(world, person);
  const web = await world.add.client({
    projectId,
    idTokenRoleAssertion: true,
    accessTokenType: 'jwt',
    accessTokenRoleAssertion: true,
  });
  const api = await world.add.api({ projectId, authMethod: 'private_key_jwt' });
  const service = await world.add.service({ orgId: org.id });
  const idpId = await addOidc(world, issuer, { name: 'Firmen-Login' }, org.id);
  await link(world, idpId, person.id, org.id, 'ilse-there');
  const admin = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal()).about(org.id);
  const { grantId } = await admin.call<{ grantId: string }>('POST', `/management/v1/projects/${projectId}/grants`, {
    grantedOrgId: guests.id,
    roleKeys: ['driver'],
  });
  await admin.call('POST', `/management/v1/users/${person.id}/grants`, {
    projectId,
    roleKeys: ['dispatcher', 'driver'],
  });
  await admin.about(guests.id).call('POST', `/management/v1/users/${guest.id}/grants`, {
    projectId,
    projectGrantId: grantId,
    roleKeys: ['driver'],
  });
  await admin.call('POST', '/management/v1/policies/login', {
    allowUsernamePassword: true,
    allowExternalIdp: true,
    secondFactors: ['SECOND_FACTOR_TYPE_OTP'],
    idps: [{ idpId, ownerType: 'IDP_OWNER_TYPE_ORG' }],
  });
  const client = new RelyingParty(world, web);
  const { refresh_token: refreshToken } = await client.tokens(guest, { scope: 'openid offline_access' });
  return { org, guests, person, guest, web, api, service, idpId, refreshToken: refreshToken, seed: app.seed };
}

beforeAll(async () => {
  source = await startWorld({ env: OUTBOUND });
  target = await startWorld({ env: { ...OUTBOUND, MASTER_KEY: 'another master key, for the target alone' } });
  upstream = await startUpstream(target);
  house = await furnish(source, upstream.issuer);
  [from, to] = [await mover(source), await mover(target)];
});
afterAll(async () => {
  await upstream.close();
  await Promise.all([source.close(), target.close()]);
});

const exportBy = (api: AdminApi): Promise<{ orgs: unknown[] }> =>
  api.call('POST', '/admin/v1/export', {
    org_ids: [house.org.id, house.guests.id],
    with_passwords: true,
    with_otp: true,
    with_keys: true,
    timeout: '5m',
    response_output: true,
  });

describe('The migration procedure between two running instances, by personal access token', () => {
  it('exports the organizations of the source and imports them into the target, which names every object', async () => {
    document = await exportBy(from);
    const { success, errors } = await to.call<{
      success: { orgs: Array<Record<string, unknown[]>> };
      errors: unknown[];
    }>('POST', '/admin/v1/import', { timeout: '5m', data_orgsv1: document });
    expect(errors).toEqual([]);
    expect(success.orgs.map(({ orgId }) => orgId)).toEqual([house.org.id, house.guests.id]);
    expect(success.orgs[0]).toMatchObject({
      humanUserIds: [house.person.id],
      machineUserIds: [house.service.id],
      oidcAppIds: [house.web.id],
      apiAppIds: [house.api.id],
      oidcIpds: [house.idpId],
    });
  });

  it('loses nothing: the second export equals the first', async () => {
    expect(await exportBy(to)).toEqual(document);
  });
});

describe('At the target, without any new configuration', () => {
  it('a user signs in with the previous password and authenticator app', async () => {
    const client = new RelyingParty(target, house.web);
    const asked = await afterPassword(client, house.person);
    expect(asked.heading).toBe('Enter your code');
    const proof = await proofOf(
      client,
      await client.browser.submit(asked, { code: new App(target, house.seed).code() }),
    );
    expect(proof['amr']).toEqual(['pwd', 'otp', 'mfa']);
  });

  it('an application gets tokens with its previous id and secret, and they contain the roles, including those of a granted project', async () => {
    target.clock.advance('1m');
    const client = new RelyingParty(target, house.web);
    const asked = await afterPassword(client, house.person, { scope: `openid ${ROLES}` });
    const { code } = client.toAnswer(await client.browser.submit(asked, { code: new App(target, house.seed).code() }));
    const claims = await client.verify(tokensOf(await client.redeem(code!)).id_token);
    expect(claims.sub).toBe(house.person.id);
    expect(claims[ROLES]).toEqual({
      dispatcher: { [house.org.id]: house.org.domain },
      driver: { [house.org.id]: house.org.domain },
    });
    const guest = client.elsewhere();
    const guestClaims = await guest.verify((await guest.tokens(house.guest, { scope: `openid ${ROLES}` })).id_token);
    expect(guestClaims[ROLES]).toEqual({ driver: { [house.guests.id]: house.guests.domain } });
  });

  it('an API introspects tokens with its previous key', async () => {
    const client = new RelyingParty(target, house.web);
    const { access_token: token } = await client.tokens(house.guest, {
      scope: 'openid urn:service:iam:org:projects:roles',
    });
    const reply = await new RelyingParty(target, house.api).introspect(token);
    expect(reply.json()).toMatchObject({ active: true, sub: house.guest.id });
  });

  it('a service user gets tokens with its previous secret and with its previous key', async () => {
    const bySecret = await send(target.origin, {
      method: 'POST',
      path: paths.token,
      headers: basicAuth(house.service.userName, house.service.secret),
      body: { grant_type: 'client_credentials', scope: 'openid' },
    });
    expect(bySecret.status).toBe(200);
    expect((await assertAs(target, house.service)).status).toBe(200);
  });

  it('a user signs in through the provider that the account was linked to', async () => {
    const client = new RelyingParty(target, house.web);
    const arrival = await visit(
      client,
      upstream,
      house.idpId,
      { sub: 'ilse-there' },
      { scope: `openid urn:service:iam:org:id:${house.org.id}` },
    );
    const asked = arrival.page;
    const done = asked?.find('#code')
      ? await client.browser.submit(asked, { code: new App(target, house.seed).code(1) })
      : arrival;
    const claims = await client.verify(tokensOf(await client.redeem(client.toAnswer(done).code!)).id_token);
    expect(claims.sub).toBe(house.person.id);
  });

  it('no refresh token, personal access token or session of the source is valid [EXP-034]', async () => {
    const client = new RelyingParty(target, house.web);
    expect((await client.refresh(house.refreshToken)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await send(target.origin, { path: '/auth/v1/users/me', headers: bearer(house.service.pat) })).status).toBe(
      401,
    );
  });
});
