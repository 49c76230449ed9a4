import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientService } from '../../src/client/client.service.js';
import { signAssertion } from '../support/assertion.js';
import { EDITOR, makeKey, type TestClient, type TestPerson } from '../support/builders.js';
import { WEB1_SECRET } from '../support/fixtures.js';
import { type Headers, type Parameters, type Reply, send, sendBytes, toQuery } from '../support/http.js';
import { otherSpellings, signTexts } from '../support/jwt-spellings.js';
import { basicAuth, paths, RelyingParty } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { expectInactive, expectToken400, expectToken401 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const FORM = 'application/x-www-form-urlencoded';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** Authenticated, the client would hear that this token is not valid. */
const REFRESH = { grant_type: 'refresh_token', refresh_token: 'gtr_none' };

let world: World;
let alice: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  await Promise.all([world.cast.web1, world.cast.web2, world.cast.post1, world.cast.jwt1, world.cast.nat1]);
});
afterAll(() => world.close());

/** One after the other, so that none sees the work of another. */
async function inTurn<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

async function post(headers: Headers, body: Parameters = REFRESH, at = world): Promise<Reply> {
  return send(at.origin, { method: 'POST', path: paths.token, headers, body });
}

const basic = (text: string | Buffer): Headers => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const expectAuthenticated = (reply: Reply): void => expectToken400(reply, 'invalid_grant');

describe('client_secret_basic (RFC 6749 §2.3.1)', () => {
  it('decodes both halves: a secret of special characters works [TOK-049]', async () => {
    expectAuthenticated(await post(basicAuth('web1', WEB1_SECRET)));
    expectAuthenticated(await post(basic(`web1:${encodeURIComponent(WEB1_SECRET)}`)));
    expect((await new RelyingParty(world, await world.cast.web1).tokens(alice)).access_token).toBeDefined();
  });

  it('requires both to be encoded: an unencoded secret is another secret', async () => {
    expectToken401(await post(basic(`web1:${WEB1_SECRET}`)));
  });

  it.each<[string, Headers]>([
    ['nothing', { Authorization: 'Basic' }],
    ['a space', { Authorization: 'Basic ' }],
    ['no colon', { Authorization: 'Basic Zm9v' }],
    ['a byte that is no base64', { Authorization: 'Basic d2ViMTp4*' }],
    ['the alphabet for URLs', { Authorization: `Basic ${Buffer.from('web1:???>>>').toString('base64url')}` }],
    ['two tokens', { Authorization: 'Basic d2ViMTp4 d2ViMTp4' }],
    ['a tab', { Authorization: 'Basic\td2ViMTp4' }],
    ['bytes that are no UTF-8', basic(Buffer.from([0x77, 0xff, 0x3a, 0xff]))],
    ['escapes that are none', basic('web1:%zz')],
    ['NUL', basic('web1:%00')],
    ['no client id', basic(':secret')],
    ['padding in the middle', { Authorization: 'Basic d2==ViMTp4' }],
    ['8 kB', basic(`web1:${'x'.repeat(6000)}`)],
  ])('with %s is refused [TOK-050]', async (_, headers) => {
    const reply = await post(headers);
    expect([400, 401]).toContain(reply.status);
    expect(['invalid_client', 'invalid_request']).toContain(reply.json()['error']);
  });

  it.each(['basic', 'BASIC', 'bAsIc'])('may be called %s: names of schemes have no case [TOK-051]', async (scheme) => {
    const { Authorization: header } = basicAuth('web1', WEB1_SECRET) as { Authorization: string };
    expectAuthenticated(await post({ Authorization: header.replace('Basic', scheme) }));
  });
});

describe('One way of authentication per request', () => {
  it.each<[string, Parameters]>([
    ['a secret in the body', { client_secret: 'x' }],
    ['the same secret in the body', { client_id: 'web1', client_secret: WEB1_SECRET }],
    ['an empty secret in the body', { client_secret: '' }],
    ['an assertion', { client_assertion: 'x', client_assertion_type: ASSERTION_TYPE }],
    ['another client_id', { client_id: 'web2' }],
  ])('not the header and %s [TOK-052]', async (_, extra) => {
    expectToken400(await post(basicAuth('web1', WEB1_SECRET), { ...REFRESH, ...extra }), 'invalid_request');
  });

  it('not a secret and an assertion [TOK-052]', async () => {
    expectToken400(
      await post(
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

  it('not two headers [TOK-052]', async () => {
    const { Authorization: header } = basicAuth('web1', WEB1_SECRET) as { Authorization: string };
    const body = toQuery(REFRESH);
    const answer = await sendBytes(
      world.origin,
      [
        `POST ${paths.token} HTTP/1.1`,
        'Host: x',
        `Authorization: ${header}`,
        'Authorization: Basic eDp5',
        `Content-Type: ${FORM}`,
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
    expectAuthenticated(await post(basicAuth('web1', WEB1_SECRET), { ...REFRESH, client_id: 'web1' }));
  });
});

describe('Failed authentication', () => {
  it('has one response, whatever the reason [TOK-053]', async () => {
    const inactive = await world.add.client({ projectId: await world.cast.projectP });
    await world.transaction((tx) => world.get(ClientService).changeState(tx, inactive.id, 'inactive', EDITOR));
    const replies = await Promise.all([
      post(basicAuth('web1', 'wrong')),
      post(basicAuth('nobody', 'wrong')),
      post(basicAuth(inactive.clientId, inactive.secret!)),
      post(basicAuth('web1', '')),
      post(basicAuth('web1', `${WEB1_SECRET}x`)),
      post(basicAuth('web1', WEB1_SECRET.slice(0, -1))),
      post(basicAuth('__proto__', 'x')),
      post(basicAuth('swagger', '')),
    ]);
    for (const reply of replies) expectToken401(reply);
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expectToken401(await post({}), false);
    expectToken401(await post({}, { ...REFRESH, client_id: 'post1', client_secret: 'wrong' }), false);
  });

  it('is the same for the old secret as soon as there is a new one', async () => {
    const client = await world.add.client({ projectId: await world.cast.projectP });
    expectAuthenticated(await post(basicAuth(client.clientId, client.secret!)));
    const { secret } = await world.transaction((tx) =>
      world.get(ClientService).regenerateSecret(tx, client.id, EDITOR),
    );
    expectToken401(await post(basicAuth(client.clientId, client.secret!)));
    expectAuthenticated(await post(basicAuth(client.clientId, secret.reveal())));
  });

  it('takes the same work for an unknown client as for a wrong secret, however much of it is right [TOK-055]', async () => {
    const client = await world.add.client({ projectId: await world.cast.projectP });
    const secret = client.secret!;
    await world.changesToArrive(); // then the client stays in the cache
    expectAuthenticated(await post(basicAuth(client.clientId, secret)));
    // Secrets are compared as digests, which differ in every place whatever part of the secret is right.
    const [unknown, ...others] = await inTurn(
      [
        basicAuth('nobody', secret),
        basicAuth(client.clientId, 'x'.repeat(64)),
        basicAuth(client.clientId, `${secret.slice(0, 60)}xxxx`),
      ],
      async (headers) => statementsDuring(async () => expectToken401(await post(headers))),
    );
    expect(unknown).toHaveLength(1);
    expect(others).toEqual([unknown, unknown]);
  });
});

describe('A client without a secret, or one that sends none', () => {
  it('a public client that sends a secret is refused, as is a confidential one that sends none [TOK-054]', async () => {
    expectToken401(await post(basicAuth('nat1', 'x')));
    expectToken401(await post(basicAuth('nat1', '')));
    expectToken401(await post({}, { ...REFRESH, client_id: 'nat1', client_secret: 'x' }), false);
    expectToken401(await post({}, { ...REFRESH, client_id: 'web1' }), false);
    expectAuthenticated(await post({}, { ...REFRESH, client_id: 'nat1' }));
  });

  it('a client that is registered with a key is not authenticated by a secret, nor by its client id alone', async () => {
    await world.cast.jwt1;
    for (const secret of ['', 'x']) expectToken401(await post(basicAuth('jwt1', secret)));
    expectToken401(await post({}, { ...REFRESH, client_id: 'jwt1' }), false);
  });
});

describe('The two ways to send a secret', () => {
  /** As the other method has it. */
  const sendings = (clientId: string, secret: string): Array<readonly [Headers, Parameters]> => [
    [basicAuth(clientId, secret), {}],
    [{}, { client_id: clientId, client_secret: secret }],
  ];
  const ENDPOINTS = [
    [paths.token, REFRESH],
    [paths.introspect, { token: 'x' }],
    [paths.revoke, { token: 'x' }],
  ] as const;

  it.each(['web1', 'post1'] as const)(
    'are both accepted from %s, whichever it is registered for, at all three endpoints',
    async (name) => {
      const { clientId, secret } = await world.cast[name];
      for (const [headers, parameters] of sendings(clientId, secret!)) {
        expectAuthenticated(await post(headers, { ...REFRESH, ...parameters }));
        for (const path of [paths.introspect, paths.revoke]) {
          expect(
            (await send(world.origin, { method: 'POST', path, headers, body: { token: 'x', ...parameters } })).status,
          ).toBe(200);
        }
      }
    },
  );

  it('are both accepted from an API application', async () => {
    const api1 = await world.cast.api1;
    for (const [headers, parameters] of sendings(api1.clientId, api1.secret!)) {
      expectInactive(
        await send(world.origin, {
          method: 'POST',
          path: paths.introspect,
          headers,
          body: { token: 'x', ...parameters },
        }),
      );
    }
  });

  it('are one if the application is strict; only a caller with its secret learns which', async () => {
    const projectId = await world.cast.projectP;
    for (const [right, authMethod] of [
      [0, 'client_secret_basic'],
      [1, 'client_secret_post'],
    ] as const) {
      const { clientId, secret } = await world.add.client({ projectId, authMethod, strictAuthMethod: true });
      for (const [path, form] of ENDPOINTS) {
        const ask = ([headers, parameters]: readonly [Headers, Parameters]): Promise<Reply> =>
          send(world.origin, { method: 'POST', path, headers, body: { ...form, ...parameters } });
        expect((await ask(sendings(clientId, secret!)[right]!)).text).not.toContain('invalid_client');
        const refused = await ask(sendings(clientId, secret!)[1 - right]!);
        expectToken401(refused, right === 1);
        expect(refused.json()['error_description']).toBe(
          `The client is registered for ${authMethod}: authenticate with that method.`,
        );
        for (const sent of [
          ...sendings(clientId, `${secret}x`),
          ...sendings('nobody', secret!),
          ...sendings(clientId, ''),
        ]) {
          expect((await ask(sent)).json()).toEqual({
            error: 'invalid_client',
            error_description: 'Client authentication failed.',
          });
        }
      }
    }
    expect(world.logText()).toContain('oidc.client_method_wrong');
  });

  it('tell a client that has authenticated with a key that it is now registered for something else', async () => {
    const client = await world.add.client({ projectId: await world.cast.projectP, authMethod: 'private_key_jwt' });
    await world.transaction((tx) =>
      world.get(ClientService).changeSettings(tx, client.id, { authMethod: 'client_secret_basic' }, EDITOR),
    );
    const reply = await post(
      {},
      {
        ...REFRESH,
        client_assertion_type: ASSERTION_TYPE,
        client_assertion: await signAssertion(world, client.key!, client.clientId),
      },
    );
    expectToken401(reply, false);
    expect(reply.json()['error_description']).toBe(
      'The client is registered for client_secret_basic: authenticate with that method.',
    );
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
      expectAuthenticated(await post({}, assertion(await signAssertion(world, key!, clientId, { claims: { aud } }))));
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
    await post({}, assertion(used));
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
    for (const text of bad) expectToken401(await post({}, assertion(text)), false);
    expectToken401(await post({}, assertion(await signAssertion(world, key!, clientId), { client_id: 'web1' })), false);
    expectToken400(
      await post({}, assertion(await signAssertion(world, key!, clientId), { client_assertion_type: 'x' })),
      'invalid_request',
    );
    expectToken400(await post({}, { ...REFRESH, client_assertion_type: ASSERTION_TYPE }), 'invalid_request');
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
    for (const text of [...otherSpellings(honest), doubled]) expectToken401(await post({}, assertion(text)), false);
    expectAuthenticated(await post({}, assertion(honest)));
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
      for (let attempt = 0; attempt < 100; attempt += 1) {
        last = await post({ ...basicAuth('web1', `wrong ${attempt}`), ...from('192.0.2.1') }, REFRESH, guarded);
        statuses.push(last.status);
      }
      expect(statuses.slice(0, 60)).toEqual(Array(60).fill(401));
      expect(statuses.slice(61)).toEqual(Array(39).fill(429));
      expect(Number(last!.header('retry-after'))).toBeGreaterThan(0);
      expect(last!.header('cache-control')).toBe('no-store');
      // Even the right secret has to wait there; from elsewhere, and for others, nothing changed.
      expect((await post({ ...basicAuth('web1', WEB1_SECRET), ...from('192.0.2.1') }, REFRESH, guarded)).status).toBe(
        429,
      );
      expectAuthenticated(await post({ ...basicAuth('web1', WEB1_SECRET), ...from('192.0.2.2') }, REFRESH, guarded));
      expectAuthenticated(
        await post({ ...basicAuth('web2', (await guarded.cast.web2).secret!), ...from('192.0.2.1') }, REFRESH, guarded),
      );
      guarded.clock.advance('61s');
      expectAuthenticated(await post({ ...basicAuth('web1', WEB1_SECRET), ...from('192.0.2.1') }, REFRESH, guarded));
      // Of IPv6 a whole network counts as one address.
      await guarded.cast.post1;
      for (let attempt = 0; attempt < 61; attempt += 1) {
        await post(
          from(`2001:db8:1:2::${attempt.toString(16)}`),
          { ...REFRESH, client_id: 'post1', client_secret: 'wrong' },
          guarded,
        );
      }
      const right = { ...REFRESH, client_id: 'post1', client_secret: (await guarded.cast.post1).secret };
      expect((await post(from('2001:db8:1:2:ffff::1'), right, guarded)).status).toBe(429);
      expectAuthenticated(await post(from('2001:db8:1:3::1'), right, guarded));
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
      const tries: Array<readonly [Headers, Parameters]> = [
        [{}, { client_id: strict.clientId, client_secret: strict.secret }],
        [{}, { client_id: strict.clientId }],
        [basicAuth(strict.clientId, ''), {}],
        [basicAuth(nat1.clientId, ''), {}],
        [{}, { grant_type: 'client_credentials', client_id: service.userName }],
        [basicAuth(service.userName, ''), { grant_type: 'client_credentials' }],
      ];
      for (const [headers, parameters] of tries) {
        for (let attempt = 0; attempt < 62; attempt += 1) {
          expect((await post(headers, { ...REFRESH, ...parameters }, guarded)).status).toBe(401);
        }
      }
      expectAuthenticated(await post(basicAuth(strict.clientId, strict.secret!), REFRESH, guarded));
      expectAuthenticated(await post({}, { ...REFRESH, client_id: nat1.clientId }, guarded));
      expect(
        (await post(basicAuth(service.userName, service.secret), { grant_type: 'client_credentials' }, guarded)).status,
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
        last = (await post({}, await sent(one, forged), guarded)).status;
      expect(last).toBe(429);
      expect((await post({}, await sent(one), guarded)).status).toBe(429);
      expect((await post({}, { ...(await sent(one)), client_id: one.clientId }, guarded)).status).toBe(429);
      expectAuthenticated(await post({}, await sent(other), guarded));
    } finally {
      await guarded.close();
    }
  });
});
