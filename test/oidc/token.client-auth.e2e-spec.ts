import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientService } from '../../src/project/client/client.service.js';
import { signAssertion } from '../support/assertion.js';
import { EDITOR, makeKey, type TestClient, type TestPerson } from '../support/builders.js';
import { WEB1_SECRET } from '../support/fixtures.js';
import { type Headers, type Parameters, type Reply, sendBytes, toQuery } from '../support/http.js';
import { otherSpellings, signTexts } from '../support/jwt-spellings.js';
import { basicAuth, paths, RelyingParty } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { expectInactive, expectToken400, expectToken401 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';
import { ASSERTION_TYPE, expectAuthenticated, post, REFRESH } from './client-authentication.js';

let world: World;
let alice: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  await Promise.all([world.cast.web1, world.cast.web2, world.cast.post1, world.cast.jwt1]);
});
afterAll(() => world.close());

/** One after the other, so that none sees the work of another. */
async function inTurn<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

describe('One way of authentication per request', () => {
  it.each<[string, Parameters]>([
    ['a secret in the body', { client_secret: 'x' }],
    ['the same secret in the body', { client_id: 'web1', client_secret: WEB1_SECRET }],
    ['an assertion', { client_assertion: 'x', client_assertion_type: ASSERTION_TYPE }],
    ['another client_id', { client_id: 'web2' }],
  ])('not the header and %s [TOK-052]', async (_, extra) => {
    expectToken400(await post(world, basicAuth('web1', WEB1_SECRET), { ...REFRESH, ...extra }), 'invalid_request');
  });

  it('not a secret and an assertion [TOK-052]', async () => {
    expectToken400(
      await post(
        world,
        {},
        {
          ...REFRESH,
          client_id: 'post1',
          client_secret: 'x',
          client_assertion: 'x',
          client_assertion_type: ASSERTION_TYPE,
        },
      ),
      'invalid_request',
    );
  });

  it('two Authorization headers are refused [TOK-052]', async () => {
    const { Authorization: header } = basicAuth('web1', WEB1_SECRET) as { Authorization: string };
    const body = toQuery(REFRESH);
    const answer = await sendBytes(
      world.origin,
      [
        `POST ${paths.token} HTTP/1.1`,
        'Host: x',
        `Authorization: ${header}`,
        'Authorization: Basic eDp5',
        'Content-Type: application/x-www-form-urlencoded',
        `Content-Length: ${body.length}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 40[01] /);
    expect(answer).not.toContain('access_token');
  });

  it('the same client_id beside the header is fine', async () => {
    expectAuthenticated(await post(world, basicAuth('web1', WEB1_SECRET), { ...REFRESH, client_id: 'web1' }));
  });
});

describe('Failed authentication', () => {
  it('has one response, whatever the reason [TOK-053]', async () => {
    const inactive = await world.add.client({ projectId: await world.cast.projectP });
    await world.transaction((tx) => world.get(ClientService).changeState(tx, inactive.id, 'inactive', EDITOR));
    const replies = await Promise.all([
      post(world, basicAuth('web1', 'wrong')),
      post(world, basicAuth('nobody', 'wrong')),
      post(world, basicAuth(inactive.clientId, inactive.secret!)),
      post(world, basicAuth('web1', '')),
      post(world, basicAuth('web1', `${WEB1_SECRET}x`)),
      post(world, basicAuth('web1', WEB1_SECRET.slice(0, -1))),
      post(world, basicAuth('__proto__', 'x')),
      post(world, basicAuth('swagger', '')),
    ]);
    for (const reply of replies) expectToken401(reply);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expectToken401(await post(world, {}), false);
    expectToken401(await post(world, {}, { ...REFRESH, client_id: 'post1', client_secret: 'wrong' }), false);
  });

  it('is the same for the old secret as soon as there is a new one', async () => {
    const client = await world.add.client({ projectId: await world.cast.projectP });
    expectAuthenticated(await post(world, basicAuth(client.clientId, client.secret!)));
    const { secret } = await world.transaction((tx) =>
      world.get(ClientService).regenerateSecret(tx, client.id, EDITOR),
    );
    expectToken401(await post(world, basicAuth(client.clientId, client.secret!)));
    expectAuthenticated(await post(world, basicAuth(client.clientId, secret.reveal())));
  });

  it('takes the same work for an unknown client as for a wrong secret, however much of it is right [TOK-055]', async () => {
    const client = await world.add.client({ projectId: await world.cast.projectP });
    const secret = client.secret!;
    await world.changesToArrive(); // then the client stays in the cache
    expectAuthenticated(await post(world, basicAuth(client.clientId, secret)));
    // Secrets are compared as digests, which differ in every place whatever part of the secret is right.
    const [unknown, ...others] = await inTurn(
      [
        basicAuth('nobody', secret),
        basicAuth(client.clientId, 'x'.repeat(64)),
        basicAuth(client.clientId, `${secret.slice(0, 60)}xxxx`),
      ],
      async (headers) => statementsDuring(async () => expectToken401(await post(world, headers))),
    );
    expect(unknown).toHaveLength(1);
    expect(others).toEqual([unknown, unknown]);
  });
});

describe('private_key_jwt (OIDC Core §9)', () => {
  const assertion = (client_assertion: string, over: Parameters = {}): Parameters => ({
    ...REFRESH,
    client_assertion,
    client_assertion_type: ASSERTION_TYPE,
    ...over,
  });

  it('authenticates at all three endpoints, with the issuer or the endpoint as audience', async () => {
    const { key, clientId } = await world.cast.jwt1;
    for (const aud of [world.issuer, world.issuer + paths.token, [world.issuer]]) {
      expectAuthenticated(
        await post(world, {}, assertion(await signAssertion(world, key!, clientId, { claims: { aud } }))),
      );
    }
    const rp = new RelyingParty(world, await world.cast.jwt1);
    expectInactive(await rp.introspect('none'));
    expect((await rp.revoke('none')).status).toBe(200);
    expect((await rp.tokens(alice)).access_token).toBeDefined();
  });

  it("is refused for every assertion that is not the client's own, whole, timely and unused", async () => {
    const { key, clientId } = await world.cast.jwt1;
    const stranger = await makeKey();
    const svc1 = await world.cast.svc1;
    const used = await signAssertion(world, key!, clientId);
    await post(world, {}, assertion(used));
    const now = world.now();
    const bad = [
      used,
      await signAssertion(world, { ...stranger, kid: key!.kid }, clientId),
      await signAssertion(world, key!, 'web1'),
      await signAssertion(world, key!, clientId, { claims: { sub: 'web1' } }),
      await signAssertion(world, key!, clientId, { claims: { aud: 'https://other.test' } }),
      await signAssertion(world, key!, clientId, { claims: { exp: now - 61 } }),
      await signAssertion(world, key!, clientId, { claims: { exp: now + 7200 } }),
      await signAssertion(world, key!, clientId, { header: { kid: '' } }),
      await signAssertion(world, svc1.key, svc1.id),
      'x',
      'x.y.z',
    ];
    for (const text of bad) expectToken401(await post(world, {}, assertion(text)), false);
    expectToken401(
      await post(world, {}, assertion(await signAssertion(world, key!, clientId), { client_id: 'web1' })),
      false,
    );
    expectToken400(
      await post(world, {}, assertion(await signAssertion(world, key!, clientId), { client_assertion_type: 'x' })),
      'invalid_request',
    );
    expectToken400(await post(world, {}, { ...REFRESH, client_assertion_type: ASSERTION_TYPE }), 'invalid_request');
  });
});

describe('An assertion of a client', () => {
  const assertion = (text: string): Parameters => ({
    ...REFRESH,
    client_assertion: text,
    client_assertion_type: ASSERTION_TYPE,
  });

  it('has one spelling, and each member of its header once (RFC 7515 §2, §4)', async () => {
    const { key, clientId } = await world.cast.jwt1;
    const now = world.now();
    const header = JSON.stringify({ alg: key!.alg, kid: key!.kid });
    const payload = JSON.stringify({
      iss: clientId,
      sub: clientId,
      aud: world.issuer,
      iat: now,
      exp: now + 300,
      jti: 'spelled',
    });
    const honest = signTexts(key!, header, payload);
    const doubled = signTexts(key!, header.replace('{', '{"alg":"RS256",'), payload);
    for (const text of [...otherSpellings(honest), doubled])
      expectToken401(await post(world, {}, assertion(text)), false);
    expectAuthenticated(await post(world, {}, assertion(honest)));
  });
});

describe('Guessing', () => {
  it('is throttled per client and address, without affecting others [TOK-056]', async () => {
    const guarded = await startWorld({ loginLimits: 'on', env: { TRUSTED_PROXIES: '127.0.0.1' } });
    try {
      await Promise.all([guarded.cast.web1, guarded.cast.web2]);
      const from = (address: string): Headers => ({ 'X-Forwarded-For': address });
      const statuses: number[] = [];
      let last: Reply | undefined;
      for (let attempt = 0; attempt < 64; attempt += 1) {
        last = await post(guarded, { ...basicAuth('web1', `wrong ${attempt}`), ...from('192.0.2.1') });
        statuses.push(last.status);
      }
      expect(statuses.slice(0, 60)).toEqual(Array(60).fill(401));
      expect(statuses.slice(61)).toEqual([429, 429, 429]);
      expect(Number(last!.header('retry-after'))).toBeGreaterThan(0);
      expect(last!.header('cache-control')).toBe('no-store');
      // Even the right secret has to wait there; from elsewhere, and for others, nothing changed.
      expect((await post(guarded, { ...basicAuth('web1', WEB1_SECRET), ...from('192.0.2.1') })).status).toBe(429);
      expectAuthenticated(await post(guarded, { ...basicAuth('web1', WEB1_SECRET), ...from('192.0.2.2') }));
      expectAuthenticated(
        await post(guarded, { ...basicAuth('web2', (await guarded.cast.web2).secret!), ...from('192.0.2.1') }),
      );
      guarded.clock.advance('61s');
      expectAuthenticated(await post(guarded, { ...basicAuth('web1', WEB1_SECRET), ...from('192.0.2.1') }));
      // Of IPv6 a whole network counts as one address.
      await guarded.cast.post1;
      for (let attempt = 0; attempt < 61; attempt += 1) {
        await post(guarded, from(`2001:db8:1:2::${attempt.toString(16)}`), {
          ...REFRESH,
          client_id: 'post1',
          client_secret: 'wrong',
        });
      }
      const right = { ...REFRESH, client_id: 'post1', client_secret: (await guarded.cast.post1).secret };
      expect((await post(guarded, from('2001:db8:1:2:ffff::1'), right)).status).toBe(429);
      expectAuthenticated(await post(guarded, from('2001:db8:1:3::1'), right));
    } finally {
      await guarded.close();
    }
  });

  it('does not include a right secret in the wrong place, or none: libraries try one way after the other', async () => {
    const guarded = await startWorld({ loginLimits: 'on' });
    try {
      const projectId = await guarded.cast.projectP;
      const strict = await guarded.add.client({ projectId, strictAuthMethod: true });
      const nat1 = await guarded.cast.nat1;
      const service = await guarded.cast.svc1;
      // More than 60 of each client, in each way.
      const tries: Array<readonly [times: number, Headers, Parameters]> = [
        [21, {}, { client_id: strict.clientId, client_secret: strict.secret }],
        [21, {}, { client_id: strict.clientId }],
        [21, basicAuth(strict.clientId, ''), {}],
        [62, basicAuth(nat1.clientId, ''), {}],
        [31, {}, { grant_type: 'client_credentials', client_id: service.userName }],
        [31, basicAuth(service.userName, ''), { grant_type: 'client_credentials' }],
      ];
      for (const [times, headers, parameters] of tries) {
        for (let attempt = 0; attempt < times; attempt += 1) {
          expect((await post(guarded, headers, { ...REFRESH, ...parameters })).status).toBe(401);
        }
      }
      expectAuthenticated(await post(guarded, basicAuth(strict.clientId, strict.secret!)));
      expectAuthenticated(await post(guarded, {}, { ...REFRESH, client_id: nat1.clientId }));
      expect(
        (await post(guarded, basicAuth(service.userName, service.secret), { grant_type: 'client_credentials' })).status,
      ).toBe(200);
    } finally {
      await guarded.close();
    }
  });

  it('by assertions is counted for the client that they name, not for all of them together [TOK-056]', async () => {
    const guarded = await startWorld({ loginLimits: 'on' });
    try {
      const [one, other] = [
        await guarded.cast.jwt1,
        await guarded.add.client({ projectId: await guarded.cast.projectP, authMethod: 'private_key_jwt' }),
      ];
      const forged = { ...(await makeKey()), kid: one.key!.kid };
      const sent = async (client: TestClient, key = client.key!): Promise<Parameters> => ({
        ...REFRESH,
        client_assertion_type: ASSERTION_TYPE,
        client_assertion: await signAssertion(guarded, key, client.clientId),
      });
      let last = 0;
      for (let attempt = 0; attempt < 61; attempt += 1)
        last = (await post(guarded, {}, await sent(one, forged))).status;
      expect(last).toBe(429);
      expect((await post(guarded, {}, await sent(one))).status).toBe(429);
      expect((await post(guarded, {}, { ...(await sent(one)), client_id: one.clientId })).status).toBe(429);
      expectAuthenticated(await post(guarded, {}, await sent(other)));
    } finally {
      await guarded.close();
    }
  });
});
