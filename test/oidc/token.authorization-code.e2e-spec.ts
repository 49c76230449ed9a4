import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { parseConfig } from '../../src/foundation/config/parse-config.js';
import { Clock } from '../../src/foundation/time/clock.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { AuthRequestRow } from '../../src/session/auth-request/auth-request.entity.js';
import { AuthRequestService } from '../../src/session/auth-request/auth-request.service.js';
import { CodeRedemption, type Redemption } from '../../src/token/code-redemption.js';
import { Browser } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import { type Parameters, send } from '../support/http.js';
import { basicAuth, newPkce, paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { expectDead, expectInactive, expectToken400, expectToken401 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const OFFLINE = { scope: 'openid offline_access' };

let world: World;
let replica: World;
let web1: RelyingParty;
let alice: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  replica = await startWorld({ replicaOf: world });
  web1 = new RelyingParty(world, await world.cast.web1);
  alice = await world.cast.alice;
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

/** Nothing that came from the first redemption works anywhere. */
async function expectAllDead(rp: RelyingParty, tokens: Tokens): Promise<void> {
  for (const at of [world, replica]) {
    expectInactive(await rp.introspect(tokens.access_token, {}, at));
    expectDead(await rp.userinfo(tokens.access_token, at));
  }
  expectToken400(await rp.refresh(tokens.refresh_token), 'invalid_grant');
}

describe('POST /oauth/v2/token, authorization_code', () => {
  it('returns an access token, an id_token and, only for offline_access, a refresh token', async () => {
    const plain = (await web1.redeem(await web1.code(alice))).json();
    expect(Object.keys(plain).sort()).toEqual(['access_token', 'expires_in', 'id_token', 'scope', 'token_type']);
    expect(plain).toMatchObject({ token_type: 'Bearer', scope: 'openid', expires_in: 43_200 });
    expect((await web1.redeem(await web1.code(alice, OFFLINE))).json()).toMatchObject({
      refresh_token: expect.any(String),
      scope: 'openid offline_access',
    });
  });

  it('signs an id_token that contains who signed in, when, how and for whom', async () => {
    world.clock.advance('1m');
    const tokens = await web1.tokens(alice);
    const now = world.now();
    expect(await web1.verify(tokens.id_token)).toEqual({
      iss: world.issuer,
      sub: alice.id,
      aud: 'web1',
      azp: 'web1',
      exp: now + 43_200,
      iat: now,
      auth_time: expect.any(Number),
      amr: ['pwd'],
      sid: expect.any(String),
      nonce: 'N1',
      at_hash: expect.any(String),
    });
  });
});

describe('A second use of a code: RFC 6749 §4.1.2', () => {
  it.each(['1s', '31s', '61s'] as const)(
    'after %s is refused, and ends every token of the first [TOK-001]',
    async (span) => {
      for (const rp of [web1, new RelyingParty(world, await world.cast.web4)]) {
        const code = await rp.code(alice, OFFLINE);
        const tokens = tokensOf(await rp.redeem(code));
        expect((await rp.userinfo(tokens.access_token)).status).toBe(200);
        world.clock.advance(span);
        expectToken400(await rp.redeem(code), 'invalid_grant');
        await expectAllDead(rp, tokens);
      }
    },
  );

  it('ends also what came from refreshing in between [TOK-001]', async () => {
    const code = await web1.code(alice, OFFLINE);
    const first = tokensOf(await web1.redeem(code));
    const second = tokensOf(await web1.refresh(first.refresh_token));
    expectToken400(await web1.redeem(code), 'invalid_grant');
    await expectAllDead(web1, second);
  });

  it('by another client ends nothing: a thief must not be able to sign people out [TOK-001, TOK-003]', async () => {
    const web2 = new RelyingParty(world, await world.cast.web2);
    const code = await web1.code(alice);
    const tokens = tokensOf(await web1.redeem(code));
    expectToken400(await web2.redeem(code, { redirect_uri: web1.client.redirectUri }), 'invalid_grant');
    expect((await web1.userinfo(tokens.access_token)).status).toBe(200);
  });
});

describe('One code redeemed 20 times at once over two processes', () => {
  it('gives exactly one successful response, and leaves no active token [TOK-002]', async () => {
    for (let round = 0; round < 3; round += 1) {
      const code = await web1.code(alice, OFFLINE);
      const form = { grant_type: 'authorization_code', code, redirect_uri: web1.client.redirectUri };
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) => web1.token(form, i % 2 === 0 ? world : replica)),
      );
      const won = replies.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      for (const reply of replies) if (reply.status !== 200) expectToken400(reply, 'invalid_grant');
      await expectAllDead(web1, tokensOf(won[0]!));
    }
  });
});

describe('Codes of several users that are redeemed at the same moment', () => {
  const COUNT = 8;
  const pkce = newPkce();
  const challenge = { code_challenge: pkce.challenge, code_challenge_method: 'S256' };

  /** Past the edge, where the requests of one turn of the event loop cannot be arranged. */
  const redeem = async (codes: readonly string[], change: Partial<Redemption> = {}): Promise<string[]> => {
    const client = (await world.get(ClientService).findActive(web1.client.clientId))!;
    const redeemed = codes.map((code) =>
      world.get(CodeRedemption).redeem({
        code,
        redirectUri: web1.client.redirectUri,
        codeVerifier: pkce.verifier,
        resources: [],
        client,
        thumbprint: undefined,
        ...change,
      }),
    );
    return (await Promise.all(redeemed)).map((each) =>
      'refusal' in each ? each.refusal : `${each.requestId} ${each.subject.userId} ${each.hasFamily}`,
    );
  };
  const codes = async (parameters: Parameters = {}): Promise<string[]> => {
    const all: string[] = [];
    while (all.length < COUNT) all.push(await web1.code(alice, { ...challenge, ...parameters }));
    return all;
  };
  const idOf = (code: string): string => world.get(AuthRequestService).openCode(code)!;

  it('are redeemed by one statement, each with its own answer', async () => {
    const all = [...(await codes(OFFLINE)), await web1.elsewhere().code(await world.cast.bob, challenge)];
    let results: string[] = [];
    const statements = await statementsDuring(async () => {
      results = await redeem(all);
    });
    const [bobs, ...alices] = [...all].reverse();
    expect(results).toEqual([
      ...alices.reverse().map((code) => `${idOf(code)} ${alice.id} true`),
      `${idOf(bobs!)} ${(await world.cast.bob).id} false`,
    ]);
    expect(statements.map((text) => text.split(':')[0])).toEqual(['code.redeem_together']);
  });

  it('are refused one by one, each for its own reason', async () => {
    const all = await codes();
    await redeem([all[3]!]);
    expect(await redeem([...all, 'gtc_no_code'])).toEqual([
      ...all.map((code, at) => (at === 3 ? 'used' : `${idOf(code)} ${alice.id} false`)),
      'unknown',
    ]);
  });

  it('are refused by every condition, and stay usable', async () => {
    const all = await codes();
    const changes: ReadonlyArray<Partial<Redemption>> = [
      { redirectUri: `${web1.client.redirectUri}/other` },
      { codeVerifier: 'another-verifier-of-at-least-43-characters-0000' },
      { codeVerifier: undefined },
      { resources: ['urn:example:not-granted'] },
    ];
    for (const change of changes) {
      expect(new Set(await redeem(all, change))).toEqual(
        new Set(['resources' in change ? 'resource-exceeds-grant' : 'mismatch']),
      );
    }
    expect(await redeem(all)).toEqual(all.map((code) => `${idOf(code)} ${alice.id} false`));
  });

  it('do not wait for a code that is locked', async () => {
    const [used, ...others] = await codes();
    let late: Promise<string[]> | undefined;
    await world.transaction(async (tx) => {
      await tx.entities.update(AuthRequestRow, { id: idOf(used!) }, { answeredAt: world.get(Clock).now() });
      late = redeem([used!]);
      expect(await redeem(others)).toEqual(others.map((code) => `${idOf(code)} ${alice.id} false`));
    });
    expect(await late).toEqual([`${idOf(used!)} ${alice.id} false`]);
  });

  it('of which two are the same are redeemed once, and what the first gave is ended', async () => {
    const [first, second] = await codes(OFFLINE);
    const results = await redeem([first!, second!, first!]);
    expect(results[1]).toBe(`${idOf(second!)} ${alice.id} true`);
    expect([results[0], results[2]].sort()).toEqual([`${idOf(first!)} ${alice.id} true`, 'used'].sort());
    expect(
      await world.rows('SELECT revoked_at IS NOT NULL AS ended FROM token_family WHERE id = $1', [idOf(first!)]),
    ).toEqual([{ ended: true }]);
  });
});

describe('A code is bound', () => {
  it('to its client [TOK-003]', async () => {
    const code = await web1.code(alice);
    for (const name of ['web2', 'web3', 'nat1'] as const) {
      const rp = new RelyingParty(world, await world.cast[name]);
      rp.pkce = undefined;
      expectToken400(await rp.redeem(code, { redirect_uri: web1.client.redirectUri }), 'invalid_grant');
      expectToken400(await rp.redeem(code), 'invalid_grant');
    }
  });

  it('by every condition alone, as well as by two at once [TOK-004]', async () => {
    const web2 = new RelyingParty(world, await world.cast.web2);
    const [fresh, old, both] = [await web1.code(alice), await web1.code(alice), await web1.code(alice)];
    expectToken400(await web2.redeem(fresh, { redirect_uri: web1.client.redirectUri }), 'invalid_grant');
    world.clock.advance('61s');
    expectToken400(await web1.redeem(old), 'invalid_grant');
    expectToken400(await web2.redeem(both, { redirect_uri: web1.client.redirectUri }), 'invalid_grant');
  });

  it.each<[string, string]>([
    ['another registered one', 'https://rp1.test/cb?x=1'],
    ['a slash more', 'https://rp1.test/cb/'],
    ['another case of the escapes', 'https://rp1.test/%63b'],
    ['another case', 'https://RP1.test/cb'],
  ])('to its redirect_uri: %s [TOK-005]', async (_, uri) => {
    expectToken400(await web1.redeem(await web1.code(alice), { redirect_uri: uri }), 'invalid_grant');
  });

  it.each([undefined, ''])('and needs its redirect_uri: %p [TOK-005]', async (uri) => {
    expectToken400(await web1.redeem(await web1.code(alice), { redirect_uri: uri }), 'invalid_request');
  });

  it('for 60 seconds [TOK-010]', async () => {
    const [intime, late] = [await web1.code(alice), await web1.code(alice)];
    world.clock.advance('59s');
    expect((await web1.redeem(intime)).status).toBe(200);
    world.clock.advance('2s');
    expectToken400(await web1.redeem(late), 'invalid_grant');
  });

  it('for as long as is set, at most ten minutes (RFC 6749 §4.1.2) [TOK-010]', async () => {
    for (const seconds of ['601', '0', '-1', '60s'])
      expect(() => parseConfig({ CODE_SECONDS: seconds }, { readFile: () => '', terminal: false })).toThrow(
        /CODE_SECONDS/,
      );
    const patient = await startWorld({ replicaOf: world, env: { CODE_SECONDS: '600' } });
    try {
      const browser = new Browser(world, patient);
      const rp = new RelyingParty(world, web1.client, browser);
      const [intime, late] = [await rp.code(alice), await rp.code(alice)];
      world.clock.advance('599s');
      expect((await rp.redeem(intime)).status).toBe(200);
      world.clock.advance('2s');
      expectToken400(await rp.redeem(late), 'invalid_grant');
    } finally {
      await patient.close();
    }
  });

  it('to the client, also when nothing but a client_id is sent [TOK-013]', async () => {
    const body = {
      grant_type: 'authorization_code',
      code: await web1.code(alice),
      redirect_uri: web1.client.redirectUri,
      client_id: 'web1',
    };
    expectToken401(await send(world.origin, { method: 'POST', path: paths.token, body }), false);
  });
});

describe('PKCE at the token endpoint (RFC 7636 §4.6)', () => {
  it.each<[string, string | undefined]>([
    ['another one', newPkce().verifier],
    ['none', undefined],
    ['an empty one', ''],
    ['42 characters', 'a'.repeat(42)],
    ['129 characters', 'a'.repeat(129)],
    ['an illegal character', `${'a'.repeat(43)}+`],
    ['the challenge itself', 'CHALLENGE'],
  ])('refuses a verifier that is %s [TOK-006]', async (_, given) => {
    const rp = new RelyingParty(world, await world.cast.nat1);
    const verifier = given === 'CHALLENGE' ? rp.pkce!.challenge : given;
    expectToken400(await rp.redeem(await rp.code(alice), { code_verifier: verifier }), 'invalid_grant');
  });

  it('refuses a verifier for a code that was asked for without a challenge [TOK-007]', async () => {
    expectToken400(await web1.redeem(await web1.code(alice), { code_verifier: newPkce().verifier }), 'invalid_grant');
  });

  it('stops a code that was injected into another browser; without it the nonce reveals it [TOK-008]', async () => {
    const victim = web1.elsewhere();
    victim.pkce = newPkce();
    const attacker = web1.elsewhere();
    attacker.pkce = newPkce();
    const stolen = await victim.code(alice, { nonce: 'of alice' });
    expectToken400(await attacker.redeem(stolen), 'invalid_grant');
    const unprotected = await web1.elsewhere().code(alice, { nonce: 'of alice' });
    const { id_token: idToken } = tokensOf(await web1.redeem(unprotected));
    expect(decodeJwt(idToken)['nonce']).toBe('of alice');
  });
});

describe('A code that was never issued', () => {
  it.each<[string, (code: string) => string]>([
    ['changed in its last character', (code) => code.slice(0, -1) + (code.endsWith('A') ? 'B' : 'A')],
    ['cut by one', (code) => code.slice(0, -1)],
    ['doubled', (code) => code + code],
    ['surrounded by spaces', (code) => ` ${code} `],
    ['in other case', (code) => code.toUpperCase()],
    ['undefined', () => 'undefined'],
    ['null', () => 'null'],
    ['random', () => 'x'.repeat(80)],
    ['very long', () => 'x'.repeat(20_000)],
    ['a wildcard', () => '%'],
  ])('is refused: %s, although others live [TOK-009, TOK-014]', async (_, alter) => {
    expectToken400(await web1.redeem(alter(await web1.code(alice))), 'invalid_grant');
  });

  it.each<Parameters>([
    { code: undefined },
    { code: '' },
    { code: undefined, 'code[]': 'x' },
    { code: undefined, 'code[x]': 'x' },
  ])('or missing is refused, and matches no other row: %j [TOK-009, TOK-014]', async (over) => {
    await Promise.all(Array.from({ length: 5 }, () => web1.code(alice)));
    expectToken400(await web1.redeem('', over), 'invalid_request');
  });

  it('but is another kind of token is refused [TOK-065]', async () => {
    const tokens = await web1.tokens(alice, OFFLINE);
    for (const token of [tokens.access_token, tokens.refresh_token, tokens.id_token])
      expectToken400(await web1.redeem(token), 'invalid_grant');
  });
});

it('a refused redemption leaves the code usable for its client', async () => {
  const code = await web1.code(alice);
  expectToken400(await web1.redeem(code, { redirect_uri: 'https://rp1.test/cb?x=1' }), 'invalid_grant');
  expectToken401(
    await send(world.origin, {
      method: 'POST',
      path: paths.token,
      headers: basicAuth('web1', 'wrong'),
      body: { grant_type: 'authorization_code', code, redirect_uri: web1.client.redirectUri },
    }),
  );
  expect((await web1.redeem(code)).status).toBe(200);
});
