import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addJwt, addOidc, link, linksOf } from '../idp/external.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg, TestPerson } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let orgA: TestOrg;
let owner: AdminApi;
let alice: TestPerson;
let oidcId: string;
let jwtId: string;

beforeAll(async () => {
  world = await startWorld();
  orgA = await world.cast.orgA;
  owner = (await callerWith(world, orgA, ['ORG_OWNER'])).api;
  alice = await world.cast.alice;
  oidcId = await addOidc(world, 'https://accounts.example.com', { name: 'Accounts' });
  jwtId = await addJwt(world, 'https://proxy.example.com', { name: 'Gateway' });
});
afterAll(() => world.close());

const path = (userId: string): string => `/management/v1/users/${userId}/idps`;

describe('The accounts at providers of a person', () => {
  it('are listed with what they are called, page by page', async () => {
    await link(world, oidcId, alice.id, alice.orgId, 'u-4471');
    await link(world, oidcId, alice.id, alice.orgId, 'u-9/ü ?');
    await link(world, jwtId, alice.id, alice.orgId, 'edge');
    const entry = (idpId: string, idpName: string, idpType: string, id: string): object => ({
      userId: alice.id,
      idpId,
      idpName,
      providedUserId: id,
      providedUserName: id,
      idpType,
      linkedAt: world.clock.now().toISOString(),
    });
    const all = [
      entry(oidcId, 'Accounts', 'IDP_TYPE_OIDC', 'u-4471'),
      entry(oidcId, 'Accounts', 'IDP_TYPE_OIDC', 'u-9/ü ?'),
      entry(jwtId, 'Gateway', 'IDP_TYPE_JWT', 'edge'),
    ];
    const { result, details } = await owner.call('POST', `${path(alice.id)}/_search`, { query: { asc: true } });
    expect([result, details.totalResult]).toEqual([all, '3']);
    expect(
      (await owner.call('POST', `${path(alice.id)}/_search`, { query: { asc: true, offset: '1', limit: 1 } })).result,
    ).toEqual([all[1]]);
    expect((await owner.call('POST', `${path((await world.cast.bob).id)}/_search`)).result).toEqual([]);
  });

  it('are removed one by one, with an event for each, and no second time', async () => {
    const before = await linksOf(world, oidcId);
    const { details } = await owner.call('DELETE', `${path(alice.id)}/${oidcId}/${encodeURIComponent('u-9/ü ?')}`);
    expect(details).toEqual({
      sequence: expect.stringMatching(/^\d+$/),
      changeDate: expect.any(String),
      resourceOwner: orgA.id,
    });
    expect(await linksOf(world, oidcId)).toEqual(before.filter(({ externalUserId }) => externalUserId === 'u-4471'));
    const events = await world.rows(
      `SELECT payload FROM event WHERE type = 'user.human.externalidp.removed' AND aggregate_id = $1`,
      [alice.id],
    );
    expect(events).toEqual([{ payload: { idpConfigId: oidcId, userId: 'u-9/ü ?' } }]);
    expect(await owner.verdict('DELETE', `${path(alice.id)}/${oidcId}/${encodeURIComponent('u-9/ü ?')}`)).toBe(
      '404 idp.link_not_found',
    );
  });

  it('are removed once if two calls come at once', async () => {
    await link(world, oidcId, alice.id, alice.orgId, 'twice');
    const verdicts = await Promise.all(
      [1, 2, 3].map(() => owner.verdict('DELETE', `${path(alice.id)}/${oidcId}/twice`)),
    );
    expect(verdicts.sort()).toEqual(['200', '404 idp.link_not_found', '404 idp.link_not_found']);
  });

  it("are not removed by another person's name, by another provider's, or by letters that only look the same", async () => {
    const bob = await world.cast.bob;
    for (const [userId, idpId, id] of [
      [bob.id, oidcId, 'u-4471'],
      [alice.id, jwtId, 'u-4471'],
      [alice.id, oidcId, 'U-4471'],
      [alice.id, oidcId, 'u-4471%20'],
    ]) {
      expect(await owner.verdict('DELETE', `${path(userId!)}/${idpId}/${id}`)).toBe('404 idp.link_not_found');
    }
    expect(await linksOf(world, oidcId)).toHaveLength(1);
  });

  it.each(['of another organization', 'that does not exist', 'of a service user'])('are not those %s', async (what) => {
    const [id, verdict] =
      what === 'of another organization'
        ? [(await world.cast.carol).id, '404 user.not_found']
        : what === 'of a service user'
          ? [(await world.cast.svc1).id, '400 user.not_person']
          : ['1', '404 user.not_found'];
    expect(await owner.verdict('POST', `${path(id)}/_search`)).toBe(verdict);
    expect(await owner.verdict('DELETE', `${path(id)}/${oidcId}/x`)).toBe(verdict);
  });

  it('are listed and removed by managers with permission to read and change users, but not of a user with more rights', async () => {
    const nobody = (await callerWith(world, orgA, [])).api;
    expect(await nobody.verdict('POST', `${path(alice.id)}/_search`)).toMatch(/^403 /);
    expect(await nobody.verdict('DELETE', `${path(alice.id)}/${oidcId}/u-4471`)).toMatch(/^403 /);
    const strong = await world.add.person({ orgId: orgA.id });
    const [instance] = await world.rows<{ id: string }>('SELECT id FROM instance');
    await world.add.member(strong.id, ['IAM_OWNER'], {
      level: 'instance',
      objectId: instance!.id,
      orgId: instance!.id,
    });
    await link(world, oidcId, strong.id, orgA.id, 'strong');
    expect(await owner.verdict('DELETE', `${path(strong.id)}/${oidcId}/strong`)).toBe('403 permission.user_too_strong');
    expect(await linksOf(world, oidcId)).toHaveLength(2);
  });
});
