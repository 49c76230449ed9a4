import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { TestPerson } from '../support/builders.js';
import { type Headers, type Reply, send } from '../support/http.js';
import { bearer, paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { expectDead, expectInactive } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const OFFLINE = { scope: 'openid offline_access' };

let world: World;
let web1: RelyingParty;
let jwt: RelyingParty;
let alice: TestPerson;
let tokens: Tokens;

beforeAll(async () => {
  world = await startWorld();
  web1 = new RelyingParty(world, await world.cast.web1);
  jwt = new RelyingParty(world, await world.cast.web4);
  alice = await world.cast.alice;
  tokens = await web1.tokens(alice, OFFLINE);
});
afterAll(() => world.close());

const admin = (token: string): Promise<Reply> =>
  send(world.origin, { path: '/admin/v1/text/default/message/init/en', headers: bearer(token) });

describe('Codes, refresh tokens and opaque access tokens', () => {
  it('never repeat, reveal no order and none of their ids [TOK-063]', async () => {
    const all: string[] = [];
    for (let i = 0; i < 100; i += 1) {
      const code = await web1.code(alice, OFFLINE);
      const given = tokensOf(await web1.redeem(code));
      all.push(code, given.access_token, given.refresh_token);
    }
    expect(new Set(all).size).toBe(300);
    for (const token of all) {
      const bytes = Buffer.from(token.slice(10), 'base64url').toString('latin1');
      for (const known of [alice.id, 'openid']) expect(token + bytes).not.toContain(known);
      expect(bytes).not.toContain('web1');
      expect(bytes.length).toBeGreaterThanOrEqual(16 + 16); // 128 bits and more besides the tag
    }
    // By chance one of them contains four letters in one run of 300, and three never do.
    expect(all.filter((token) => token.includes('web1')).length).toBeLessThan(3);
    const codes = all.filter((token) => token.startsWith('gtc_'));
    expect(codes).not.toEqual([...codes].sort());
    expect(codes).not.toEqual([...codes].sort().reverse());
  });

  it('are invalid if anything about them was altered [TOK-064]', async () => {
    const other = await web1.elsewhere().tokens(await world.cast.bob);
    const half = tokens.access_token.length >> 1;
    const variants = [
      ...[1, 2, 3, 4, 8, 16, 32, half].map((count) => tokens.access_token.slice(0, -count)),
      `${tokens.access_token}A`,
      `${tokens.access_token}=`,
      tokens.access_token.slice(1),
      tokens.access_token.slice(0, half) + other.access_token.slice(half),
      other.access_token.slice(0, half) + tokens.access_token.slice(half),
      tokens.access_token.replace('gta_', 'gtr_'),
      tokens.access_token.replace('gta_', ''),
    ];
    for (const token of variants) {
      expectInactive(await web1.introspect(token));
      const reply = await web1.userinfo(token);
      expect([400, 401]).toContain(reply.status);
    }
    expect((await web1.userinfo(tokens.access_token)).status).toBe(200);
  });
});

describe('No kind of token passes as another [TOK-065]', () => {
  it.each<[string, () => Promise<string> | string]>([
    ['an id_token', () => tokens.id_token],
    ['a refresh token', () => tokens.refresh_token],
    ['a code', () => web1.code(alice)],
    ['the cookie of a session', () => [...web1.browser.cookies.values()][0]!],
    [
      'the id of a personal access token',
      async () => (await world.rows<{ id: string }>('SELECT id FROM personal_access_token LIMIT 1'))[0]!.id,
    ],
    ['a client secret', async () => (await world.cast.web2).secret!],
    ['the id of a token', () => 'web1.0.x'],
  ])('not %s as a bearer token', async (_, make) => {
    const token = await make();
    expectInactive(await web1.introspect(token));
    expectDead(await web1.userinfo(token));
    expect((await admin(token)).status).toBe(401);
  });
});

describe('A JWT access token (RFC 9068)', () => {
  it('contains what it is, from whom, for whom and for how long [TOK-066]', async () => {
    const given = await jwt.tokens(alice, { scope: 'openid email' });
    expect(decodeProtectedHeader(given.access_token)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: expect.any(String) });
    const now = world.now();
    expect(decodeJwt(given.access_token)).toEqual({
      iss: world.issuer,
      sub: alice.id,
      aud: ['web4', await world.cast.projectP],
      client_id: 'web4',
      scope: 'openid email',
      exp: now + 43_200,
      iat: now,
      nbf: now,
      jti: expect.any(String),
      sid: expect.any(String),
      auth_time: expect.any(Number),
      direct: true,
      acr: '1',
      amr: ['pwd'],
    });
  });

  it('contains no claims about the user', async () => {
    const claims = JSON.stringify(
      decodeJwt((await jwt.tokens(alice, { scope: 'openid profile email phone address' })).access_token),
    );
    for (const value of ['Liddell', 'alice@', '+4179', 'Oxford']) expect(claims).not.toContain(value);
  });

  it('is accepted by userinfo and introspection', async () => {
    const given = await jwt.tokens(alice);
    expect((await jwt.userinfo(given.access_token)).json()).toEqual({ sub: alice.id });
    expect((await jwt.introspect(given.access_token)).json()).toMatchObject({
      active: true,
      client_id: 'web4',
      token_type: 'Bearer',
    });
  });
});

describe('Claims of others never override those of the token [TOK-067]', () => {
  it.each(['sub', 'iss', 'aud', 'exp', 'urn:service:iam:org:project:roles', '__proto__', 'constructor'])(
    'metadata named %s',
    async (key) => {
      const person = await world.add.person({ orgId: (await world.cast.orgA).id });
      await world.add.metadata(person.id, key, Buffer.from('admin'));
      const rp = jwt.elsewhere();
      const given = await rp.tokens(person, { scope: 'openid urn:service:iam:user:metadata' });
      const introspection = (await rp.introspect(given.access_token)).json();
      const userinfo = (await rp.userinfo(given.access_token)).json();
      for (const claims of [await rp.verify(given.id_token), decodeJwt(given.access_token), introspection, userinfo]) {
        expect(claims['sub']).toBe(person.id);
        expect(claims['urn:service:iam:org:project:roles']).toBeUndefined();
        expect(claims['iss'] ?? world.issuer).toBe(world.issuer);
        // The prototype of a plain object has none itself.
        expect(Object.getPrototypeOf(Object.getPrototypeOf(claims))).toBeNull();
      }
      expect(JSON.stringify(userinfo)).toContain(`"${key}":"${Buffer.from('admin').toString('base64url')}"`);
    },
  );

  it.each(['sub', 'iss', '__proto__', 'urn:service:iam:org:project:roles'])('a role named %s', async (key) => {
    const orgA = await world.cast.orgA;
    const projectId = await world.add.project({ orgId: orgA.id, projectRoleAssertion: true }, [key]);
    const client = await world.add.client({
      projectId,
      idTokenRoleAssertion: true,
      accessTokenRoleAssertion: true,
      accessTokenType: 'jwt',
      flatRolesClaim: true,
    });
    const person = await world.add.person({ orgId: orgA.id });
    await world.add.grant(person.id, projectId, orgA.id, [key]);
    const rp = new RelyingParty(world, client);
    const given = await rp.tokens(person);
    for (const claims of [
      await rp.verify(given.id_token),
      decodeJwt(given.access_token),
      (await rp.userinfo(given.access_token)).json(),
    ]) {
      expect([claims['sub'], claims['iss'] ?? world.issuer]).toEqual([person.id, world.issuer]);
      expect(Object.keys(claims['urn:service:iam:org:project:roles'] as object)).toEqual([key]);
      expect(claims['roles']).toEqual([key]);
    }
  });
});

describe('Token responses', () => {
  it('are not stored and have their media type [TOK-068]', async () => {
    const reply = await web1.redeem(await web1.code(alice));
    expect(reply.header('cache-control')).toBe('no-store');
    expect(reply.header('pragma')).toBe('no-cache');
    expect(reply.header('content-type')).toMatch(/^application\/json; charset=utf-8$/i);
    expect(reply.header('x-content-type-options')).toBe('nosniff');
    expect(reply.header('set-cookie')).toBeUndefined();
  });

  it('contain the seconds until the token expires [TOK-070]', async () => {
    const given = await jwt.tokens(alice);
    expect(typeof given.expires_in).toBe('number');
    expect(given.expires_in).toBe(decodeJwt(given.access_token).exp! - world.now());
    const short = new RelyingParty(
      world,
      await world.add.client({ projectId: await world.cast.projectP, accessTokenSeconds: 60, idTokenSeconds: 120 }),
    );
    const brief = await short.tokens(alice);
    expect(brief.expires_in).toBe(60);
    expect(decodeJwt(brief.id_token).exp).toBe(world.now() + 120);
    world.clock.advance('59s');
    expect((await short.userinfo(brief.access_token)).status).toBe(200);
    world.clock.advance('1s');
    expectDead(await short.userinfo(brief.access_token));
  });
});

describe('An access token that has to fit a header', () => {
  const METADATA = 'urn:service:iam:user:metadata';

  it('contains asserted claims about the user, unless that makes it too long; then only userinfo and introspection return them', async () => {
    const person = await world.add.person({ orgId: alice.orgId });
    const know = (key: string, bytes: number) => world.add.metadata(person.id, key, Buffer.alloc(bytes, 'x'));
    await know('short', 10);
    const scope = `openid ${METADATA}`;
    expect(decodeJwt((await jwt.elsewhere().tokens(person, { scope })).access_token)).toHaveProperty([
      METADATA,
      'short',
    ]);
    await know('long', 20_000);
    const { access_token: token } = await jwt.elsewhere().tokens(person, { scope });
    expect(token.length).toBeLessThan(12_289);
    expect(decodeJwt(token)).not.toHaveProperty([METADATA]);
    for (const reply of [await jwt.userinfo(token), await jwt.introspect(token)]) {
      expect(Object.keys(reply.json()[METADATA] as object).sort()).toEqual(['long', 'short']);
    }
  });

  it.each(['web1', 'web4'] as const)('is active with the longest scope that is granted: of %s', async (name) => {
    const projects = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        world.add.project({ orgId: alice.orgId, id: `${name}-${i}`.padStart(140, 'p') }),
      ),
    );
    const scope = ['openid', ...projects.map((id) => `urn:service:iam:org:project:id:${id}:aud`)].join(' ');
    expect(scope.length).toBeGreaterThan(3500);
    const rp = new RelyingParty(world, await world.cast[name]);
    const tokens = await rp.tokens(alice, { scope });
    expect(tokens.scope).toBe(scope);
    expect((await rp.userinfo(tokens.access_token)).json()).toEqual({ sub: alice.id });
  });
});

describe('Other origins', () => {
  it.each(['https://evil.test', 'null', undefined])('may call without credentials: %p [TOK-069]', async (origin) => {
    const headers: Headers = origin === undefined ? {} : { Origin: origin };
    for (const path of [paths.token, paths.introspect, paths.revoke, paths.userinfo, paths.keys, paths.discovery]) {
      const method = path === paths.keys || path === paths.discovery || path === paths.userinfo ? 'GET' : 'POST';
      for (const reply of [
        await send(world.origin, { method, path, headers, ...(method === 'POST' ? { body: {} } : {}) }),
        await send(world.origin, {
          method: 'OPTIONS',
          path,
          headers: {
            ...headers,
            'Access-Control-Request-Method': method,
            'Access-Control-Request-Headers': 'authorization',
          },
        }),
      ]) {
        expect(reply.header('access-control-allow-origin')).toBe('*');
        expect(reply.header('access-control-allow-credentials')).toBeUndefined();
      }
    }
  });

  it('may not call the pages [TOK-069]', async () => {
    const headers = { Origin: 'https://evil.test' };
    for (const path of [web1.authorizePath(), paths.endSession, '/ui/login/login']) {
      for (const method of ['GET', 'OPTIONS']) {
        expect(
          (await send(world.origin, { method, path, headers })).header('access-control-allow-origin'),
        ).toBeUndefined();
      }
    }
  });

  it('gain nothing from the content of an unverified token [TOK-069]', async () => {
    const forged = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"azp":"web1","aud":"web1","origin":"https://evil.test"}').toString('base64url')}.`;
    const reply = await send(world.origin, {
      path: paths.userinfo,
      headers: { Origin: 'https://evil.test', ...bearer(forged) },
    });
    expect([reply.status, reply.header('access-control-allow-origin')]).toEqual([401, '*']);
  });
});

describe('Claims in the id_token', () => {
  it('are those of the scopes only if the application says so', async () => {
    expect(
      await web1.verify((await web1.tokens(alice, { scope: 'openid email profile' })).id_token),
    ).not.toHaveProperty('email');
    const rp = new RelyingParty(
      world,
      await world.add.client({ projectId: await world.cast.projectP, idTokenUserinfoAssertion: true }),
    );
    expect(await rp.verify((await rp.tokens(alice, { scope: 'openid email profile' })).id_token)).toMatchObject({
      email: 'alice@mail.test',
      family_name: 'Liddell',
    });
  });
});
