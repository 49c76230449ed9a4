import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { startWorld, type World } from '../support/world.js';
import { codeOf, fieldsOf, managerOf, type PolicyCast, policyCast } from './policy-api.js';
import { KINDS, type Kind } from './policy-kinds.js';

let world: World;
let cast: PolicyCast;
let instanceId: string;

beforeAll(async () => {
  world = await startWorld();
  cast = await policyCast(world);
  instanceId = (await world.get(InstanceService).get()).id;
});
afterAll(() => world.close());

const ofInstance = (path: string): string => `/admin/v1/policies/${path}`;
const ofOrg = (path: string): string => `/management/v1/policies/${path}`;

async function eventsOf(kind: Kind, ownerId: string): Promise<string[]> {
  const rows = await world.rows<{ type: string }>(
    'SELECT type FROM event WHERE aggregate_type = $1 AND aggregate_id = $2 ORDER BY sequence',
    [kind.event, ownerId],
  );
  return rows.map(({ type }) => type);
}

describe.each(KINDS)('The $name policy', (kind) => {
  const { path, put = path } = kind;

  it('has its default values in a new instance', async () => {
    const policy = await cast.viewer.policy(ofInstance(path));
    expect(policy).toMatchObject({ ...kind.defaults, isDefault: true });
    expect(policy['details']).toMatchObject({ sequence: '1', resourceOwner: instanceId });
  });

  it('of an organization is its own from its adding to its reset, and before and after the one of the instance', async () => {
    const { ownerA, viewerA, ownerB } = cast;
    expect(codeOf(await ownerA.ask('PUT', ofOrg(path), kind.sent))).toEqual([404, 5]);
    expect(codeOf(await ownerA.ask('DELETE', ofOrg(path)))).toEqual([404, 5]);
    const added = await ownerA.change('POST', ofOrg(path), kind.sent);
    expect(added).toEqual({
      sequence: '1',
      creationDate: added.changeDate,
      changeDate: expect.any(String),
      resourceOwner: ownerA.orgId,
    });
    expect(await viewerA.policy(ofOrg(path))).toEqual(
      expect.objectContaining({ ...kind.shown, isDefault: false, details: added }),
    );
    expect(codeOf(await ownerA.ask('POST', ofOrg(path), kind.sent))).toEqual([409, 6]);

    expect(await viewerA.policy(ofOrg(`default/${path}`))).toMatchObject({ ...kind.defaults, isDefault: true });
    expect(await ownerB.policy(ofOrg(path))).toMatchObject({ ...kind.defaults, isDefault: true });

    const changed = await ownerA.change('PUT', ofOrg(path), kind.sentLater);
    expect(changed).toMatchObject({ sequence: '2', creationDate: added.creationDate, resourceOwner: ownerA.orgId });
    expect(await viewerA.policy(ofOrg(path))).toMatchObject({ ...kind.shownLater, isDefault: false });
    expect(await ownerA.change('PUT', ofOrg(path), kind.sentLater)).toEqual(changed);

    expect(await ownerA.change('DELETE', ofOrg(path))).toMatchObject({ sequence: '3', resourceOwner: ownerA.orgId });
    expect(await viewerA.policy(ofOrg(path))).toMatchObject({
      ...kind.defaults,
      isDefault: true,
      details: { resourceOwner: instanceId },
    });
    expect(codeOf(await ownerA.ask('DELETE', ofOrg(path)))).toEqual([404, 5]);
    expect(await eventsOf(kind, ownerA.orgId)).toEqual(
      ['added', 'changed', 'removed'].map((what) => `${kind.event}.${what}`),
    );
  });

  it('of the instance applies to organizations without one, and an update without a difference writes nothing', async () => {
    const { iam, ownerB } = cast;
    const before = await iam.policy(ofInstance(path));
    const changed = await iam.change('PUT', ofInstance(put), kind.sent);
    expect(changed).toMatchObject({ sequence: '2', resourceOwner: instanceId });
    expect(await ownerB.policy(ofOrg(path))).toMatchObject({ ...kind.shown, isDefault: true, details: changed });
    expect(await iam.change('PUT', ofInstance(put), kind.sent)).toEqual(changed);
    expect(await eventsOf(kind, instanceId)).toEqual([`${kind.event}.added`, `${kind.event}.changed`]);
    await iam.change('PUT', ofInstance(put), before);
    expect(await ownerB.policy(ofOrg(path))).toMatchObject(kind.defaults);
  });

  it('requires the permission, in the same organization [ADM-004]', async () => {
    const { ownerA, viewerA, viewer, ownerB, nobody } = cast;
    const before = await world.contents();
    const attempts = [
      viewer.ask('PUT', ofInstance(put), kind.sent),
      ownerA.ask('PUT', ofInstance(put), kind.sent),
      ownerA.ask('GET', ofInstance(path)),
      viewerA.ask('POST', ofOrg(path), kind.sent),
      viewerA.ask('PUT', ofOrg(path), kind.sent),
      viewerA.ask('DELETE', ofOrg(path)),
      nobody.ask('GET', ofOrg(path)),
      nobody.ask('GET', ofInstance(path)),
      ownerB.about(ownerA.orgId).ask('POST', ofOrg(path), kind.sent),
      ownerB.about(ownerA.orgId).ask('GET', ofOrg(path)),
    ];
    for (const reply of await Promise.all(attempts)) expect(codeOf(reply)).toEqual([403, 7]);
    expect(await world.contents()).toBe(before);
  });

  it('is that of the organization in the header, for callers with permission', async () => {
    const { iam, ownerB } = cast;
    expect((await iam.about(ownerB.orgId).ask('POST', ofOrg(path), kind.sent)).status).toBe(200);
    expect(await ownerB.policy(ofOrg(path))).toMatchObject({
      ...kind.shown,
      isDefault: false,
      details: { resourceOwner: ownerB.orgId },
    });
    expect((await iam.about(ownerB.orgId).ask('DELETE', ofOrg(path))).status).toBe(200);
  });

  it.each(kind.broken)('refuses %j, naming the field', async (body, field) => {
    for (const reply of [
      await cast.iam.ask('PUT', ofInstance(put), body),
      await cast.ownerA.ask('POST', ofOrg(path), body),
    ]) {
      expect(codeOf(reply)).toEqual([400, 3]);
      expect(fieldsOf(reply)).toContain(field);
    }
  });

  it('is added once by two at the same time, and keeps both of two changes at the same time', async () => {
    const org = await world.add.org();
    const owner = await managerOf(world, org, 'ORG_OWNER');
    const adds = await Promise.all([1, 2, 3].map(() => owner.ask('POST', ofOrg(path), kind.sent)));
    expect(adds.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const changes = await Promise.all([kind.sentLater, kind.sent].map((body) => owner.ask('PUT', ofOrg(path), body)));
    expect(changes.map(({ status }) => status)).toEqual([200, 200]);
    const { sequence } = (await owner.policy(ofOrg(path)))['details'] as { sequence: string };
    expect(await eventsOf(kind, org.id)).toHaveLength(Number(sequence));
  });
});

describe('A login policy that lists identity providers', () => {
  const addIdp = async (caller: PolicyCast['iam'], path: string): Promise<string> => {
    const provider = { name: 'Provider', clientId: 'c', clientSecret: 's', issuer: 'https://idp.test' };
    return (await caller.call<{ idpId: string }>('POST', path, provider)).idpId;
  };

  it('is added with them, or not at all', async () => {
    const { iam, ownerA, ownerB } = cast;
    const shared = await addIdp(iam, '/admin/v1/idps/oidc');
    const own = await addIdp(ownerA, '/management/v1/idps/oidc');
    const foreign = await addIdp(ownerB, '/management/v1/idps/oidc');
    const listing = (idps: object[]): Record<string, unknown> => ({ allowUsernamePassword: true, idps });
    const refused = await ownerA.ask(
      'POST',
      ofOrg('login'),
      listing([
        { idpId: own, ownerType: 2 },
        { idpId: foreign, ownerType: 2 },
      ]),
    );
    expect(codeOf(refused)).toEqual([404, 5]);
    expect(await ownerA.policy(ofOrg('login'))).toMatchObject({ isDefault: true, idps: [] });
    await ownerA.change(
      'POST',
      ofOrg('login'),
      listing([
        { idpId: own, ownerType: 'IDP_OWNER_TYPE_ORG' },
        { idpId: shared, ownerType: 'IDP_OWNER_TYPE_SYSTEM' },
      ]),
    );
    const { idps } = await ownerA.policy(ofOrg('login'));
    expect((idps as Array<{ idpId: string }>).map(({ idpId }) => idpId).sort()).toEqual([own, shared].sort());
    await ownerA.change('DELETE', ofOrg('login'));
    expect(await world.rows('SELECT 1 FROM login_policy_idp WHERE owner_id = $1', [ownerA.orgId])).toEqual([]);
  });
});

describe('The notification policy', () => {
  it('of an instance is there from the start, so that it cannot be added', async () => {
    expect(codeOf(await cast.iam.ask('POST', ofInstance('notification'), { passwordChange: true }))).toEqual([409, 6]);
  });
});

describe('The factors of the login policy', () => {
  const path = ofOrg('login');

  it('are listed, added and removed one by one, by name or number', async () => {
    const { iam } = cast;
    const list = async (): Promise<unknown> =>
      (await iam.ask('POST', ofInstance('login/second_factors/_search'))).json();
    expect(await list()).toMatchObject({
      details: { totalResult: '2' },
      result: ['SECOND_FACTOR_TYPE_OTP', 'SECOND_FACTOR_TYPE_U2F'],
    });
    await iam.change('POST', ofInstance('login/second_factors'), { type: 'SECOND_FACTOR_TYPE_OTP_EMAIL' });
    expect(codeOf(await iam.ask('POST', ofInstance('login/second_factors'), { type: 3 }))).toEqual([409, 6]);
    await iam.change('DELETE', ofInstance('login/second_factors/SECOND_FACTOR_TYPE_OTP'));
    expect(codeOf(await iam.ask('DELETE', ofInstance('login/second_factors/1')))).toEqual([404, 5]);
    expect(await list()).toMatchObject({ result: ['SECOND_FACTOR_TYPE_U2F', 'SECOND_FACTOR_TYPE_OTP_EMAIL'] });
    await iam.change('DELETE', ofInstance('login/second_factors/3'));
    await iam.change('DELETE', ofInstance('login/multi_factors/MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION'));
    expect((await iam.ask('POST', ofInstance('login/multi_factors/_search'))).json()).toMatchObject({ result: [] });
    await iam.change('POST', ofInstance('login/multi_factors'), { type: 'MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION' });
  });

  it('of an organization are those of its own policy', async () => {
    const { ownerA, viewerA, nobody, ownerB } = cast;
    expect(codeOf(await ownerA.ask('POST', `${path}/second_factors`, { type: 4 }))).toEqual([404, 5]);
    await ownerA.change('POST', path, { allowUsernamePassword: true, secondFactors: ['SECOND_FACTOR_TYPE_OTP_SMS'] });
    await ownerA.change('POST', `${path}/second_factors`, { type: 'SECOND_FACTOR_TYPE_RECOVERY_CODES' });
    expect((await viewerA.ask('POST', `${path}/second_factors/_search`)).json()).toMatchObject({
      result: ['SECOND_FACTOR_TYPE_OTP_SMS', 'SECOND_FACTOR_TYPE_RECOVERY_CODES'],
    });
    expect((await viewerA.ask('POST', `${path}/multi_factors/_search`)).json()).toMatchObject({ result: [] });
    await ownerA.change('DELETE', `${path}/second_factors/4`);
    await ownerA.change('POST', `${path}/multi_factors`, { type: 1 });
    await ownerA.change('DELETE', `${path}/multi_factors/1`);
    for (const reply of [
      await viewerA.ask('POST', `${path}/second_factors`, { type: 1 }),
      await nobody.ask('POST', `${path}/second_factors/_search`),
      await ownerB.about(ownerA.orgId).ask('DELETE', `${path}/second_factors/5`),
    ])
      expect(codeOf(reply)).toEqual([403, 7]);
    await ownerA.change('DELETE', path);
  });

  it.each([{ type: 0 }, {}, { type: 'SECOND_FACTOR_TYPE_SMOKE' }, { type: 99 }])('are none of %j', async (body) => {
    const reply = await cast.iam.ask('POST', ofInstance('login/second_factors'), body);
    expect([...codeOf(reply), fieldsOf(reply)]).toEqual([400, 3, ['type']]);
  });

  it('never exist twice, even if two are added at the same time', async () => {
    const adds = await Promise.all(
      [1, 2, 3, 4].map(() => cast.iam.ask('POST', ofInstance('login/second_factors'), { type: 4 })),
    );
    expect(adds.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    await cast.iam.change('DELETE', ofInstance('login/second_factors/4'));
  });
});
