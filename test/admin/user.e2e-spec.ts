import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { PASSWORD, type TestOrg, uniqueName } from '../support/builders.js';
import { mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const USERS = '/management/v1/users';

let world: World;
let orgA: TestOrg;
let orgB: TestOrg;
let owner: AdminApi;
let managerOfA: AdminApi;
let viewerOfA: AdminApi;
let managerOfB: AdminApi;

beforeAll(async () => {
  world = await startWorld();
  [orgA, orgB] = [await world.cast.orgA, await world.cast.orgB];
  owner = (await callerWith(world, orgA, ['IAM_OWNER'])).api;
  managerOfA = (await callerWith(world, orgA, ['ORG_USER_MANAGER'])).api;
  viewerOfA = (await callerWith(world, orgA, ['ORG_OWNER_VIEWER'])).api;
  managerOfB = (await callerWith(world, orgB, ['ORG_OWNER'])).api;
});
afterAll(() => world.close());

const stateOf = async (id: string): Promise<string> =>
  (await owner.about(orgA.id).call('GET', `${USERS}/${id}`))['user']['state'] as string;
const someone = async (more: { userName?: string; password?: string } = {}) =>
  world.add.person({ orgId: orgA.id, ...more });

describe('GetUserByID', () => {
  it('answers a service user with what is its own', async () => {
    const { id, userName } = await world.add.service({
      orgId: orgA.id,
      name: 'Report',
      description: 'Reads',
      accessTokenType: 'jwt',
    });
    const { user } = await managerOfA.call('GET', `${USERS}/${id}`);
    expect(user).toEqual({
      id,
      details: {
        sequence: '4',
        creationDate: expect.any(String),
        changeDate: expect.any(String),
        resourceOwner: orgA.id,
      },
      state: 'USER_STATE_ACTIVE',
      userName,
      loginNames: [`${userName}@orga.test`, userName],
      preferredLoginName: `${userName}@orga.test`,
      machine: {
        name: 'Report',
        description: 'Reads',
        hasSecret: true,
        accessTokenType: 'ACCESS_TOKEN_TYPE_JWT',
        accessTokenHeaderType: 'ACCESS_TOKEN_HEADER_TYPE_AT_JWT',
      },
    });
  });

  it('answers no hash, secret, seed or code of anybody', async () => {
    for (const { id } of [await someone(), await world.add.service({ orgId: orgA.id })]) {
      expect((await managerOfA.ask('GET', `${USERS}/${id}`)).text).not.toMatch(
        /hash|argon2|secretHash|totp|recovery|epoch/i,
      );
    }
  });

  it('does not find users of another organization, by id or by header, as if they did not exist', async () => {
    const { id } = await someone();
    const [foreign, none] = [await managerOfB.ask('GET', `${USERS}/${id}`), await managerOfB.ask('GET', `${USERS}/0`)];
    expect([foreign.status, foreign.text]).toEqual([404, none.text]);
    expect(await managerOfB.about(orgA.id).verdict('GET', `${USERS}/${id}`)).toBe('403 permission.missing');
    expect(await owner.about(orgB.id).verdict('GET', `${USERS}/${id}`)).toBe('404 user.not_found');
    expect(await owner.about('no-such-org').verdict('GET', `${USERS}/${id}`)).toBe('404 org.not_found');
  });

  it.each(['..', '%2e%2e', '-1', '18446744073709551616', '１２', "' OR 1=1--", 'x'.repeat(200), '_search'])(
    'treats the id %j as unknown [ADM-024]',
    async (id) => {
      expect(await managerOfA.verdict('GET', `${USERS}/${encodeURIComponent(id)}`)).toMatch(/^40[045]/);
    },
  );
});

describe('GetUserByLoginNameGlobal', () => {
  const path = (loginName: string): string =>
    `/management/v1/global/users/_by_login_name?loginName=${encodeURIComponent(loginName)}`;

  it('finds a user of any organization, by the whole name only, for managers of the instance', async () => {
    const { id, userName } = await world.add.person({ orgId: orgB.id, userName: uniqueName('global') });
    for (const name of [userName, `${userName}@orgb.test`, userName.toUpperCase()])
      expect((await owner.call('GET', path(name)))['user']['id']).toBe(id);
    for (const name of [userName.slice(0, -1), `${userName}@orga.test`, '%'])
      expect(await owner.verdict('GET', path(name))).toBe('404 user.not_found');
    expect(await owner.verdict('GET', path(''))).toBe('400 loginName');
    expect(await managerOfB.verdict('GET', path(userName))).toBe('403 permission.missing');
  });
});

describe('IsUserUnique', () => {
  const isUnique = async (api: AdminApi, query: string): Promise<unknown> =>
    (await api.call('GET', `${USERS}/_is_unique?${query}`))['isUnique'];

  it('reports whether a name is free in the instance, and an address in the organization', async () => {
    const { userName, email } = await someone();
    expect(await isUnique(managerOfA, `userName=${userName}`)).toBe(false);
    expect(await isUnique(managerOfA, `user_name=${userName.toUpperCase()}`)).toBe(false);
    expect(await isUnique(managerOfB, `userName=${userName}`)).toBe(false);
    expect(await isUnique(managerOfA, `userName=${userName}%40orga.test`)).toBe(false);
    expect(await isUnique(managerOfA, `email=${email.toUpperCase()}`)).toBe(false);
    expect(await isUnique(managerOfB, `email=${email}`)).toBe(true);
    expect(await isUnique(managerOfA, `userName=${uniqueName('free')}&email=free%40mail.test`)).toBe(true);
    expect(await isUnique(managerOfA, 'userName=not%20a%20name')).toBe(false);
  });
});

describe('UpdateUserName', () => {
  const rename = (api: AdminApi, id: string, userName: string): Promise<string> =>
    api.verdict('PUT', `${USERS}/${id}/username`, { userName });

  it('gives another name, also another spelling of the same, and twice in a row changes once', async () => {
    const { id } = await someone();
    const userName = uniqueName('Renamed');
    expect(await rename(managerOfA, id, userName)).toBe('200');
    expect(await rename(managerOfA, id, userName)).toBe('200');
    expect(await rename(managerOfA, id, userName.toUpperCase())).toBe('200');
    expect(await rename(managerOfA, id, `${userName}@orga.test`)).toBe('200');
    const { user } = await managerOfA.call('GET', `${USERS}/${id}`);
    expect([user['userName'], user['details']['sequence']]).toEqual([`${userName}@orga.test`, '4']);
  });

  it('refuses a name that is taken or none, and of two at once one wins', async () => {
    const [one, other] = [await someone(), await someone()];
    expect(await rename(managerOfA, one.id, other.userName)).toBe('409 user.name_taken');
    expect(await rename(managerOfA, one.id, `${other.userName}@orga.test`)).toBe('409 user.name_taken');
    for (const userName of ['', 'a b', 'a\u200b', 'x'.repeat(201)])
      expect(await rename(managerOfA, one.id, userName)).toBe('400 userName');
    const wanted = uniqueName('wanted');
    expect((await Promise.all([one, other].map(({ id }) => rename(managerOfA, id, wanted)))).sort()).toEqual([
      '200',
      '409 user.name_taken',
    ]);
  });

  it('refuses a service user the client id of an application', async () => {
    const { id } = await world.add.service({ orgId: orgA.id });
    const { clientId } = await world.cast.web1;
    expect(await rename(managerOfA, id, clientId)).toBe('409 user.name_taken');
  });
});

describe('The state of a user', () => {
  const to = (id: string, verb: string, api = managerOfA, under = ''): Promise<string> =>
    api.verdict('POST', `${USERS}/${id}${under}/_${verb}`);

  it('goes to inactive and back, to locked and back; each step once', async () => {
    const { id } = await someone();
    expect([await to(id, 'deactivate'), await stateOf(id), await to(id, 'deactivate')]).toEqual([
      '200',
      'USER_STATE_INACTIVE',
      '400 user.state_unchanged',
    ]);
    expect([await to(id, 'lock'), await to(id, 'unlock')]).toEqual(['400 user.not_in_state', '400 user.not_in_state']);
    expect([await to(id, 'reactivate'), await stateOf(id), await to(id, 'reactivate')]).toEqual([
      '200',
      'USER_STATE_ACTIVE',
      '400 user.not_in_state',
    ]);
    expect([await to(id, 'lock'), await stateOf(id), await to(id, 'lock')]).toEqual([
      '200',
      'USER_STATE_LOCKED',
      '400 user.not_in_state',
    ]);
    expect([await to(id, 'reactivate'), await to(id, 'unlock'), await stateOf(id)]).toEqual([
      '400 user.not_in_state',
      '200',
      'USER_STATE_ACTIVE',
    ]);
  });

  it('is initial until the account is set up, which no manager can skip by locking or deactivating it', async () => {
    const { id } = await someone({ password: '' });
    for (const [verb, verdict, state] of [
      ['unlock', '400 user.not_in_state', 'INITIAL'],
      ['reactivate', '400 user.not_in_state', 'INITIAL'],
      ['deactivate', '200', 'INACTIVE'],
      ['deactivate', '400 user.state_unchanged', 'INACTIVE'],
      ['resend_initialization', '400 user.not_initial', 'INACTIVE'],
      ['reactivate', '200', 'INITIAL'],
      ['lock', '200', 'LOCKED'],
      ['deactivate', '200', 'INACTIVE'],
      ['reactivate', '200', 'INITIAL'],
      ['lock', '200', 'LOCKED'],
      ['unlock', '200', 'INITIAL'],
      ['resend_initialization', '200', 'INITIAL'],
    ] as const) {
      expect([verb, await to(id, verb), await stateOf(id)]).toEqual([verb, verdict, `USER_STATE_${state}`]);
    }
  });

  it('is active after a reactivation if the account was set up by managers in the meantime', async () => {
    const { id } = await someone({ password: '' });
    await to(id, 'deactivate');
    const email = `${uniqueName('moved')}@orga.test`;
    expect(await managerOfA.verdict('PUT', `${USERS}/${id}/email`, { email })).toBe('200');
    expect(await mailsTo(world, email)).toEqual([]);
    expect(await managerOfA.verdict('PUT', `${USERS}/${id}/email`, { email, isEmailVerified: true })).toBe('200');
    expect(await to(id, 'reset', managerOfA, '/password')).toBe('400 user.initial');
    expect(await managerOfA.verdict('POST', `${USERS}/${id}/password/_initialize`, { password: PASSWORD })).toBe('200');
    expect(await stateOf(id)).toBe('USER_STATE_INACTIVE');
    await to(id, 'reactivate');
    expect(await stateOf(id)).toBe('USER_STATE_ACTIVE');
    await to(id, 'lock');
    await to(id, 'unlock');
    expect(await stateOf(id)).toBe('USER_STATE_ACTIVE');
  });

  it.each(['deactivate', 'lock'])(
    'that is shut (_%s) ends sessions and tokens, which do not come back with it',
    async (verb) => {
      const person = await someone();
      const rp = new RelyingParty(world, await world.cast.web1);
      const { access_token: token } = await rp.tokens(person);
      await to(person.id, verb);
      expect((await rp.userinfo(token)).status).toBe(401);
      await to(person.id, verb === 'lock' ? 'unlock' : 'reactivate');
      expect((await rp.userinfo(token)).status).toBe(401);
      expect(await world.rows('SELECT id FROM session WHERE user_id = $1 AND ended_at IS NULL', [person.id])).toEqual(
        [],
      );
    },
  );

  it('asked for by two at once changes once', async () => {
    const { id } = await someone();
    expect((await Promise.all([1, 2, 3].map(() => to(id, 'lock')))).sort()).toEqual([
      '200',
      '400 user.not_in_state',
      '400 user.not_in_state',
    ]);
  });
});

describe('RemoveUser', () => {
  it('removes the user and what is theirs, leaves an event for each object, and works once', async () => {
    const service = await world.add.service({ orgId: orgA.id });
    await world.add.grant(service.id, await world.cast.projectP, orgA.id, ['reader']);
    await world.add.member(service.id, ['PROJECT_OWNER_VIEWER'], {
      level: 'project',
      objectId: await world.cast.projectP,
      orgId: orgA.id,
    });
    await world.add.metadata(service.id, 'key', Buffer.from('x'));
    const [{ position } = { position: '0' }] = await world.rows<{ position: string }>(
      'SELECT max(position) AS position FROM event',
    );
    expect(await owner.about(orgA.id).verdict('DELETE', `${USERS}/${service.id}`)).toBe('200');
    expect(await owner.about(orgA.id).verdict('DELETE', `${USERS}/${service.id}`)).toBe('404 user.not_found');
    expect(
      (
        await world.rows<{ type: string }>('SELECT type FROM event WHERE position > $1 ORDER BY position', [position])
      ).map(({ type }) => type),
    ).toEqual([
      'user.service.key.removed',
      'user.personal_access_token.removed',
      'user.grant.cascade.removed',
      'project.member.cascade.removed',
      'user.removed',
    ]);
    for (const table of [
      'machine_key',
      'personal_access_token',
      'user_grant',
      'user_metadata',
      'member',
      'user_code',
    ]) {
      expect(await world.rows(`SELECT * FROM ${table} WHERE user_id = $1`, [service.id])).toEqual([]);
    }
  });

  it('demands its own permission', async () => {
    const { id } = await someone();
    const editor = (await callerWith(world, orgA, ['IAM_LOGIN_CLIENT'])).api;
    expect(await editor.verdict('DELETE', `${USERS}/${id}`)).toBe('403 permission.missing');
    expect(await managerOfA.verdict('DELETE', `${USERS}/${id}`)).toBe('200');
  });

  it('leaves one of two owners who remove each other [ADM-008]', async () => {
    const lone = await startWorld();
    try {
      const org = await lone.cast.orgA;
      const [one, other] = [await callerWith(lone, org, ['IAM_OWNER']), await callerWith(lone, org, ['IAM_OWNER'])];
      await lone.rows(
        "UPDATE user_account SET state = 'inactive' WHERE id IN (SELECT user_id FROM member WHERE user_id NOT IN ($1, $2))",
        [one.service.id, other.service.id],
      );
      const verdicts = await Promise.all([
        one.api.verdict('DELETE', `${USERS}/${other.service.id}`),
        other.api.verdict('DELETE', `${USERS}/${one.service.id}`),
      ]);
      expect(verdicts.filter((verdict) => verdict === '200')).toHaveLength(1);
      const [last] = await lone.rows<{ id: string }>(
        "SELECT user_id AS id FROM member m JOIN user_account u ON u.id = m.user_id WHERE u.state = 'active'",
      );
      const api = last!.id === one.service.id ? one.api : other.api;
      for (const verb of ['_deactivate', '_lock'])
        expect(await api.verdict('POST', `${USERS}/${last!.id}/${verb}`)).toBe('400 member.last_owner');
      expect(await api.verdict('DELETE', `${USERS}/${last!.id}`)).toBe('400 member.last_owner');
    } finally {
      await lone.close();
    }
  });
});

describe('Users of another organization', () => {
  const operations: ReadonlyArray<readonly [string, string, Json | undefined]> = [
    ['GET', '', undefined],
    ['DELETE', '', undefined],
    ['PUT', '/username', { userName: 'mine' }],
    ['POST', '/_deactivate', undefined],
    ['POST', '/_reactivate', undefined],
    ['POST', '/_lock', undefined],
    ['POST', '/_unlock', undefined],
    ['POST', '/metadata/key', { value: 'eA==' }],
    ['GET', '/metadata/key', undefined],
    ['DELETE', '/metadata/key', undefined],
    ['POST', '/metadata/_search', {}],
    ['POST', '/metadata/_bulk', { metadata: [{ key: 'a', value: 'eA==' }] }],
    ['DELETE', '/metadata/_bulk', { keys: ['key'] }],
  ];

  it.each(operations)(
    '%s %s responds as for an unknown user, and changes nothing [ADM-004, ADM-005]',
    async (method, path, body) => {
      const { id } = await someone();
      const before = await world.contents();
      const [foreign, none] = [
        await managerOfB.ask(method, `${USERS}/${id}${path}`, body),
        await managerOfB.ask(method, `${USERS}/0${path}`, body),
      ];
      expect([foreign.status, foreign.text]).toEqual([404, none.text]);
      expect(await managerOfB.about(orgA.id).verdict(method, `${USERS}/${id}${path}`, body)).toBe(
        '403 permission.missing',
      );
      expect(
        await managerOfB.verdict(method, `${USERS}/${id}${path}`, { ...body, resourceOwner: orgB.id, orgId: orgB.id }),
      ).toBe('404 user.not_found');
      expect(await world.contents()).toBe(before);
    },
  );

  it.each(operations.filter(([method, path]) => method !== 'GET' && !path.endsWith('_search')))(
    '%s %s of a user with more rights is refused, and of oneself is not [ADM-007]',
    async (method, path, body) => {
      const strong = await callerWith(world, orgA, ['ORG_OWNER']);
      const before = await world.contents();
      expect(await managerOfA.verdict(method, `${USERS}/${strong.service.id}${path}`, body)).toBe(
        '403 permission.user_too_strong',
      );
      expect(await viewerOfA.verdict(method, `${USERS}/${strong.service.id}${path}`, body)).toBe(
        '403 permission.missing',
      );
      expect(await world.contents()).toBe(before);
      const own = body && 'userName' in body ? { userName: uniqueName('own') } : body;
      expect(await strong.api.verdict(method, `${USERS}/${strong.service.id}${path}`, own)).not.toMatch(/^403/);
    },
  );
});
