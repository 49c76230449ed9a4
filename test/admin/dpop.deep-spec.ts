import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Urn } from '../../src/token/claims/urn.js';
import { GrpcClient, methodsOf } from '../grpc/grpc-clients.js';
import { callerWith, verdictOf } from '../support/admin-api.js';
import type { TestService } from '../support/builders.js';
import { type Headers, type Reply, send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { basicAuth, bearer, paths, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const MY_ORG = '/management/v1/orgs/me';

let world: World;
let service: TestService;
let prover: Prover;
/** Bound to the key of `prover`. */
let token: string;

beforeAll(async () => {
  world = await startWorld();
  ({ service } = await callerWith(world, await world.cast.orgA, ['ORG_OWNER']));
  prover = await Prover.make(world);
  token = await tokenWith(await prover.forTokens());
});
afterAll(() => world.close());

async function tokenWith(proof: Headers): Promise<string> {
  const reply = await send(world.origin, {
    method: 'POST',
    path: paths.token,
    headers: { ...basicAuth(service.userName, service.secret), ...proof },
    body: { grant_type: 'client_credentials', scope: `openid ${world.get(Urn).systemAudience}` },
  });
  return tokensOf(reply).access_token;
}

async function ask(headers: Headers, path = MY_ORG): Promise<Reply> {
  return send(world.origin, { path, headers });
}

describe('The administrative API, with a token that is bound to a key', () => {
  it('serves callers who prove the key for each request [DPO-001]', async () => {
    expect(verdictOf(await ask(await prover.forResource(token, MY_ORG)))).toBe('200');
    const withQuery = await ask(await prover.forResource(token, MY_ORG), `${MY_ORG}?a=b`);
    expect(withQuery.status).toBeLessThan(401);
  });

  it('refuses the token alone, and proofs that are not for this request [DPO-007, DPO-008]', async () => {
    const other = await Prover.make(world);
    const used = await prover.forResource(token, MY_ORG);
    await ask(used);
    const cases: Array<[string, Headers]> = [
      ['401 token.dead', bearer(token)],
      ['401 proof.missing', { Authorization: `DPoP ${token}` }],
      ['401 proof.used', used],
      ['401 proof.htu', await prover.forResource(token, '/management/v1/orgs')],
      ['401 proof.htm', await prover.forResource(token, MY_ORG, 'POST')],
      ['401 proof.ath', { ...(await prover.forResource('another', MY_ORG)), Authorization: `DPoP ${token}` }],
      ['401 token.dead', await other.forResource(token, MY_ORG)],
      ['401 token.dead', await prover.forResource(service.pat, MY_ORG)],
      ['401 token.dead', await prover.forResource(await tokenWith({}), MY_ORG)],
    ];
    for (const [verdict, headers] of cases) expect(verdictOf(await ask(headers))).toBe(verdict);
  });

  it('says with which scheme, and what was wrong [DPO-007]', async () => {
    expect((await ask({ Authorization: `DPoP ${token}` })).header('www-authenticate')).toMatch(
      /^DPoP realm="gatehouse", error="invalid_dpop_proof", algs="/,
    );
    expect((await ask(bearer(token))).header('www-authenticate')).toBe(
      'Bearer realm="gatehouse", error="invalid_token"',
    );
  });

  it('gives nonces where they are required [DPO-014]', async () => {
    const replica = await startWorld({ replicaOf: world, env: { DPOP_NONCE: 'on' } });
    const refused = await send(replica.origin, { path: MY_ORG, headers: await prover.forResource(token, MY_ORG) });
    const nonce = refused.header('dpop-nonce');
    expect([verdictOf(refused), typeof nonce]).toEqual(['401 proof.nonce', 'string']);
    const headers = await prover.forResource(token, MY_ORG, 'GET', { claims: { nonce } });
    expect(verdictOf(await send(replica.origin, { path: MY_ORG, headers }))).toBe('200');
    await replica.close();
  });

  it('is closed to it in gRPC, where a proof has no URL to name [DPO-007]', async () => {
    const { GetMyOrg } = methodsOf('service.management.v1.ManagementService');
    const client = new GrpcClient(world.origin);
    const proved = await prover.forResource(token, GetMyOrg!.path, 'POST');
    const calls = [
      { authorization: `Bearer ${token}` },
      { authorization: String(proved['Authorization']), dpop: String(proved['DPoP']) },
    ];
    const outcomes = await Promise.all(calls.map((metadata) => client.call(GetMyOrg!, {}, metadata)));
    expect(outcomes.map(({ code, id }) => `${code} ${id}`)).toEqual(['16 token.dead', '16 token.bound_in_grpc']);
    client.close();
  });
});
