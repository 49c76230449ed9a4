import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith } from '../../support/admin-api.js';
import { uniqueName } from '../../support/builders.js';
import { type Stage, setStage } from '../project-support.js';

const PATH = '/v2/users';
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown as string;
const DETAILS = expect.objectContaining({ changeDate: DATE }) as unknown as object;
const PASSWORD = 'Kornblume-2026!';

let stage: Stage;
let a: AdminApi;
let orgId: string;

beforeAll(async () => {
  stage = await setStage();
  a = stage.ownerOfA;
  orgId = stage.orgA.id;
});
afterAll(() => stage.world.close());

interface Found {
  readonly userId: string;
}

const human = (over: object = {}): object => ({
  profile: { givenName: 'Hannah', familyName: 'Vogt' },
  email: { email: `${uniqueName('hannah')}@birkenhof.example`.toLowerCase(), isVerified: true },
  ...over,
});

const create = async (api: AdminApi, over: object = {}, more: object = {}): Promise<string> =>
  (await api.call('POST', `${PATH}/new`, { organizationId: orgId, human: human(over), ...more }))['id'] as string;

const get = async (userId: string, api = a): Promise<Record<string, unknown>> =>
  (await api.call('GET', `${PATH}/${userId}`))['user'] as Record<string, unknown>;

const idsIn = async (api: AdminApi, queries: readonly object[]): Promise<string[]> =>
  ((await api.call('POST', PATH, { queries, query: { limit: 1_000 } }))['result'] as Found[]).map(
    ({ userId }) => userId,
  );

describe('Users of the second generation', () => {
  it('are those of the first', async () => {
    const username = uniqueName('hannah');
    const { id, creationDate } = await a.call<{ id: string; creationDate: string }>('POST', `${PATH}/new`, {
      organizationId: orgId,
      username,
      human: human({
        profile: { givenName: 'Hannah', familyName: 'Vogt', nickName: 'Hanni', gender: 'GENDER_FEMALE' },
        phone: { phone: '+49 30 765', isVerified: true },
        password: { password: PASSWORD, changeRequired: true },
      }),
      metadata: [{ key: 'site', value: 'YmVybGlu' }],
    });
    expect(creationDate).toEqual(DATE);
    expect(await get(id)).toMatchObject({
      userId: id,
      state: 'USER_STATE_ACTIVE',
      username,
      human: {
        userId: id,
        profile: { givenName: 'Hannah', familyName: 'Vogt', nickName: 'Hanni', displayName: 'Hannah Vogt' },
        email: { isVerified: true },
        phone: { phone: '+4930765', isVerified: true },
        passwordChangeRequired: true,
        passwordChanged: DATE,
      },
      details: { resourceOwner: orgId, creationDate },
    });
    expect((await a.call('GET', `/management/v1/users/${id}`))['user']).toMatchObject({
      userName: username,
      human: { profile: { firstName: 'Hannah' }, phone: { phone: '+4930765' } },
    });
    expect((await a.call('GET', `/management/v1/users/${id}/metadata/site`))['metadata']).toMatchObject({
      value: 'YmVybGlu',
    });
  });

  it('are named by their address, or a service user by its id, where nothing else is said', async () => {
    const email = `${uniqueName('mail')}@birkenhof.example`.toLowerCase();
    expect(await get(await create(a, { email: { email } }))).toMatchObject({
      username: email,
      state: 'USER_STATE_INITIAL',
      human: { email: { email, isVerified: false } },
    });
    const machine = { name: 'Weekly report', accessTokenType: 'ACCESS_TOKEN_TYPE_JWT' };
    const { id } = await a.call<{ id: string }>('POST', `${PATH}/new`, { organizationId: orgId, machine });
    expect(await get(id)).toMatchObject({ username: id, machine: { ...machine, description: '', hasSecret: false } });
  });

  it('may have an id of the caller’s choice, once, and none that is a word of a path', async () => {
    const userId = uniqueName('own-id');
    expect(await create(a, {}, { userId })).toBe(userId);
    const again = (id: string) =>
      a.verdict('POST', `${PATH}/new`, { organizationId: orgId, userId: id, human: human() });
    expect(await again(userId)).toBe('409 user.id_taken');
    for (const id of ['new', 'Human', 'system']) expect(await again(id)).toBe('400 userId');
  });

  it('keep what an update does not name', async () => {
    const userId = await create(a, { phone: { phone: '+49 30 1' } });
    const username = uniqueName('renamed');
    expect(
      await a.call('PATCH', `${PATH}/${userId}`, {
        username,
        human: { profile: { nickName: 'Hanni' } },
        metadata: [{ key: 'site', value: 'YmVybGlu' }],
      }),
    ).toEqual({ changeDate: DATE });
    expect(await get(userId)).toMatchObject({
      username,
      human: {
        profile: { givenName: 'Hannah', nickName: 'Hanni' },
        phone: { phone: '+49301' },
        email: { isVerified: true },
      },
    });
    await a.call('PATCH', `${PATH}/${userId}`, { human: { phone: { phone: '' } } });
    expect((await get(userId))['human']).not.toHaveProperty('phone');
    await a.call('PUT', `${PATH}/human/${userId}`, { profile: { givenName: 'Johanna', familyName: 'Vogt' } });
    expect(await get(userId)).toMatchObject({
      username,
      human: { profile: { givenName: 'Johanna', nickName: 'Hanni' } },
    });
  });

  it('become active when an update brings both the proof of the address and a password', async () => {
    const userId = await create(a, { email: { email: `${uniqueName('new')}@birkenhof.example`.toLowerCase() } });
    const { email } = (await get(userId))['human'] as { email: { email: string } };
    await a.call('PATCH', `${PATH}/${userId}`, {
      human: { email: { email: email.email, isVerified: true }, password: { password: { password: PASSWORD } } },
    });
    expect(await get(userId)).toMatchObject({ state: 'USER_STATE_ACTIVE', human: { passwordChangeRequired: false } });
  });

  it('change as a whole or not at all', async () => {
    const userId = await create(a);
    const before = await get(userId);
    const password = { password: { password: 'x' } };
    for (const [change, verdict] of [
      [{ username: uniqueName('no'), human: { password } }, '400 human.password.password.password'],
      [{ username: uniqueName('no'), machine: { name: 'x' } }, '400 user.not_service'],
      [{ username: uniqueName('no'), human: { email: { email: 'none' } } }, '400 email'],
    ] as const)
      expect(await a.verdict('PATCH', `${PATH}/${userId}`, change)).toBe(verdict);
    expect(await get(userId)).toEqual(before);
  });

  it('are deactivated, reactivated, locked, unlocked and removed', async () => {
    const userId = await create(a, { password: { password: PASSWORD } });
    for (const [word, state] of [
      ['deactivate', 'USER_STATE_INACTIVE'],
      ['reactivate', 'USER_STATE_ACTIVE'],
      ['lock', 'USER_STATE_LOCKED'],
      ['unlock', 'USER_STATE_ACTIVE'],
    ]) {
      expect(await a.call('POST', `${PATH}/${userId}/${word}`)).toEqual({ details: DETAILS });
      expect(await get(userId)).toMatchObject({ state });
    }
    expect(await a.call('DELETE', `${PATH}/${userId}`)).toEqual({ details: DETAILS });
    expect(await a.verdict('GET', `${PATH}/${userId}`)).toBe('404 user.not_found');
  });

  it('refuses by name what has no meaning here', async () => {
    const { email } = human() as { email: { email: string } };
    const mail = (over: object) => human({ email: { email: email.email, ...over } });
    for (const [sent, verdict] of [
      [mail({ returnCode: {} }), '400 human.email.returnCode'],
      [mail({ sendCode: { urlTemplate: 'https://x.example/{{.Code}}' } }), '400 human.email.sendCode.urlTemplate'],
      [human({ phone: { phone: '+49 1', returnCode: {} } }), '400 human.phone.returnCode'],
      [human({ phone: { phone: '+49 1', sendCode: {} } }), '400 user.sms_unavailable'],
    ] as const)
      expect(await a.verdict('POST', `${PATH}/new`, { organizationId: orgId, human: sent })).toBe(verdict);
    expect(await a.verdict('POST', `${PATH}/new`, { organizationId: orgId })).toBe('400 human');
    const userId = await create(a);
    for (const proof of ['currentPassword', 'verificationCode'])
      expect(
        await a.verdict('PATCH', `${PATH}/${userId}`, {
          human: { password: { password: { password: PASSWORD }, [proof]: 'x' } },
        }),
      ).toBe(`400 human.password.${proof}`);
  });

  it('are added by the older operation to the organization that is named, or to the caller’s own', async () => {
    const add = async (more: object): Promise<unknown> =>
      ((await a.call('POST', `${PATH}/human`, { ...human(), ...more }))['details'] as { resourceOwner: string })
        .resourceOwner;
    expect(await add({})).toBe(orgId);
    expect(await add({ organization: { orgId } })).toBe(orgId);
    expect(await stage.ownerOfB.verdict('POST', `${PATH}/human`, { ...human(), organization: { orgId } })).toBe(
      '404 org.not_found',
    );
  });
});

describe('A search of users in the second generation', () => {
  it('finds by each filter, alone and combined', async () => {
    const username = uniqueName('searched').toLowerCase();
    const userId = await create(a, { phone: { phone: '+49 30 99 88 77' } }, { username });
    const { preferredLoginName, human: shown } = (await get(userId)) as {
      preferredLoginName: string;
      human: { email: { email: string } };
    };
    const email = shown.email.email;
    const own = { userNameQuery: { userName: username } };
    const other = { userNameQuery: { userName: uniqueName('nobody') } };
    for (const query of [
      own,
      { loginNameQuery: { loginName: preferredLoginName, method: 'TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE' } },
      { emailQuery: { emailAddress: email.toUpperCase(), method: 'TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE' } },
      { inUserEmailsQuery: { userEmails: [email] } },
      { inUserIdsQuery: { userIds: [userId, '1'] } },
      { orQuery: { queries: [other, own] } },
      { andQuery: { queries: [own, { typeQuery: { type: 'TYPE_HUMAN' } }, { stateQuery: { state: 4 } }, own] } },
      {
        andQuery: {
          queries: [own, { notQuery: { query: other } }, { organizationIdQuery: { organizationId: orgId } }],
        },
      },
      {
        andQuery: { queries: [own, { phoneQuery: { number: '+49 30 998', method: 'TEXT_QUERY_METHOD_STARTS_WITH' } }] },
      },
      { andQuery: { queries: [own, { phoneQuery: { number: '+49 30/998877' } }] } },
    ]) {
      const expected = JSON.stringify(query).includes('"state":4') ? [] : [userId];
      for (const api of [a, stage.iamOwner]) expect([query, await idsIn(api, [query])]).toEqual([query, expected]);
    }
  });

  it('compares parts of login names within one organization only', async () => {
    const userId = await create(a, {}, { username: uniqueName('part').toLowerCase() });
    const { preferredLoginName } = (await get(userId)) as { preferredLoginName: string };
    const part = { loginNameQuery: { loginName: preferredLoginName.slice(0, -2), method: 2 } };
    expect(await idsIn(a, [part])).toEqual([userId]);
    expect(await idsIn(stage.iamOwner, [part, { organizationIdQuery: { organizationId: orgId } }])).toEqual([userId]);
    expect(await stage.iamOwner.verdict('POST', PATH, { queries: [part] })).toBe('400 queries');
  });

  it('refuses filters that it does not know, so that nothing more is found', async () => {
    for (const query of [{ metadataKeyFilter: { key: 'site' } }, { nonsense: {} }, {}])
      expect(await a.verdict('POST', PATH, { queries: [query] })).toBe('400 queries[0]');
  });

  it('finds users of all organizations that the caller may read, and of no others', async () => {
    const userId = await create(a);
    const query = { inUserIdsQuery: { userIds: [userId] } };
    expect(await idsIn(stage.iamOwner, [query])).toEqual([userId]);
    expect(await idsIn(stage.ownerOfB, [query])).toEqual([]);
    expect(await idsIn(stage.ownerOfB, [query, { organizationIdQuery: { organizationId: orgId } }])).toEqual([]);
    expect(
      await idsIn(stage.ownerOfB, [{ notQuery: { query: { inUserIdsQuery: { userIds: ['1'] } } } }]),
    ).not.toContain(userId);
  });
});

describe('A user that a request names [ADM-101]', () => {
  it('is out of reach for managers of other organizations, and answered as if there were none', async () => {
    const userId = await create(a);
    const there = stage.ownerOfB;
    for (const id of [userId, '1'])
      expect([
        await there.verdict('GET', `${PATH}/${id}`),
        await there.verdict('PATCH', `${PATH}/${id}`, { username: 'mine' }),
        await there.verdict('PUT', `${PATH}/human/${id}`, { username: 'mine' }),
        await there.verdict('POST', `${PATH}/${id}/deactivate`),
        await there.verdict('POST', `${PATH}/${id}/reactivate`),
        await there.verdict('POST', `${PATH}/${id}/lock`),
        await there.verdict('POST', `${PATH}/${id}/unlock`),
        await there.verdict('DELETE', `${PATH}/${id}`),
      ]).toEqual(Array.from({ length: 8 }, () => '404 user.not_found'));
    expect(await there.verdict('POST', `${PATH}/new`, { organizationId: orgId, human: human() })).toBe(
      '404 org.not_found',
    );
  });

  it('is neither changed nor removed by those who may only read it', async () => {
    const userId = await create(a);
    const viewer = stage.viewerOfA;
    expect(await viewer.verdict('GET', `${PATH}/${userId}`)).toBe('200');
    for (const [method, path] of [
      ['PATCH', `${PATH}/${userId}`],
      ['POST', `${PATH}/${userId}/lock`],
      ['DELETE', `${PATH}/${userId}`],
    ] as const)
      expect(await viewer.verdict(method, path, {})).toBe('403 permission.missing');
  });

  it('cannot be changed by those who may do less', async () => {
    const { service } = await callerWith(stage.world, stage.orgA, ['ORG_OWNER']);
    const { api } = await callerWith(stage.world, stage.orgA, ['ORG_USER_MANAGER']);
    for (const [method, path, body] of [
      ['PATCH', `${PATH}/${service.id}`, { machine: { name: 'Mine' } }],
      ['POST', `${PATH}/${service.id}/lock`, {}],
      ['POST', `${PATH}/${service.id}/deactivate`, {}],
      ['DELETE', `${PATH}/${service.id}`, undefined],
    ] as const)
      expect(await api.verdict(method, path, body)).toBe('403 permission.user_too_strong');
  });

  it('is reached over gRPC and Connect as in JSON', async () => {
    const userId = await create(a);
    const ask = async (api: AdminApi): Promise<number> =>
      (await api.ask('POST', '/service.user.v2.UserService/GetUserByID', { userId })).status;
    expect([await ask(a), await ask(stage.ownerOfB)]).toEqual([200, 404]);
  });
});
