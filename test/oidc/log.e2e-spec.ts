import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exchangeAssertion } from '../support/assertion.js';
import { send } from '../support/http.js';
import { basicAuth, bearer, paths, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  web1 = new RelyingParty(world, await world.cast.web1);
});
afterAll(() => world.close());

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly reason?: string;
  readonly address?: string;
}

async function linesDuring(work: () => Promise<unknown>): Promise<Line[]> {
  const before = world.logText().length;
  await work();
  return world
    .logText()
    .slice(before)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ reason }) => reason !== undefined);
}

const FROM = { 'X-Forwarded-For': '192.0.2.7' };
const token = (headers: Record<string, string | string[]>, body: Record<string, string>) =>
  send(world.origin, { method: 'POST', path: paths.token, headers: { ...headers, ...FROM }, body });

describe('Each refusal leaves one line with its reason and the address', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    [
      'a wrong secret',
      'oidc.client_secret_wrong',
      () => token(basicAuth('web1', 'wrong'), { grant_type: 'refresh_token', refresh_token: 'x' }),
    ],
    [
      'an unknown client',
      'oidc.client_unknown',
      () => token(basicAuth('nobody', 'wrong'), { grant_type: 'refresh_token', refresh_token: 'x' }),
    ],
    ['an unsupported grant', 'oidc.grant_type_unsupported', () => token({}, { grant_type: 'password' })],
    [
      'a forged token',
      'oidc.bearer_dead',
      () => send(world.origin, { path: paths.userinfo, headers: { ...bearer('x'), ...FROM } }),
    ],
    [
      'an unregistered address',
      'oidc.page_redirectUriMismatch',
      () => send(world.origin, { path: web1.authorizePath({ redirect_uri: 'https://evil.test/' }), headers: FROM }),
    ],
    [
      'a request that goes back to the client',
      'oidc.openid_missing',
      () => send(world.origin, { path: web1.authorizePath({ scope: 'email' }), headers: FROM }),
    ],
  ])('%s: %s', async (_, reason, work) => {
    expect(await linesDuring(work)).toEqual([expect.objectContaining({ reason, address: '192.0.2.7' })]);
  });

  it('with the precise reason for what the caller gets as invalid_grant', async () => {
    const alice = await world.cast.alice;
    const code = await web1.code(alice, { scope: 'openid offline_access' });
    await web1.redeem(code);
    const reasons = async (work: () => Promise<unknown>): Promise<Array<string | undefined>> =>
      (await linesDuring(work)).map(({ reason }) => reason);
    expect(await reasons(() => web1.redeem('x'))).toEqual(['oidc.code_unknown']);
    expect(await reasons(() => web1.redeem(code))).toEqual(['oidc.code_used']);
    expect(await reasons(() => web1.refresh('x'))).toEqual(['oidc.refresh_token_unknown']);
    expect(await reasons(() => exchangeAssertion(world, 'x'))).toEqual(['oidc.assertion_not_a_jws']);
    const other = await web1.code(alice);
    world.clock.advance('61s');
    expect(await reasons(() => web1.redeem(other))).toEqual(['oidc.code_expired']);
  });
});

describe('A refused authorization', () => {
  it('is logged with the client ID, the received and the registered redirect URIs', async () => {
    const received = 'http://127.0.0.1:3001/callback';
    const [line] = await linesDuring(() =>
      send(world.origin, { path: web1.authorizePath({ redirect_uri: received }) }),
    );
    expect(line).toMatchObject({
      clientId: 'web1',
      received,
      registered: expect.stringContaining(web1.client.redirectUri),
    });
  });

  it('is logged with the client ID also if that is unknown', async () => {
    const [line] = await linesDuring(() => send(world.origin, { path: web1.authorizePath({ client_id: 'stranger' }) }));
    expect(line).toMatchObject({ reason: 'oidc.page_clientUnknown', clientId: 'stranger' });
  });
});

describe('Input of a caller', () => {
  it('creates no lines of its own and no long ones [OPS-008]', async () => {
    const lines = await linesDuring(() =>
      send(world.origin, {
        path: web1.authorizePath({ client_id: `x\n{"level":60,"msg":"forged"}\u001b[31m${'y'.repeat(4000)}` }),
        headers: FROM,
      }),
    );
    expect(lines).toHaveLength(1);
    for (const line of world.logText().split('\n')) expect(line.length).toBeLessThan(2000);
  });
});
