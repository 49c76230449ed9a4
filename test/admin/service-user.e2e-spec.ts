import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import { send } from '../support/http.js';
import { basicAuth, paths } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const USERS = '/management/v1/users';
const ASSERTION = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

let world: World;
let orgA: TestOrg;
let orgB: TestOrg;
let manager: AdminApi;
let viewer: AdminApi;
let managerOfB: AdminApi;

beforeAll(async () => {
  world = await startWorld();
  [orgA, orgB] = [await world.cast.orgA, await world.cast.orgB];
  manager = (await callerWith(world, orgA, ['ORG_USER_MANAGER'])).api;
  viewer = (await callerWith(world, orgA, ['ORG_OWNER_VIEWER'])).api;
  managerOfB = (await callerWith(world, orgB, ['ORG_OWNER'])).api;
});
afterAll(() => world.close());

const add = async (more: Json = {}): Promise<{ id: string; userName: string }> => {
  const userName = uniqueName('machine');
  const { userId } = await manager.call<{ userId: string }>('POST', `${USERS}/machine`, {
    userName,
    name: 'Machine',
    ...more,
  });
  return { id: userId, userName };
};
const soon = (ms: number): string => new Date(world.clock.now().getTime() + ms).toISOString();
const tokenBySecret = async (clientId: string, secret: string): Promise<{ status: number; token: string }> => {
  const reply = await send(world.origin, {
    method: 'POST',
    path: paths.token,
    headers: basicAuth(clientId, secret),
    body: { grant_type: 'client_credentials', scope: 'openid' },
  });
  return { status: reply.status, token: (reply.json()['access_token'] ?? '') as string };
};
const statusOf = async (token: string): Promise<number> =>
  (await send(world.origin, { path: '/oidc/v1/userinfo', headers: { Authorization: `Bearer ${token}` } })).status;

describe('AddMachineUser', () => {
  it("makes an active service user, with an id of the caller's choice if one is given", async () => {
    const userId = uniqueName('own-id');
    const answer = await manager.call('POST', `${USERS}/machine`, {
      userName: uniqueName('m'),
      name: 'Report',
      description: 'Reads',
      accessTokenType: 'ACCESS_TOKEN_TYPE_JWT',
      userId,
    });
    expect(answer).toEqual({
      userId,
      details: {
        sequence: '1',
        creationDate: expect.any(String),
        changeDate: expect.any(String),
        resourceOwner: orgA.id,
      },
    });
    expect((await manager.call('GET', `${USERS}/${userId}`))['user']).toMatchObject({
      state: 'USER_STATE_ACTIVE',
      machine: { name: 'Report', description: 'Reads', hasSecret: false, accessTokenType: 'ACCESS_TOKEN_TYPE_JWT' },
    });
    expect(await manager.verdict('POST', `${USERS}/machine`, { userName: uniqueName('m'), name: 'x', userId })).toBe(
      '409 user.id_taken',
    );
    expect(await managerOfB.verdict('POST', `${USERS}/machine`, { userName: uniqueName('m'), name: 'x', userId })).toBe(
      '409 user.id_taken',
    );
  });

  it.each<[string, Json, string]>([
    ['nothing', { userName: '', name: '' }, '400 userName, name'],
    ['names of 201 characters', { userName: 'x'.repeat(201), name: '😀'.repeat(201) }, '400 userName, name'],
    ['a description of 501 characters', { description: 'x'.repeat(501) }, '400 description'],
    ['a NUL byte', { name: 'a\u0000' }, '400 name'],
    ['control characters', { name: 'a\u0007', description: 'a\u0085' }, '400 name, description'],
    ['an unknown token type', { accessTokenType: 'JWT' }, '400 accessTokenType'],
    ['an empty id', { userId: '' }, '400 userId'],
    ['an id that is a word in the paths of users [ADM-098]', { userId: 'Human' }, '400 userId'],
    ['an id that URLs lose [ADM-098]', { userId: '..' }, '400 userId'],
  ])('refuses %s, and creates no user', async (_, more, verdict) => {
    const before = await world.contents();
    expect(await manager.verdict('POST', `${USERS}/machine`, { userName: uniqueName('m'), name: 'x', ...more })).toBe(
      verdict,
    );
    expect(await world.contents()).toBe(before);
  });

  it('refuses the client id of an application as a name or an id, and of two at once makes one', async () => {
    const { clientId } = await world.cast.web1;
    expect(await manager.verdict('POST', `${USERS}/machine`, { userName: clientId, name: 'x' })).toBe(
      '409 user.name_taken',
    );
    expect(
      await manager.verdict('POST', `${USERS}/machine`, { userName: uniqueName('m'), name: 'x', userId: clientId }),
    ).toBe('409 user.name_taken');
    const userName = uniqueName('twice');
    const verdicts = await Promise.all(
      [1, 2].map(() => manager.verdict('POST', `${USERS}/machine`, { userName, name: 'x' })),
    );
    expect(verdicts.sort()).toEqual(['200', '409 user.name_taken']);
  });

  it('is allowed only to managers of users', async () => {
    expect(await viewer.verdict('POST', `${USERS}/machine`, { userName: 'x', name: 'x' })).toBe(
      '403 permission.missing',
    );
  });
});

describe('UpdateMachine', () => {
  it('changes name, description and the form of tokens; twice in a row once', async () => {
    const { id } = await add();
    for (let round = 0; round < 2; round += 1) {
      const request = {
        name: 'New',
        description: 'd',
        accessTokenType: 1,
        ...(round === 0 ? { accessTokenHeaderType: 'ACCESS_TOKEN_HEADER_TYPE_JWT' } : {}),
      };
      const { details } = await manager.call('PUT', `${USERS}/${id}/machine`, request);
      expect(details).toEqual({ sequence: '2', changeDate: expect.any(String), resourceOwner: orgA.id });
    }
    expect((await manager.call('GET', `${USERS}/${id}`))['user']['machine']).toEqual({
      name: 'New',
      description: 'd',
      hasSecret: false,
      accessTokenType: 'ACCESS_TOKEN_TYPE_JWT',
      accessTokenHeaderType: 'ACCESS_TOKEN_HEADER_TYPE_JWT',
    });
    expect(await manager.verdict('PUT', `${USERS}/${id}/machine`, {})).toBe('400 name');
  });
});

describe('The secret of a service user', () => {
  it('is shown once, works, is replaced with its tokens, and is removed with them', async () => {
    const { id, userName } = await add();
    const first = await manager.call<{ clientId: string; clientSecret: string; details: Json }>(
      'PUT',
      `${USERS}/${id}/secret`,
    );
    world.plant(first.clientSecret);
    expect([first.clientId, first.clientSecret]).toEqual([userName, expect.stringMatching(/^[A-Za-z0-9]{64}$/)]);
    const { status, token } = await tokenBySecret(userName, first.clientSecret);
    expect([status, await statusOf(token)]).toEqual([200, 200]);
    const { clientSecret } = await manager.call<{ clientSecret: string }>('PUT', `${USERS}/${id}/secret`);
    world.plant(clientSecret);
    expect([await statusOf(token), (await tokenBySecret(userName, first.clientSecret)).status]).toEqual([401, 401]);
    const second = await tokenBySecret(userName, clientSecret);
    const removed = await manager.call('DELETE', `${USERS}/${id}/secret`);
    expect(await manager.call('DELETE', `${USERS}/${id}/secret`)).toEqual(removed);
    expect([await statusOf(second.token), (await tokenBySecret(userName, clientSecret)).status]).toEqual([401, 401]);
    const everything = (
      await world.rows<{ t: string }>('SELECT u::text AS t FROM user_account u UNION ALL SELECT e::text FROM event e')
    )
      .map(({ t }) => t)
      .join();
    expect(everything).not.toContain(clientSecret);
  });

  it('asked for by two at once is one of the two', async () => {
    const { id, userName } = await add();
    const answers = await Promise.all(
      [1, 2].map(() => manager.call<{ clientSecret: string }>('PUT', `${USERS}/${id}/secret`)),
    );
    const statuses = await Promise.all(
      answers.map(async ({ clientSecret }) => (await tokenBySecret(userName, clientSecret)).status),
    );
    expect(statuses.sort()).toEqual([200, 401]);
  });
});

describe('The keys of a service user', () => {
  const assertion = (pem: string, kid: string, userId: string): Promise<string> =>
    new SignJWT({ iss: userId, sub: userId, aud: world.issuer })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuedAt(world.now())
      .setExpirationTime(world.now() + 60)
      .sign(createPrivateKey(pem));
  const exchange = async (pem: string, kid: string, userId: string): Promise<number> =>
    (
      await send(world.origin, {
        method: 'POST',
        path: paths.token,
        body: { grant_type: ASSERTION, assertion: await assertion(pem, kid, userId), scope: 'openid' },
      })
    ).status;

  it('are made here, handed out once as a document, and good until they are removed', async () => {
    const { id } = await add();
    const added = await manager.call<{ keyId: string; keyDetails: string; details: Json }>(
      'POST',
      `${USERS}/${id}/keys`,
      { type: 'KEY_TYPE_JSON' },
    );
    const file = JSON.parse(Buffer.from(added.keyDetails, 'base64').toString()) as {
      type: string;
      keyId: string;
      key: string;
      userId: string;
    };
    expect(file).toEqual({
      type: 'serviceaccount',
      keyId: added.keyId,
      key: expect.stringMatching(/^-----BEGIN RSA PRIVATE KEY-----/),
      userId: id,
    });
    expect(createPrivateKey(file.key).asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(await exchange(file.key, file.keyId, id)).toBe(200);
    const { key } = await manager.call('GET', `${USERS}/${id}/keys/${added.keyId}`);
    expect(key).toEqual({
      id: added.keyId,
      details: added.details,
      type: 'KEY_TYPE_JSON',
      expirationDate: '9999-12-31T23:59:59.000Z',
    });
    expect((await manager.call('POST', `${USERS}/${id}/keys/_search`, {}))['result']).toEqual([key]);
    expect(await manager.verdict('DELETE', `${USERS}/${id}/keys/${added.keyId}`)).toBe('200');
    expect(await exchange(file.key, file.keyId, id)).toBe(400);
    expect(await manager.verdict('DELETE', `${USERS}/${id}/keys/${added.keyId}`)).toBe('404 user.key_not_found');
    expect(await manager.verdict('GET', `${USERS}/${id}/keys/${added.keyId}`)).toBe('404 user.key_not_found');
    const everything = (
      await world.rows<{ t: string }>('SELECT k::text AS t FROM machine_key k UNION ALL SELECT e::text FROM event e')
    )
      .map(({ t }) => t)
      .join();
    expect(everything).not.toContain(file.key.slice(50, 100));
  });

  it.each(['spki', 'pkcs1'] as const)("may be the manager's own (%s), until they expire", async (type) => {
    const { id } = await add();
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const publicKey = Buffer.from(pair.publicKey.export({ format: 'pem', type })).toString('base64');
    const { keyId, keyDetails } = await manager.call<{ keyId: string; keyDetails: string }>(
      'POST',
      `${USERS}/${id}/keys`,
      { type: 1, publicKey, expirationDate: soon(60_000) },
    );
    expect(keyDetails).toBe('');
    const pem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
    expect(await exchange(pem, keyId, id)).toBe(200);
    world.clock.advance('61s');
    expect(await exchange(pem, keyId, id)).toBe(400);
  });

  const pemOf = (key: { export: (options: { format: 'pem'; type: never }) => string | Buffer }, type: string): string =>
    Buffer.from(key.export({ format: 'pem', type: type as never })).toString('base64');

  it.each<[string, () => Json, string]>([
    ['no type', () => ({}), '400 type'],
    ['a time that is over', () => ({ type: 1, expirationDate: soon(-1) }), '400 expirationDate'],
    ['no key', () => ({ type: 1, publicKey: Buffer.from('x').toString('base64') }), '400 publicKey'],
    [
      'a private key',
      () => ({ type: 1, publicKey: pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'pkcs8') }),
      '400 publicKey',
    ],
    [
      'a key of 1024 bits',
      () => ({ type: 1, publicKey: pemOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey, 'spki') }),
      '400 publicKey',
    ],
  ])('are refused with %s [TOK-039]', async (_, body, verdict) => {
    const { id } = await add();
    expect(await manager.verdict('POST', `${USERS}/${id}/keys`, body())).toBe(verdict);
    expect(await world.rows('SELECT id FROM machine_key WHERE user_id = $1', [id])).toEqual([]);
  });
});

describe('The personal access tokens of a service user', () => {
  it('are shown once, work, are listed without themselves, and are dead once removed [ADM-009]', async () => {
    const { id } = await add();
    await world.add.member(id, ['ORG_OWNER_VIEWER'], { level: 'org', objectId: orgA.id, orgId: orgA.id });
    const owner = (await callerWith(world, orgA, ['ORG_OWNER'])).api;
    const { tokenId, token, details } = await owner.call<{ tokenId: string; token: string; details: Json }>(
      'POST',
      `${USERS}/${id}/pats`,
      { expirationDate: soon(3_600_000) },
    );
    world.plant(token);
    const caller = new AdminApi(world.origin, token);
    expect(await caller.verdict('GET', `${USERS}/${id}`)).toBe('200');
    const { token: read } = await owner.call('GET', `${USERS}/${id}/pats/${tokenId}`);
    expect(read).toEqual({
      id: tokenId,
      details,
      expirationDate: soon(3_600_000),
      scopes: expect.arrayContaining(['openid', 'profile']),
    });
    const list = await owner.ask('POST', `${USERS}/${id}/pats/_search`, {});
    expect(list.json()['result']).toEqual([read]);
    expect(list.text).not.toContain(token.slice(4));
    expect(await owner.verdict('DELETE', `${USERS}/${id}/pats/${tokenId}`)).toBe('200');
    expect(await caller.verdict('GET', `${USERS}/${id}`)).toMatch(/^401/);
    expect(await owner.verdict('DELETE', `${USERS}/${id}/pats/${tokenId}`)).toBe('404 token.personal_not_found');
    expect(await owner.verdict('GET', `${USERS}/${id}/pats/${tokenId}`)).toBe('404 token.personal_not_found');
  });

  it('do not expire unless a time is given, which must be in the future', async () => {
    const { id } = await add();
    const { tokenId } = await manager.call<{ tokenId: string }>('POST', `${USERS}/${id}/pats`, {});
    expect((await manager.call('GET', `${USERS}/${id}/pats/${tokenId}`))['token']['expirationDate']).toBe(
      '9999-12-31T23:59:59.000Z',
    );
    expect(await manager.verdict('POST', `${USERS}/${id}/pats`, { expirationDate: soon(0) })).toBe(
      '400 expirationDate',
    );
    expect(await manager.verdict('POST', `${USERS}/${id}/pats`, { expirationDate: 'tomorrow' })).toBe(
      '400 expirationDate',
    );
  });
});

describe('Credentials of service users', () => {
  const operations: ReadonlyArray<readonly [string, string, Json | undefined]> = [
    ['PUT', 'machine', { name: 'x' }],
    ['PUT', 'secret', undefined],
    ['DELETE', 'secret', undefined],
    ['POST', 'keys', { type: 1 }],
    ['POST', 'pats', {}],
    ['DELETE', 'keys/KEY', undefined],
    ['DELETE', 'pats/PAT', undefined],
    ['POST', 'keys/_search', {}],
    ['GET', 'keys/KEY', undefined],
    ['POST', 'pats/_search', {}],
    ['GET', 'pats/PAT', undefined],
  ];
  const isRead = ([method, path]: readonly [string, string, ...unknown[]]): boolean =>
    method === 'GET' || path.endsWith('_search');
  const pathFor = async (id: string, path: string): Promise<string> => {
    const [key] = await world.rows<{ id: string }>('SELECT id FROM machine_key WHERE user_id = $1', [id]);
    const [pat] = await world.rows<{ id: string }>('SELECT id FROM personal_access_token WHERE user_id = $1', [id]);
    return `${USERS}/${id}/${path.replace('KEY', key!.id).replace('PAT', pat!.id)}`;
  };

  it.each(operations)('%s %s are not there for another organization [ADM-004]', async (method, path, body) => {
    const { id } = await world.add.service({ orgId: orgA.id });
    // A user of the caller's organization in the path does not give access to objects of another user.
    const own = await world.add.service({ orgId: orgB.id });
    const target = await pathFor(id, path);
    const before = await world.contents();
    expect(await managerOfB.verdict(method, target, body)).toBe('404 user.not_found');
    expect(await managerOfB.about(orgA.id).verdict(method, target, body)).toBe('403 permission.missing');
    if (/KEY|PAT/.test(path))
      expect(await managerOfB.verdict(method, target.replace(id, own.id), body)).toMatch(
        /^404 (user.key|token.personal)_not_found/,
      );
    expect(await world.contents()).toBe(before);
  });

  it.each(operations.filter((operation) => !isRead(operation)))(
    '%s %s of a user with more rights are refused [ADM-007]',
    async (method, path, body) => {
      for (const role of ['ORG_OWNER', 'IAM_OWNER'] as const) {
        const strong = await callerWith(world, orgA, [role]);
        const target = await pathFor(strong.service.id, path);
        const before = await world.contents();
        expect(await manager.verdict(method, target, body)).toBe('403 permission.user_too_strong');
        expect(await viewer.verdict(method, target, body)).toBe('403 permission.missing');
        expect(await world.contents()).toBe(before);
      }
    },
  );

  it.each(operations.filter((operation) => !isRead(operation) && !/KEY|PAT/.test(operation[1])))(
    '%s %s are not for people',
    async (method, path, body) => {
      const { id } = await world.add.person({ orgId: orgA.id });
      expect(await manager.verdict(method, `${USERS}/${id}/${path}`, body)).toBe('400 user.not_service');
    },
  );
});
