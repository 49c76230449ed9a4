import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RoleName } from '../../src/user/permission/role.js';
import { RoleBook } from '../../src/user/permission/role-book.js';
import { type Headers, type Reply, send } from '../support/http.js';
import { type KnownOperation, operationsOf, pathOf } from '../support/operations.js';
import { basicAuth, bearer, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { Callers, SYSTEM_AUDIENCE } from './callers.js';

const SYSTEM_SCOPE = `openid ${SYSTEM_AUDIENCE}`;

type Who = (callers: Callers) => Promise<Headers>;

const withToken =
  (find: (callers: Callers) => Promise<string>): Who =>
  async (callers) =>
    bearer(await find(callers));
const ownersTokens = (callers: Callers, scope: string) =>
  callers.manager(['IAM_OWNER']).then((person) => callers.tokensOf(person, scope));

/** Nobody knows them here: 401 at every operation. */
const STRANGERS: ReadonlyArray<readonly [string, Who]> = [
  ['nothing', async () => ({})],
  ['a random token', withToken(async () => 'not-a-token')],
  ['an empty token', async () => ({ Authorization: 'Bearer ' })],
  ['another scheme', async (callers) => ({ Authorization: `Token ${(await callers.service(['IAM_OWNER'])).pat}` })],
  [
    'the secret of a client',
    async (callers) => {
      const { clientId, secret = '' } = await callers.world.cast.web1;
      return basicAuth(clientId, secret);
    },
  ],
  ['an ID token', withToken(async (callers) => (await ownersTokens(callers, SYSTEM_SCOPE)).id_token)],
  [
    'a refresh token',
    withToken(async (callers) => (await ownersTokens(callers, `offline_access ${SYSTEM_SCOPE}`)).refresh_token),
  ],
  [
    'an authorization code',
    withToken(async (callers) =>
      new RelyingParty(callers.world, await callers.world.cast.web1).code(await callers.manager(['IAM_OWNER']), {
        scope: SYSTEM_SCOPE,
      }),
    ),
  ],
  [
    'a revoked token',
    withToken(async (callers) => {
      const { access_token: token } = await ownersTokens(callers, SYSTEM_SCOPE);
      await callers.revoke(token);
      return token;
    }),
  ],
  [
    'a token without the audience of this API',
    withToken(async (callers) => (await ownersTokens(callers, 'openid profile')).access_token),
  ],
  [
    'a JWT without the audience of this API',
    withToken(
      async (callers) =>
        (await callers.tokensOf(await callers.manager(['IAM_OWNER']), 'openid profile', 'web4')).access_token,
    ),
  ],
  [
    'a token of a service user without the audience of this API',
    withToken(async (callers) => callers.clientCredentials(await callers.service(['IAM_OWNER']), 'openid')),
  ],
  [
    'the token of a deactivated owner',
    withToken(async (callers) => {
      const person = await callers.manager(['IAM_OWNER']);
      const { access_token: token } = await callers.tokensOf(person, SYSTEM_SCOPE);
      await callers.deactivate(person.id);
      return token;
    }),
  ],
  [
    'a personal access token of a deactivated owner',
    withToken(async (callers) => {
      const service = await callers.service(['IAM_OWNER']);
      await callers.deactivate(service.id);
      return service.pat;
    }),
  ],
  [
    'a personal access token with one character changed',
    withToken(async (callers) => {
      const { pat } = await callers.service(['IAM_OWNER']);
      return `${pat.slice(0, -1)}${pat.endsWith('A') ? 'B' : 'A'}`;
    }),
  ],
  [
    'the session cookie of an owner',
    async (callers) => {
      const rp = new RelyingParty(callers.world, await callers.world.cast.web1);
      await rp.signIn(await callers.manager(['IAM_OWNER']));
      return { Cookie: [...rp.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    },
  ],
];

interface Member {
  readonly roles: readonly RoleName[];
  /** With those that they hold elsewhere: operations that name their object ask for any of them first (ADM-101). */
  readonly held?: readonly RoleName[];
  readonly bring: Who;
  /** Whose organization the call is about. */
  readonly about?: 'orgB';
}

const pat = (roles: readonly RoleName[]): Who => withToken(async (callers) => (await callers.service(roles)).pat);

/** Known, of organization A; what their roles do not allow is 403 at every operation, and changes nothing. */
const MEMBERS: Readonly<Record<string, Member>> = {
  'a user without any role': { roles: [], bring: withToken((callers) => callers.person([])) },
  'a service user without any role': { roles: [], bring: pat([]) },
  'a service user without any role, by its secret': {
    roles: [],
    bring: withToken(async (callers) => callers.clientCredentials(await callers.service([]), SYSTEM_AUDIENCE)),
  },
  'the owner of the organization': {
    roles: ['ORG_OWNER'],
    bring: withToken((callers) => callers.person(['ORG_OWNER'])),
  },
  'the owner of another organization': { roles: [], held: ['ORG_OWNER'], bring: pat(['ORG_OWNER']), about: 'orgB' },
  'a user who may only read the organization': { roles: ['ORG_OWNER_VIEWER'], bring: pat(['ORG_OWNER_VIEWER']) },
  'a manager of users of the organization': { roles: ['ORG_USER_MANAGER'], bring: pat(['ORG_USER_MANAGER']) },
  'a user who may only read the instance': { roles: ['IAM_OWNER_VIEWER'], bring: pat(['IAM_OWNER_VIEWER']) },
  'a user who may only read the instance, about another organization': {
    roles: ['IAM_OWNER_VIEWER'],
    bring: pat(['IAM_OWNER_VIEWER']),
    about: 'orgB',
  },
  'a manager of users of the instance': { roles: ['IAM_USER_MANAGER'], bring: pat(['IAM_USER_MANAGER']) },
};

const MEMBER_NAMES = Object.keys(MEMBERS);

/** The others are service users. */
const PEOPLE: ReadonlySet<string> = new Set(['a user without any role', 'the owner of the organization']);

function isAllowed({ permission, reach }: KnownOperation, { roles, held = roles }: Member): boolean {
  const counting = reach.named === true ? held : roles;
  const anyOf: readonly string[] = [permission ?? '', ...(reach.others ?? [])];
  return (
    permission === 'authenticated' ||
    counting.some((role) => new RoleBook().permissionsOf(role).some((one) => anyOf.includes(one)))
  );
}

/** Operations that answered otherwise, for messages. */
function others(replies: ReadonlyArray<readonly [KnownOperation, Reply]>, status: number): string[] {
  return replies.filter(([, reply]) => reply.status !== status).map(([{ name }, reply]) => `${name} ${reply.status}`);
}

function expectUnauthenticated(reply: Reply): void {
  expect([reply.status, reply.json()['code']]).toEqual([401, 16]);
  expect(reply.header('www-authenticate')).toMatch(
    /^Bearer realm="gatehouse"(, error="invalid_token"|, DPoP realm="gatehouse", algs="[\w ]+")$/,
  );
  expectRefusal(reply);
}

/** A status of gRPC as JSON, that nobody stores, and that no origin gets by what a browser adds on its own. */
function expectRefusal(reply: Reply): void {
  const { message, details, ...rest } = reply.json<{
    code: number;
    message: string;
    details: Array<Record<string, unknown>>;
  }>();
  expect(Object.keys(rest)).toEqual(['code']);
  expect(details).toEqual([
    { '@type': 'type.googleapis.com/service.v1.ErrorDetail', id: expect.any(String), message: expect.any(String) },
  ]);
  expect(message).toBe(`${String(details[0]!['message'])} (${String(details[0]!['id'])})`);
  expect(reply.header('cache-control')).toBe('no-store');
  expect(reply.header('access-control-allow-credentials')).toBeUndefined();
}

/** @param shares for each stranger and for each member, one of so many operations is asked: with 1, every one */
export function describeAccess(shares: { readonly strangers: number; readonly members: number }): void {
  const connections = new Agent({ keepAlive: true });
  let world: World;
  let callers: Callers;
  let guarded: KnownOperation[];

  beforeAll(async () => {
    world = await startWorld();
    callers = new Callers(world);
    guarded = operationsOf(world).filter(({ permission }) => permission !== undefined);
  });
  afterAll(async () => {
    connections.destroy();
    await world.close();
  });

  const sample = (operations: readonly KnownOperation[], index: number, who: keyof typeof shares): KnownOperation[] =>
    operations.filter((_, place) => place % shares[who] === index % shares[who]);

  async function answers(
    operations: readonly KnownOperation[],
    headers: Headers,
  ): Promise<Array<readonly [KnownOperation, Reply]>> {
    const replies: Array<readonly [KnownOperation, Reply]> = [];
    for (let from = 0; from < operations.length; from += 20) {
      const some = operations.slice(from, from + 20);
      replies.push(
        ...(await Promise.all(
          some.map(async (operation) => {
            const { method } = operation;
            return [
              operation,
              await send(world.origin, { method, path: pathOf(operation), headers, over: connections }),
            ] as const;
          }),
        )),
      );
    }
    return replies;
  }

  it.each(STRANGERS.map(([name, who], index) => [name, who, index] as const))(
    'answers 401 to %s',
    async (_, who, index) => {
      const replies = await answers(sample(guarded, index, 'strangers'), await who(callers));
      expect(replies.length).toBeGreaterThan(150 / shares.strangers - 1);
      expect(others(replies, 401)).toEqual([]);
      for (const [, reply] of replies) expectUnauthenticated(reply);
    },
  );

  it('answers 401 to an expired token, and to an expired personal access token', async () => {
    const token = await callers.person(['IAM_OWNER']);
    world.clock.advance('13h');
    expect(others(await answers(sample(guarded, 16, 'strangers'), bearer(token)), 401)).toEqual([]);
    const expired = await callers.expiringPat(await callers.service(['IAM_OWNER']), '61s', 60_000);
    expect(others(await answers(sample(guarded, 17, 'strangers'), bearer(expired)), 401)).toEqual([]);
    world.clock.set();
  });

  it.each(MEMBER_NAMES)(
    'answers 403 to %s beyond their roles, names the permission and changes nothing',
    async (name) => {
      const { bring, about } = MEMBERS[name]!;
      const headers = {
        ...(await bring(callers)),
        ...(about ? { 'x-service-orgid': (await world.cast[about]).id } : {}),
      };
      const forbidden = sample(
        guarded.filter((operation) => !isAllowed(operation, MEMBERS[name]!)),
        MEMBER_NAMES.indexOf(name),
        'members',
      );
      expect(forbidden.length).toBeGreaterThan(30 / shares.members - 1);
      const before = await world.contents();
      const replies = await answers(forbidden, headers);
      expect(others(replies, 403)).toEqual([]);
      for (const [{ permission = '' }, reply] of replies) {
        expectRefusal(reply);
        expect([reply.json()['code'], reply.json()['message']]).toEqual([
          7,
          `The permission ${permission} is missing. (permission.missing)`,
        ]);
      }
      expect(await world.contents()).toBe(before);
    },
  );

  it.each(MEMBER_NAMES)('lets %s look at whatever their roles allow', async (name) => {
    const { bring, about } = MEMBERS[name]!;
    const headers = {
      ...(await bring(callers)),
      ...(about ? { 'x-service-orgid': (await world.cast[about]).id } : {}),
    };
    const allowed = guarded.filter(
      (operation) => /^(Get|List|Is)/.test(operation.facts.id) && isAllowed(operation, MEMBERS[name]!),
    );
    const replies = await answers(sample(allowed, MEMBER_NAMES.indexOf(name), 'members'), headers);
    expect(
      replies
        .filter(([, reply]) => [401, 403, 405].includes(reply.status))
        // The own account is for people, whatever the roles of a service user are.
        .filter(([, reply]) => !reply.text.includes('account.of_people') || PEOPLE.has(name))
        .map(([{ name: operation }, reply]) => `${operation} ${reply.text}`),
    ).toEqual([]);
  });

  it('lets the owner of the instance into all of it', async () => {
    const headers = await pat(['IAM_OWNER'])(callers);
    // What takes a body is refused for what stands in it, so that nothing happens here; what takes none is tested with
    // its resource.
    const replies = await answers(
      sample(
        guarded.filter(({ method, facts }) => method === 'GET' || facts.id.startsWith('List')),
        0,
        'members',
      ),
      headers,
    );
    expect(
      replies
        .filter(([, reply]) => ![200, 400, 404].includes(reply.status) && !reply.text.includes('account.of_people'))
        .map(([{ name }, reply]) => `${name} ${reply.status} ${reply.text}`),
    ).toEqual([]);
  });
}
