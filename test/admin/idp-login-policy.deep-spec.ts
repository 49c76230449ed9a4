import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/world.js';
import { callerWith, type IdpApi, jwt, LEVELS, type Level, ownerOf, refusalIn } from './idp-api.js';

let world: World;
const owners = {} as Record<Level, IdpApi>;

const PATH = 'policies/login/idps';

/** An organization's own policy, as its list belongs to it. */
async function giveOwnPolicy(orgId: string): Promise<void> {
  await world.rows('INSERT INTO login_policy (owner_id) VALUES ($1) ON CONFLICT DO NOTHING', [orgId]);
}

beforeAll(async () => {
  world = await startWorld();
  for (const level of LEVELS) owners[level] = await ownerOf(world, level);
  await giveOwnPolicy(owners.management.ownerId);
});
afterAll(() => world.close());

const toAdd = (level: Level, idpId: string): object =>
  level === 'admin' ? { idpId } : { idpId, ownerType: 'IDP_OWNER_TYPE_ORG' };
const listed = async (api: IdpApi): Promise<unknown[]> =>
  (await api.ask('POST', `${PATH}/_search`)).json<{ result: unknown[] }>().result;
const events = (ownerId: string, idpId: string): Promise<Array<{ type: string; org: string }>> =>
  world.rows(
    `SELECT type, org_id AS org FROM event WHERE aggregate_type = 'policy.login' AND aggregate_id = $1 AND payload->>'idpConfigId' = $2 ORDER BY position`,
    [ownerId, idpId],
  );

describe.each(LEVELS)('The providers that a login policy lists, %s', (level) => {
  let api: IdpApi;

  beforeAll(() => {
    api = owners[level];
  });

  it('are added, listed with name and type, and taken out, with an event for each', async () => {
    const [oidcId, jwtId] = [await api.addOidc({ name: `${level} b` }), await api.addJwt({ name: `${level} a` })];
    for (const id of [oidcId, jwtId]) {
      const reply = await api.ask('POST', PATH, toAdd(level, id));
      expect(reply.json()).toEqual({
        details: {
          sequence: expect.any(String),
          creationDate: expect.any(String),
          changeDate: expect.any(String),
          resourceOwner: api.ownerId,
        },
      });
    }
    const list = await api.ask('POST', `${PATH}/_search`, { query: { limit: 10, asc: true } });
    expect(list.json()).toEqual({
      details: { totalResult: '2', processedSequence: expect.any(String), viewTimestamp: expect.any(String) },
      result: [
        { idpId: jwtId, idpName: `${level} a`, idpType: 'IDP_TYPE_JWT' },
        { idpId: oidcId, idpName: `${level} b`, idpType: 'IDP_TYPE_OIDC' },
      ],
    });
    const removed = await api.ask('DELETE', `${PATH}/${oidcId}`);
    expect(removed.json()).toEqual({
      details: { sequence: expect.any(String), changeDate: expect.any(String), resourceOwner: api.ownerId },
    });
    expect(await listed(api)).toHaveLength(1);
    expect(await events(api.ownerId, oidcId)).toEqual([
      { type: 'policy.login.idpprovider.added', org: api.ownerId },
      { type: 'policy.login.idpprovider.removed', org: api.ownerId },
    ]);
    await api.ask('DELETE', `${PATH}/${jwtId}`);
  });

  it('are listed once each: twice in a row and twice at once are refused', async () => {
    const id = await api.addJwt();
    expect((await api.ask('POST', PATH, toAdd(level, id))).status).toBe(200);
    expect(refusalIn(await api.ask('POST', PATH, toAdd(level, id)))).toEqual([409, 6, 'idp.listed']);
    const other = await api.addJwt();
    const replies = await Promise.all(Array.from({ length: 6 }, () => api.ask('POST', PATH, toAdd(level, other))));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(5).fill(409)]);
    const removals = await Promise.all(Array.from({ length: 4 }, () => api.ask('DELETE', `${PATH}/${other}`)));
    expect(removals.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    expect(refusalIn(await api.ask('DELETE', `${PATH}/${other}`))).toEqual([404, 5, 'idp.not_listed']);
  });

  it('are refused if no such provider exists', async () => {
    expect(refusalIn(await api.ask('POST', PATH, toAdd(level, '1')))).toEqual([404, 5, 'idp.not_found']);
    expect((await api.ask('POST', PATH, {})).json()).toMatchObject({ code: 3 });
    expect((await api.ask('POST', PATH, toAdd(level, 'a'.repeat(201)))).json()).toMatchObject({ code: 3 });
  });

  it('leave the list with the provider, with an event', async () => {
    const id = await api.addOidc();
    await api.ask('POST', PATH, toAdd(level, id));
    expect((await api.ask('DELETE', `idps/${id}`)).status).toBe(200);
    expect(await listed(api)).not.toContainEqual(expect.objectContaining({ idpId: id }));
    expect((await events(api.ownerId, id)).at(-1)).toEqual({
      type: 'policy.login.idpprovider.cascade.removed',
      org: api.ownerId,
    });
  });

  it('leave it with an event also when both are sent at once', async () => {
    const id = await api.addOidc();
    const [, removal] = await Promise.all([api.ask('POST', PATH, toAdd(level, id)), api.ask('DELETE', `idps/${id}`)]);
    expect(removal.status).toBe(200);
    const types = (await events(api.ownerId, id)).map(({ type }) => type);
    expect([[], ['policy.login.idpprovider.added', 'policy.login.idpprovider.cascade.removed']]).toContainEqual(types);
  });

  it('demand the permission to read, or to write', async () => {
    const viewer = await callerWith(world, level, level === 'admin' ? ['IAM_OWNER_VIEWER'] : ['ORG_OWNER_VIEWER']);
    const nobody = await callerWith(world, level, []);
    const [read, write] = level === 'admin' ? ['iam.policy.read', 'iam.policy.write'] : ['policy.read', 'policy.write'];
    expect((await viewer.ask('POST', `${PATH}/_search`)).status).toBe(200);
    expect((await nobody.ask('POST', `${PATH}/_search`)).json()).toMatchObject({
      code: 7,
      message: expect.stringContaining(read),
    });
    for (const caller of [viewer, nobody]) {
      expect((await caller.ask('POST', PATH, {})).json()).toMatchObject({
        code: 7,
        message: expect.stringContaining(write),
      });
      expect((await caller.ask('DELETE', `${PATH}/1`)).json()).toMatchObject({
        code: 7,
        message: expect.stringContaining(write),
      });
    }
  });
});

describe('An organization', () => {
  it('lists providers of the instance as well as its own, each by its owner type', async () => {
    const api = owners.management;
    const [own, ofInstance] = [await api.addOidc(), await owners.admin.addOidc()];
    expect(refusalIn(await api.ask('POST', PATH, { idpId: ofInstance, ownerType: 'IDP_OWNER_TYPE_ORG' }))).toEqual([
      404,
      5,
      'idp.not_found',
    ]);
    expect(refusalIn(await api.ask('POST', PATH, { idpId: own, ownerType: 'IDP_OWNER_TYPE_SYSTEM' }))).toEqual([
      404,
      5,
      'idp.not_found',
    ]);
    for (const ownerType of ['IDP_OWNER_TYPE_UNSPECIFIED', undefined, 0, 9])
      expect((await api.ask('POST', PATH, { idpId: own, ownerType })).json()).toMatchObject({ code: 3 });
    expect((await api.ask('POST', PATH, { idpId: ofInstance, ownerType: 'IDP_OWNER_TYPE_SYSTEM' })).status).toBe(200);
    expect((await api.ask('POST', PATH, { idpId: own, ownerType: 2 })).status).toBe(200);
    expect(await listed(api)).toEqual(
      expect.arrayContaining([expect.objectContaining({ idpId: own }), expect.objectContaining({ idpId: ofInstance })]),
    );
    expect((await owners.admin.ask('DELETE', `idps/${ofInstance}`)).status).toBe(200);
    expect((await events(api.ownerId, ofInstance)).at(-1)).toEqual({
      type: 'policy.login.idpprovider.cascade.removed',
      org: api.ownerId,
    });
  });

  it('never lists providers of another, by whatever owner type [ADM-004]', async () => {
    const theirs = await callerWith(world, 'management', ['ORG_OWNER'], await world.cast.orgB);
    const id = await theirs.addJwt();
    for (const ownerType of [1, 2])
      expect(refusalIn(await owners.management.ask('POST', PATH, { idpId: id, ownerType }))).toEqual([
        404,
        5,
        'idp.not_found',
      ]);
    expect(refusalIn(await owners.admin.ask('POST', PATH, { idpId: id }))).toEqual([404, 5, 'idp.not_found']);
    expect(refusalIn(await owners.management.ask('DELETE', `${PATH}/${id}`))).toEqual([404, 5, 'idp.not_listed']);
  });

  it('without a policy of its own goes by the list of the instance, and cannot change it', async () => {
    const org = await world.add.org();
    const api = await callerWith(world, 'management', ['ORG_OWNER'], org);
    const { idpId: listedId } = { idpId: await owners.admin.addJwt({ name: 'inherited' }) };
    await owners.admin.ask('POST', PATH, { idpId: listedId });
    expect(await listed(api)).toContainEqual({ idpId: listedId, idpName: 'inherited', idpType: 'IDP_TYPE_JWT' });
    expect(refusalIn(await api.ask('DELETE', `${PATH}/${listedId}`))).toEqual([404, 5, 'idp.not_listed']);
    const own = await api.addJwt(jwt());
    expect(refusalIn(await api.ask('POST', PATH, { idpId: own, ownerType: 2 }))).toEqual([
      400,
      9,
      'idp.policy_missing',
    ]);
    await giveOwnPolicy(org.id);
    expect(await listed(api)).toEqual([]);
    expect((await api.ask('POST', PATH, { idpId: own, ownerType: 2 })).status).toBe(200);
    await world.rows('DELETE FROM login_policy WHERE owner_id = $1', [org.id]);
    expect(await listed(api)).toContainEqual(expect.objectContaining({ idpId: listedId }));
  });
});
