import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi, verdictOf } from '../support/admin-api.js';
import { startWorld, type World } from '../support/world.js';

const DAY_MS = 86_400_000;

let world: World;
let administrator: AdminApi;

beforeAll(async () => {
  world = await startWorld();
  administrator = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal());
});
afterAll(() => world.close());

/**
 * The steps of a migration on one system, up to the token: a service user of the default organization that owns the
 * instance.
 */
async function prepare(userName: string): Promise<{ api: AdminApi; userId: string; tokenId: string; orgId: string }> {
  const { org } = await administrator.call<{ org: { id: string } }>('GET', '/admin/v1/orgs/default');
  const inOrg = administrator.about(org.id);
  const { userId } = await inOrg.call<{ userId: string }>('POST', '/management/v1/users/machine', {
    userName,
    name: 'Migration',
    description: 'Until the move is done',
    accessTokenType: 'ACCESS_TOKEN_TYPE_BEARER',
  });
  const expirationDate = new Date(world.clock.now().getTime() + DAY_MS).toISOString();
  const { token, tokenId } = await inOrg.call<{ token: string; tokenId: string }>(
    'POST',
    `/management/v1/users/${userId}/pats`,
    { expirationDate },
  );
  world.plant(token);
  await administrator.call('POST', '/admin/v1/members', { userId, roles: ['IAM_OWNER'] });
  return { api: new AdminApi(world.origin, token), userId, tokenId, orgId: org.id };
}

describe('The migration procedure, up to the move and after it', () => {
  it('gives a service user of the default organization an expiring token and the role IAM_OWNER, with which operations of the instance are called', async () => {
    const { api, userId, orgId } = await prepare('migration');
    const { customText } = await api.call('GET', '/admin/v1/text/default/message/init/en');
    expect(customText).toMatchObject({ isDefault: true, title: 'Welcome to Gatehouse' });
    const idp = await api.call<{ idpId: string }>('POST', '/admin/v1/idps/oidc', {
      name: 'Accounts of the example',
      clientId: 'gatehouse',
      clientSecret: 'the secret of this client',
      issuer: 'https://accounts.example.com',
    });
    await api.call('DELETE', `/admin/v1/idps/${idp.idpId}`);
    const { user } = await api.call('GET', `/management/v1/users/${userId}`);
    expect(user).toMatchObject({
      id: userId,
      details: { resourceOwner: orgId },
      machine: { accessTokenType: 'ACCESS_TOKEN_TYPE_BEARER' },
    });
    const { result } = await api.call<{ result: Array<{ userId: string; roles: string[] }> }>(
      'POST',
      '/admin/v1/members/_search',
      { queries: [{ userIdQuery: { userId } }] },
    );
    expect(result).toEqual([expect.objectContaining({ userId, roles: ['IAM_OWNER'] })]);
  });

  it('has a dead token as soon as its user is removed, which no longer manages anything', async () => {
    const { api, userId } = await prepare('migration-2');
    expect(await api.verdict('GET', '/admin/v1/orgs/default')).toBe('200');
    await administrator.call('DELETE', `/management/v1/users/${userId}`);
    const reply = await api.ask('GET', '/admin/v1/orgs/default');
    expect([verdictOf(reply), reply.json()['code']]).toEqual(['401 token.dead', 16]);
    const { result } = await administrator.call('POST', '/admin/v1/members/_search', {
      queries: [{ userIdQuery: { userId } }],
    });
    expect(result).toEqual([]);
  });

  it('has a dead token when its day has passed, or when it is removed before', async () => {
    const [removed, expired] = [await prepare('migration-3'), await prepare('migration-4')];
    await administrator.call('DELETE', `/management/v1/users/${removed.userId}/pats/${removed.tokenId}`);
    expect(await removed.api.verdict('GET', '/admin/v1/orgs/default')).toBe('401 token.dead');
    expect(await expired.api.verdict('GET', '/admin/v1/orgs/default')).toBe('200');
    world.clock.advance('25h');
    expect(await expired.api.verdict('GET', '/admin/v1/orgs/default')).toBe('401 token.dead');
  });
});
