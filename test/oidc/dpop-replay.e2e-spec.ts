import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import type { TestPerson } from '../support/builders.js';
import { type Headers, type Reply, send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
/** Two other processes on the same database, which share the proofs that were used. */
let shared: World;
let second: World;
let alice: TestPerson;
let prover: Prover;
/** A public client, whose refresh tokens are bound as well. */
let spa: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  shared = await startWorld({ replicaOf: world, env: { DPOP_REPLAY: 'shared' } });
  second = await startWorld({ replicaOf: world, env: { DPOP_REPLAY: 'shared' } });
  alice = await world.cast.alice;
  prover = await Prover.make(world);
  const projectId = await world.cast.projectP;
  spa = new RelyingParty(world, await world.add.client({ projectId, authMethod: 'none', clientType: 'user_agent' }));
});
afterAll(async () => {
  await second.close();
  await shared.close();
  await world.close();
});
beforeEach(async () => {
  world.clock.advance('3m');
  await world.get(HousekeepingService).run();
});

async function boundTokens(rp = spa): Promise<Tokens> {
  const code = await rp.code(alice, { scope: 'openid offline_access' });
  return tokensOf(await rp.redeem(code, {}, world, await prover.forTokens()));
}

async function userinfoWith(headers: Headers, at = world): Promise<Reply> {
  return send(at.origin, { path: paths.userinfo, headers });
}

function outcomeOf(reply: Reply): string {
  return reply.status === 200 ? 'ok' : `${reply.status} ${reply.json<{ error: string }>().error}`;
}

describe('A proof', () => {
  it('is used once, however many are sent at once [DPO-006]', async () => {
    const { access_token: token } = await boundTokens();
    const headers = await prover.forResource(token, paths.userinfo);
    const replies = await Promise.all(Array.from({ length: 20 }, () => userinfoWith(headers)));
    expect(replies.map(outcomeOf).sort()).toEqual([
      ...Array.from({ length: 19 }, () => '401 invalid_dpop_proof'),
      'ok',
    ]);
    const codes = [await spa.code(alice), await spa.code(alice)];
    const proof = await prover.forTokens();
    expect(outcomeOf(await spa.redeem(codes[0]!, {}, world, proof))).toBe('ok');
    expect(outcomeOf(await spa.redeem(codes[1]!, {}, world, proof))).toBe('400 invalid_dpop_proof');
    expect(outcomeOf(await spa.redeem(codes[1]!, {}, world, await prover.forTokens()))).toBe('ok');
  });

  it('is used once with many codes and refresh tokens at once, and those of the others stay good [DPO-006, DPO-012]', async () => {
    // In one process, and over two that share what was used.
    for (const places of [[world], [shared, second]]) {
      const grants = await Promise.all(
        Array.from({ length: 3 }, async () => {
          const rp = new RelyingParty(world, spa.client);
          const { refresh_token: refreshToken } = await boundTokens(rp);
          return { rp, code: await rp.code(alice), refreshToken };
        }),
      );
      const proof = await prover.forTokens();
      const lanes = grants.flatMap(({ rp, code, refreshToken }, n) => {
        const at = places[n % places.length]!;
        return [
          async (headers: Headers) => rp.redeem(code, {}, at, headers),
          async (headers: Headers) => rp.refresh(refreshToken, {}, at, headers),
        ];
      });
      const outcomes = await Promise.all(lanes.map(async (lane) => outcomeOf(await lane(proof))));
      expect([...outcomes].sort()).toEqual([...Array(5).fill('400 invalid_dpop_proof'), 'ok']);
      const others = lanes.filter((_, n) => outcomes[n] !== 'ok');
      for (const lane of others) expect(outcomeOf(await lane(await prover.forTokens()))).toBe('ok');
    }
  });

  it('of a request that was refused is not remembered, in no process [DPO-016]', async () => {
    for (const at of [world, shared]) {
      const proof = await prover.forTokens();
      expect(outcomeOf(await spa.redeem('gtc_unknown', {}, at, proof))).toBe('400 invalid_grant');
      expect(outcomeOf(await spa.redeem(await spa.code(alice), {}, at, proof))).toBe('ok');
      expect(outcomeOf(await spa.redeem(await spa.code(alice), {}, at, proof))).toBe('400 invalid_dpop_proof');
    }
    expect(await world.rows('SELECT * FROM spent_proof WHERE keep_until > $1', [world.clock.now()])).toHaveLength(1);
  });

  it('of a clock that is ahead is remembered for as long as it is valid [DPO-005]', async () => {
    const { access_token: token } = await boundTokens();
    const ahead = await prover.forResource(token, paths.userinfo, 'GET', { claims: { iat: world.now() + 59 } });
    expect(outcomeOf(await userinfoWith(ahead))).toBe('ok');
    world.clock.advance('100s');
    expect(outcomeOf(await userinfoWith(ahead))).toBe('401 invalid_dpop_proof');
  });

  it('is used once over all processes where they share what was used [DPO-006]', async () => {
    const { access_token: token } = await boundTokens();
    const headers = await prover.forResource(token, paths.userinfo);
    const places = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? shared : second));
    const replies = await Promise.all(places.map((place) => userinfoWith(headers, place)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await world.rows('SELECT * FROM spent_proof')).toHaveLength(1);
    world.clock.advance('3m');
    await world.get(HousekeepingService).run();
    expect(await world.rows('SELECT * FROM spent_proof')).toEqual([]);
  });
});
