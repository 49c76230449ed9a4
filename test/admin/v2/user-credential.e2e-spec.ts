import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AdminApi, callerWith } from '../../support/admin-api.js';
import { type Stage, setStage } from '../project-support.js';

const PATH = '/v2/users';
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown as string;
const EXPIRY = '2099-12-31T23:59:59.000Z';

let stage: Stage;
let a: AdminApi;
let orgId: string;
let userId: string;

interface Found {
  readonly id: string;
  readonly userId: string;
}

beforeAll(async () => {
  stage = await setStage();
  a = stage.ownerOfA;
  orgId = stage.orgA.id;
});
afterAll(() => stage.world.close());

beforeEach(async () => {
  stage.world.clock.advance('1m');
  const machine = { name: 'Weekly report', accessTokenType: 'ACCESS_TOKEN_TYPE_BEARER' };
  ({ id: userId } = await a.call<{ id: string }>('POST', `${PATH}/new`, { organizationId: orgId, machine }));
});

const addKey = (body: object = {}, id = userId, api = a): Promise<{ keyId: string; keyContent: string }> =>
  api.call('POST', `${PATH}/${id}/keys`, { ...body });
const addToken = (body: object = {}, id = userId, api = a): Promise<{ tokenId: string; token: string }> =>
  api.call('POST', `${PATH}/${id}/pats`, { ...body });

async function found(list: 'keys' | 'pats', filters: readonly object[], api = a, more: object = {}): Promise<Found[]> {
  return (await api.call('POST', `${PATH}/${list}/search`, { filters, ...more }))['result'] as Found[];
}

describe('Credentials of service users in the second generation', () => {
  it('are secrets, made and removed', async () => {
    const secret = await a.call('POST', `${PATH}/${userId}/secret`);
    expect(secret).toEqual({ creationDate: DATE, clientSecret: expect.stringMatching(/^\S{32,}$/) });
    const hasSecret = async (): Promise<unknown> =>
      (await a.call('GET', `${PATH}/${userId}`))['user'].machine.hasSecret;
    expect(await hasSecret()).toBe(true);
    expect(await a.call('DELETE', `${PATH}/${userId}/secret`)).toEqual({ deletionDate: DATE });
    expect(await hasSecret()).toBe(false);
  });

  it('are keys, whose private half is returned once, and which are those of the first', async () => {
    const made = await a.call('POST', `${PATH}/${userId}/keys`, { expirationDate: EXPIRY });
    expect(made).toEqual({ creationDate: DATE, keyId: expect.any(String), keyContent: expect.any(String) });
    const { keyId } = made as { keyId: string };
    const file = JSON.parse(Buffer.from(made['keyContent'] as string, 'base64').toString()) as { key: string };
    expect(file).toMatchObject({ type: 'serviceaccount', keyId, userId, key: expect.stringContaining('PRIVATE KEY') });
    expect((await a.call('GET', `/management/v1/users/${userId}/keys/${keyId}`))['key']).toMatchObject({ id: keyId });
    expect(await found('keys', [{ userIdFilter: { id: userId } }])).toEqual([
      { creationDate: DATE, changeDate: DATE, id: keyId, userId, organizationId: orgId, expirationDate: EXPIRY },
    ]);
    expect(await a.call('DELETE', `${PATH}/${userId}/keys/${keyId}`)).toEqual({ deletionDate: DATE });
    expect(await a.verdict('DELETE', `${PATH}/${userId}/keys/${keyId}`)).toBe('404 user.key_not_found');
    expect(await found('keys', [{ userIdFilter: { id: userId } }])).toEqual([]);
  });

  it('are keys that the caller brings, and no others than public ones', async () => {
    const { publicKey: pair } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const publicKey = pair.export({ format: 'pem', type: 'spki' }) as string;
    const pem = (text: string): object => ({ publicKey: Buffer.from(text).toString('base64') });
    expect((await addKey(pem(publicKey))).keyContent).toBe('');
    expect(await a.verdict('POST', `${PATH}/${userId}/keys`, { ...pem('no key') })).toBe('400 publicKey');
  });

  it('are personal access tokens, which work until they are removed', async () => {
    const made = await a.call('POST', `${PATH}/${userId}/pats`, { expirationDate: EXPIRY });
    expect(made).toEqual({ creationDate: DATE, tokenId: expect.any(String), token: expect.stringMatching(/^gtp_/) });
    const { tokenId, token } = made as { tokenId: string; token: string };
    stage.world.plant(token);
    const own = new AdminApi(stage.world.origin, token);
    expect(await own.verdict('GET', '/v2/settings')).toBe('200');
    expect(await found('pats', [{ tokenIdFilter: { id: tokenId } }])).toEqual([
      { creationDate: DATE, changeDate: DATE, id: tokenId, userId, organizationId: orgId, expirationDate: EXPIRY },
    ]);
    expect((await a.call('GET', `/management/v1/users/${userId}/pats/${tokenId}`))['token']).toMatchObject({
      id: tokenId,
    });
    expect(await a.call('DELETE', `${PATH}/${userId}/pats/${tokenId}`)).toEqual({ deletionDate: DATE });
    expect(await own.verdict('GET', '/v2/settings')).toBe('401 token.dead');
    expect(await a.verdict('DELETE', `${PATH}/${userId}/pats/${tokenId}`)).toBe('404 token.personal_not_found');
  });

  it('are none of people', async () => {
    const { id } = await stage.world.add.person({ orgId });
    for (const path of ['secret', 'keys', 'pats'])
      expect(await a.verdict('POST', `${PATH}/${id}/${path}`, {})).toBe('400 user.not_service');
    expect(await a.verdict('DELETE', `${PATH}/${id}/secret`)).toBe('400 user.not_service');
  });

  it('do not expire in the past', async () => {
    for (const path of ['keys', 'pats'])
      expect(await a.verdict('POST', `${PATH}/${userId}/${path}`, { expirationDate: '2020-01-01T00:00:00Z' })).toBe(
        '400 expirationDate',
      );
  });
});

describe.each([
  [
    'keys',
    'keyIdFilter',
    async (id?: string, api?: AdminApi) => (await addKey({ expirationDate: EXPIRY }, id, api)).keyId,
  ],
  [
    'pats',
    'tokenIdFilter',
    async (id?: string, api?: AdminApi) => (await addToken({ expirationDate: EXPIRY }, id, api)).tokenId,
  ],
] as const)('A search of %s', (list, idFilter, add) => {
  it('finds by each filter, alone and combined, sorted as asked', async () => {
    const first = await add();
    stage.world.clock.advance('1m');
    const second = await add();
    const ofUser = { userIdFilter: { id: userId } };
    const ids = async (filters: readonly object[], more: object = {}): Promise<string[]> =>
      (await found(list, filters, a, more)).map(({ id }) => id);
    const asc = { pagination: { asc: true } };
    const [, created] = (await found(list, [ofUser], a, asc)) as unknown as Array<{ creationDate: string }>;
    const at = created!.creationDate;
    const when = (method: string, timestamp = at): object => ({
      createdDateFilter: { timestamp, method: `TIMESTAMP_FILTER_METHOD_${method}` },
    });
    expect(await ids([ofUser], { ...asc, sortingColumn: 1 })).toEqual([first, second]);
    expect(await ids([{ [idFilter]: { id: second } }])).toEqual([second]);
    expect(await ids([ofUser, { organizationIdFilter: { id: orgId } }], asc)).toEqual([first, second]);
    expect(await ids([ofUser, { organizationIdFilter: { id: stage.orgB.id } }])).toEqual([]);
    expect(await ids([ofUser, when('EQUALS')])).toEqual([second]);
    expect(await ids([ofUser, when('AFTER')])).toEqual([]);
    expect(await ids([ofUser, when('AFTER_OR_EQUALS')])).toEqual([second]);
    expect(await ids([ofUser, when('BEFORE')])).toEqual([first]);
    expect(await ids([ofUser, when('BEFORE_OR_EQUALS')], asc)).toEqual([first, second]);
    expect(await ids([ofUser, { expirationDateFilter: { timestamp: EXPIRY } }], asc)).toEqual([first, second]);
    for (const sortingColumn of [0, 2, 3, 4, 5])
      expect((await ids([ofUser], { sortingColumn })).sort()).toEqual([first, second].sort());
    const page = await a.call('POST', `${PATH}/${list}/search`, { filters: [ofUser], pagination: { limit: 1 } });
    expect(page).toMatchObject({ pagination: { totalResult: '2', appliedLimit: '1' }, result: [{}] });
  });

  it('refuses filters that say nothing, so that nothing more is found', async () => {
    const ask = (filter: object): Promise<string> => a.verdict('POST', `${PATH}/${list}/search`, { filters: [filter] });
    for (const filter of [{ nonsense: {} }, {}]) expect(await ask(filter)).toBe('400 filters[0]');
    expect(await ask({ createdDateFilter: {} })).toBe('400 filters[0].createdDateFilter.timestamp');
  });

  it('contains those of all organizations where the caller may read users, and of no others [ADM-101]', async () => {
    const ofA = await add();
    const { service } = await callerWith(stage.world, stage.orgB, []);
    const ofB = await add(service.id, stage.ownerOfB);
    const ids = async (api: AdminApi, filters: readonly object[] = []): Promise<string[]> =>
      (await found(list, filters, api, { pagination: { limit: 1_000 } })).map(({ id }) => id);
    expect(await ids(stage.iamOwner)).toEqual(expect.arrayContaining([ofA, ofB]));
    for (const api of [a, stage.viewerOfA, stage.ownerOfB.about(orgId)]) {
      const seen = await ids(api);
      const isOfB = api.token === stage.ownerOfB.token;
      expect([seen.includes(ofA), seen.includes(ofB)]).toEqual([!isOfB, isOfB]);
    }
    expect(await ids(stage.ownerOfB, [{ [idFilter]: { id: ofA } }])).toEqual([]);
    expect(await ids(stage.ownerOfB, [{ organizationIdFilter: { id: orgId } }])).toEqual([]);
    expect(await stage.nobodyOfA.verdict('POST', `${PATH}/${list}/search`, {})).toBe('403 permission.missing');
  });
});

describe('The credentials of a user that a request names', () => {
  /** With the id of what is there already. */
  const requests = (keyId: string, tokenId: string): ReadonlyArray<[string, string, Record<string, unknown>?]> => [
    ['POST', 'secret', {}],
    ['DELETE', 'secret'],
    ['POST', 'keys', {}],
    ['DELETE', `keys/${keyId}`],
    ['POST', 'pats', {}],
    ['DELETE', `pats/${tokenId}`],
  ];

  async function verdictsOf(api: AdminApi, id: string, at = id): Promise<string[]> {
    const { keyId } = await addKey({}, at, stage.iamOwner);
    const { tokenId } = await addToken({}, at, stage.iamOwner);
    const before = await stage.world.contents();
    const verdicts = new Set<string>();
    for (const [method, path, body] of requests(keyId, tokenId))
      verdicts.add(await api.verdict(method, `${PATH}/${id}/${path}`, body));
    expect(await stage.world.contents()).toBe(before);
    return [...verdicts];
  }

  it('are out of reach for managers of other organizations, and answered as if there were none [ADM-101]', async () => {
    expect(await verdictsOf(stage.ownerOfB, userId)).toEqual(['404 user.not_found']);
    expect(await verdictsOf(stage.ownerOfB.about(orgId), userId)).toEqual(['404 user.not_found']);
    expect(await verdictsOf(stage.ownerOfB, '1', userId)).toEqual(['404 user.not_found']);
  });

  it('are removed by no id of another user', async () => {
    const { keyId } = await addKey();
    const { tokenId } = await addToken();
    const { service } = await callerWith(stage.world, stage.orgA, []);
    expect([
      await a.verdict('DELETE', `${PATH}/${service.id}/keys/${keyId}`),
      await a.verdict('DELETE', `${PATH}/${service.id}/pats/${tokenId}`),
    ]).toEqual(['404 user.key_not_found', '404 token.personal_not_found']);
  });

  it('are changed by nobody who may only read, or grant roles, or manage the grant of a project', async () => {
    const { api: editor } = await callerWith(stage.world, stage.orgA, ['ORG_USER_PERMISSION_EDITOR']);
    const { service, api: ofGrant } = await callerWith(stage.world, stage.orgA, []);
    const level = { level: 'project_grant', objectId: '1', orgId } as const;
    await stage.world.add.member(service.id, ['PROJECT_GRANT_OWNER'], level);
    for (const api of [stage.viewerOfA, editor, ofGrant, stage.nobodyOfA])
      expect(await verdictsOf(api, userId)).toEqual(['403 permission.missing']);
    for (const list of ['keys', 'pats'])
      expect([
        await ofGrant.verdict('POST', `${PATH}/${list}/search`, {}),
        await editor.verdict('POST', `${PATH}/${list}/search`, {}),
      ]).toEqual(['403 permission.missing', '200']);
  });

  it.each(['ORG_OWNER', 'IAM_OWNER', 'IAM_LOGIN_CLIENT'] as const)(
    'of a service user with the role %s are made by no manager of users, who could act as that one [ADM-007]',
    async (role) => {
      const strong = await callerWith(stage.world, stage.orgA, [role]);
      const { api } = await callerWith(stage.world, stage.orgA, ['ORG_USER_MANAGER']);
      expect(await verdictsOf(api, strong.service.id)).toEqual(['403 permission.user_too_strong']);
      expect(await api.verdict('POST', `${PATH}/${userId}/pats`, {})).toBe('200');
    },
  );

  it('of a service user with a role in another organization are made by its owner alone [ADM-007]', async () => {
    const guest = await callerWith(stage.world, stage.orgA, []);
    const level = { level: 'org', objectId: stage.orgB.id, orgId: stage.orgB.id } as const;
    await stage.world.add.member(guest.service.id, ['ORG_USER_MANAGER'], level);
    expect(await verdictsOf(a, guest.service.id)).toEqual(['403 permission.user_too_strong']);
  });

  it('are reached over gRPC and Connect as in JSON', async () => {
    const ask = async (api: AdminApi): Promise<number> =>
      (await api.ask('POST', '/service.user.v2.UserService/AddPersonalAccessToken', { userId })).status;
    expect([await ask(a), await ask(stage.ownerOfB)]).toEqual([200, 404]);
  });
});
