import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { paths as pages } from '../../src/org/instance/paths.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { ProjectService } from '../../src/project/project.service.js';
import { PasswordMixes } from '../../src/user/password-mixes.js';
import { assertAs, exchangeAssertion, signAssertion } from '../support/assertion.js';
import { makeKey, type TestPerson, type TestService } from '../support/builders.js';
import { type Reply, send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { answerOf, basicAuth, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { signRequest } from '../support/request-object.js';
import { statementsDuring } from '../support/statement-counter.js';
import { actedBy, exchangeOf } from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';
import { ownNamesOf, ownStatementsOf } from './own-statements.js';

let world: World;
let alice: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
});
afterAll(() => world.close());

/** The statements of a request that is made once more: what may be cached is. */
async function statementsOf(work: () => Promise<Reply>): Promise<string[]> {
  await world.changesToArrive();
  expect((await work()).status).toBe(200);
  return (await ownStatementsOf(async () => expect((await work()).status).toBe(200))).map((text) => text.slice(0, 80));
}

/** The database is asked for what must be true this very moment, and for nothing else. */
describe('SQL statements per request', () => {
  describe.each(['opaque', 'jwt'] as const)('of a service user with %s tokens', (accessTokenType) => {
    let service: TestService;
    beforeAll(async () => {
      service = await world.add.service({ orgId: alice.orgId, accessTokenType });
    });

    it('client_credentials: none', async () => {
      const ask = () =>
        send(world.origin, {
          method: 'POST',
          path: paths.token,
          headers: basicAuth(service.userName, service.secret),
          body: { grant_type: 'client_credentials', scope: 'openid' },
        });
      expect(await statementsOf(ask)).toEqual([]);
    });

    it('JWT profile: none; with a jti one, which is its single use', async () => {
      const ask = async () =>
        exchangeAssertion(world, await signAssertion(world, service.key, service.id, { claims: { jti: undefined } }));
      expect(await statementsOf(ask)).toEqual([]);
      expect(await statementsOf(() => assertAs(world, service))).toHaveLength(1);
    });
  });

  describe.each(['web1', 'web4'] as const)('of the application %s', (name) => {
    let rp: RelyingParty;
    beforeAll(async () => {
      rp = new RelyingParty(world, await world.cast[name]);
    });

    it('the code flow and a refresh for a protected resource: as many as without', async () => {
      const resource = 'urn:example:counted';
      const projectId = await world.cast.projectP;
      await world.transaction((tx) => world.get(ProjectService).setResources(tx, projectId, [resource], 'test'));
      let token = (await rp.tokens(alice, { scope: 'openid offline_access', resource })).refresh_token;
      const refresh = async (): Promise<Reply> => {
        const reply = await rp.refresh(token, { resource });
        token = tokensOf(reply).refresh_token;
        return reply;
      };
      expect(await statementsOf(refresh)).toHaveLength(1);
      const flow = async (): Promise<Reply> => {
        const reply = await rp.authorizeOnce({ resource });
        return rp.redeem(answerOf(reply.location!)['code']!, { resource });
      };
      expect(await statementsOf(flow)).toHaveLength(3);
    });

    it('introspection: one', async () => {
      const { access_token: token } = await rp.tokens(alice, { scope: 'openid email profile' });
      expect(await statementsOf(() => rp.introspect(token))).toHaveLength(1);
    });

    it('userinfo: one', async () => {
      const { access_token: token } = await rp.tokens(alice, { scope: 'openid email profile' });
      expect(await statementsOf(() => rp.userinfo(token))).toHaveLength(1);
    });

    it('refresh: one', async () => {
      let { refresh_token: token } = await rp.tokens(alice, { scope: 'openid offline_access' });
      const refresh = async (): Promise<Reply> => {
        const reply = await rp.refresh(token);
        token = tokensOf(reply).refresh_token;
        return reply;
      };
      expect(await statementsOf(refresh)).toHaveLength(1);
    });

    it('with a proof of a key: as many as without', async () => {
      const prover = await Prover.make(world);
      const flow = async (): Promise<Reply> => {
        const reply = await rp.authorizeOnce({ dpop_jkt: prover.thumbprint });
        return rp.redeem(answerOf(reply.location!)['code']!, {}, world, await prover.forTokens());
      };
      let tokens = await rp.tokens(alice, { scope: 'openid offline_access' });
      const refresh = async (): Promise<Reply> => {
        const reply = await rp.refresh(tokens.refresh_token, {}, world, await prover.forTokens());
        tokens = tokensOf(reply);
        return reply;
      };
      const userinfo = async (): Promise<Reply> =>
        send(world.origin, {
          path: paths.userinfo,
          headers: await prover.forResource(tokens.access_token, paths.userinfo),
        });
      expect(await statementsOf(flow)).toHaveLength(3);
      expect(await statementsOf(refresh)).toHaveLength(1);
      expect(await statementsOf(userinfo)).toHaveLength(1);
      expect(await statementsOf(() => rp.introspect(tokens.access_token))).toHaveLength(1);
    });

    it.each(['openid', 'openid offline_access'])('the code flow with a session: three, for %s', async (scope) => {
      const flow = async (): Promise<Reply> => {
        const reply = await rp.authorizeOnce({ scope });
        return rp.redeem(answerOf(reply.location!)['code']!);
      };
      await rp.signIn(alice);
      expect(await statementsOf(flow)).toHaveLength(3);
    });
  });

  describe('of an application that is told of the end of sessions', () => {
    const namesOf = async (work: () => Promise<unknown>): Promise<string[]> =>
      (await ownStatementsOf(work)).map((text) => text.split(':')[0]!);

    it('the code flow: as many as without; the end of the session: one more, however many applications it has', async () => {
      const told = async (): Promise<RelyingParty> => {
        const client = await world.add.client({
          projectId: await world.cast.projectP,
          backChannelLogoutUri: 'https://127.0.0.2/out',
        });
        return new RelyingParty(world, client, browser);
      };
      const { browser } = new RelyingParty(world, await world.cast.web1);
      const [first, second] = [await told(), await told()];
      const { id_token: idToken } = await first.tokens(alice);
      await second.tokens(alice);
      const flow = async (): Promise<Reply> => {
        const reply = await second.authorizeOnce();
        return second.redeem(answerOf(reply.location!)['code']!);
      };
      expect(await statementsOf(flow)).toHaveLength(3);
      const names = await namesOf(() => first.endSession({ id_token_hint: idToken }));
      const within = names.slice(names.indexOf('START TRANSACTION'), names.indexOf('COMMIT') + 1);
      expect(within).toEqual(['START TRANSACTION', 'session.end', 'logout_notice.add', 'COMMIT']);
      const notices = await world.rows('SELECT 1 FROM logout_notice WHERE user_id = $1', [alice.id]);
      expect(notices).toHaveLength(2);
    });
  });

  describe('of a person who signs in, limits on', () => {
    let limited: World;
    let rp: RelyingParty;
    beforeAll(async () => {
      limited = await startWorld({ replicaOf: world, loginLimits: 'on' });
      await world.get(PasswordMixes).count(); // as housekeeping does
      rp = new RelyingParty(limited, await world.cast.web1);
    });
    afterAll(() => limited.close());

    const flow = async (): Promise<void> => {
      const fresh = rp.elsewhere();
      expect((await fresh.redeem((await fresh.signIn(alice)).code!)).status).toBe(200);
    };

    it('with the redemption: seven, of which three write, and two of these wait for the disk', async () => {
      await limited.changesToArrive();
      await flow();
      const statements = await ownStatementsOf(flow);
      expect(statements.map((text) => text.split(':')[0])).toEqual([
        'session.browser',
        'session.browser',
        'session.browser',
        'session.candidate',
        'attempt.count',
        'auth_request.sign_in_and_add',
        'code.redeem',
      ]);
      const writing = statements.filter((text) => /\b(?:INSERT INTO|UPDATE [a-z_]+ |DELETE FROM)/.test(text));
      expect(writing).toHaveLength(3);
      expect(writing.filter((text) => !text.includes(`set_config('synchronous_commit', 'off', true)`))).toHaveLength(2);
    });

    it('takes five requests: two pages, a form that leads to one, the answer to the application, and the redemption of the code', async () => {
      const { browser, client } = rp.elsewhere();
      const seen: string[] = [];
      const request = browser.request.bind(browser);
      browser.request = async (method, url, ...more) => {
        const reply = await request(method, url, ...more);
        seen.push(`${method} ${new URL(url, world.issuer).pathname} ${reply.status}`);
        return reply;
      };
      await new RelyingParty(limited, client, browser).signIn(alice);
      expect(seen).toEqual([
        `GET ${paths.authorize} 200`,
        `GET ${pages.hub} 200`,
        `POST ${pages.loginName} 200`, // as far as the page that it leads to
        `POST ${pages.password} 303`,
      ]);
    });

    it('is followed by one more within half a second, which waits for no disk', async () => {
      await setTimeout(600); // until nothing of the sign-ins before is to be returned
      const statements = await statementsDuring(async () => {
        await flow();
        await setTimeout(600);
      });
      const late = statements.filter((text) => text.startsWith('attempt.forgive:'));
      expect(late).toHaveLength(1);
      expect(late[0]).toContain(`set_config('synchronous_commit', 'off', true)`);
    });

    it('gives the address its count back without a lock that is held for the disk', async () => {
      const count = async (): Promise<number[]> =>
        (
          await world.rows<{ failures: number }>(
            "SELECT failures FROM attempt WHERE key LIKE 'password-address:%' AND failures > 0",
          )
        ).map(({ failures }) => failures);
      for (let times = 0; times < 5; times += 1) await flow();
      expect(Math.max(0, ...(await count()))).toBeLessThanOrEqual(1); // the last one is returned soon
      while ((await count()).length > 0) await setTimeout(50);
    });
  });

  describe('of what applications bring', () => {
    const partyOf = async (settings: Partial<ClientSettings>): Promise<RelyingParty> => {
      const client = await world.add.client({ projectId: await world.cast.projectP, ...settings });
      await world.changesToArrive(); // that of the application itself would make it be read again
      return new RelyingParty(world, client);
    };

    it('an assertion by a key of a set: its single use, and nothing for the key', async () => {
      const { publicJwk, ...key } = await makeKey('ES256');
      const kid = 'of-a-set';
      const rp = await partyOf({ authMethod: 'private_key_jwt', jwks: { keys: [{ ...publicJwk, kid }] } });
      const ask = async (): Promise<unknown> =>
        send(world.origin, {
          method: 'POST',
          path: paths.revoke,
          body: {
            token: 'none',
            client_assertion: await signAssertion(world, { ...key, publicJwk, kid }, rp.client.clientId),
            client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          },
        });
      await ask();
      expect(await ownNamesOf(world, ask)).toEqual(['assertion.spend']);
    });

    it('a signed request: as many as without', async () => {
      const rp = await partyOf({ authMethod: 'private_key_jwt' });
      const sign = async (): Promise<string> => signRequest(world, rp.client.key!, rp.client.clientId, rp.parameters());
      await rp.signIn(alice);
      const plain = await ownNamesOf(world, () => rp.authorizeOnce());
      const query = async (): Promise<string> =>
        `${new URLSearchParams({ client_id: rp.client.clientId, request: await sign() })}`;
      const signed = await query();
      expect(await ownNamesOf(world, () => rp.browser.request('GET', `${paths.authorize}?${signed}`))).toEqual(plain);
    });

    it('a proof that processes share: one insert more, which waits for no disk', async () => {
      const shared = await startWorld({ replicaOf: world, env: { DPOP_REPLAY: 'shared' } });
      const prover = await Prover.make(world);
      const rp = await partyOf({});
      const tokens = tokensOf(await rp.redeem(await rp.code(alice), {}, world, await prover.forTokens()));
      const use = async (): Promise<void> => {
        const headers = await prover.forResource(tokens.access_token, paths.userinfo);
        expect((await send(shared.origin, { path: paths.userinfo, headers })).status).toBe(200);
      };
      await use();
      expect(await ownNamesOf(world, use)).toEqual(['token.alive', 'proof.spend']);
      const [table] = await world.rows("SELECT relpersistence FROM pg_class WHERE relname = 'spent_proof'");
      expect(table).toEqual({ relpersistence: 'u' });
      await shared.close();
    });

    it('an exchange: one read; with an actor one read and the event more, and one to introspect its token', async () => {
      await world.get(InstanceService).setImpersonation(true, 'test');
      const rp = await partyOf({ grantTypes: ['authorization_code', 'token_exchange'] });
      const actor = await world.add.person({ orgId: alice.orgId });
      const of = { level: 'org', objectId: alice.orgId, orgId: alice.orgId } as const;
      await world.add.member(actor.id, ['ORG_END_USER_IMPERSONATOR'], of);
      const [subject, acting] = [await rp.tokens(alice), await rp.elsewhere().tokens(actor)];
      let { access_token: token } = subject;
      const exchange = async (over: object = {}): Promise<void> => {
        ({ access_token: token } = tokensOf(await rp.token({ ...exchangeOf(subject.access_token), ...over })));
      };
      await exchange();
      expect(await ownNamesOf(world, () => exchange())).toEqual(['token.alive']);
      const withActor = actedBy(acting.access_token);
      await exchange(withActor);
      const names = await ownNamesOf(world, () => exchange(withActor));
      expect(names).toEqual(['token.actor', 'token.alive', 'token.impersonated']);
      expect(await ownNamesOf(world, () => rp.introspect(token))).toHaveLength(1);
    });
  });

  it('discovery and keys: none', async () => {
    for (const path of [paths.discovery, paths.keys])
      expect(await statementsOf(() => send(world.origin, { path }))).toEqual([]);
  });

  it('a personal access token at userinfo: one', async () => {
    const { pat } = await world.cast.svc1;
    const rp = new RelyingParty(world, await world.cast.web1);
    expect(await statementsOf(() => rp.userinfo(pat))).toHaveLength(1);
  });

  it('revocation of an access token: one', async () => {
    const rp = new RelyingParty(world, await world.cast.web1);
    const { access_token: token } = await rp.tokens(alice);
    expect(await statementsOf(() => rp.revoke(token))).toHaveLength(1);
  });

  it('a refused request of a stranger: one at most', async () => {
    await world.cast.web1;
    const statements = await statementsDuring(() =>
      send(world.origin, {
        method: 'POST',
        path: paths.token,
        headers: basicAuth('nobody', 'x'),
        body: { grant_type: 'client_credentials' },
      }),
    );
    expect(statements.length).toBeLessThanOrEqual(2); // no service user of that name, no application either
  });
});
