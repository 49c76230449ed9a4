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

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
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

describe('The client that a refused request names, which is not proved', () => {
  const body = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x' };
  const bodyOf = (more: object) => ({ method: 'POST', body: { ...body, ...more }, headers: {} });
  it.each<[string, string]>([
    ['token', '/oauth/v2/token'],
    ['introspection', '/oauth/v2/introspect'],
    ['revocation', '/oauth/v2/revoke'],
    ['pushed authorization', '/oauth/v2/par'],
    ['device authorization', '/oauth/v2/device_authorization'],
  ])('is in the line of the %s endpoint, however it is named', async (_, path) => {
    const assertion = `${base64url({ alg: 'RS256', kid: 'a' })}.${base64url({ iss: 'by-assertion', sub: 'by-assertion' })}.AAAA`;
    const lines = await linesDuring(async () => {
      await send(world.origin, { path, method: 'POST', body, headers: basicAuth('by-header', 'wrong') });
      await send(world.origin, { path, ...bodyOf({ client_id: 'by-form', client_secret: 'wrong' }) });
      await send(world.origin, { path, ...bodyOf({ client_id: 'twice', scope: ['a', 'b'] }) });
      const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      await send(world.origin, { path, ...bodyOf({ client_assertion: assertion, client_assertion_type: type }) });
    });
    expect(lines).toMatchObject([
      { clientId: 'by-header' },
      { clientId: 'by-form' },
      { clientId: 'twice' },
      { clientId: 'by-assertion' },
    ]);
  });

  it('is in the line of userinfo, by the token', async () => {
    const forged = `${base64url({ alg: 'RS256' })}.${base64url({ client_id: 'by-token' })}.AAAA`;
    const lines = await linesDuring(() => send(world.origin, { path: paths.userinfo, headers: bearer(forged) }));
    expect(lines).toMatchObject([{ reason: 'oidc.bearer_dead', clientId: 'by-token' }]);
  });

  it('is cut, and has no control characters [OPS-054]', async () => {
    const name = `x\u0007\u202e\u2028${'y'.repeat(5_000)}`;
    const lines = await linesDuring(async () => {
      await token({}, { client_id: name, client_secret: 'x', grant_type: 'refresh_token' });
      await token(basicAuth(name, 'x'), { grant_type: 'refresh_token' });
    });
    expect(lines).toMatchObject(Array(2).fill({ clientId: `x\uFFFD\uFFFD\uFFFD${'y'.repeat(196)}` }));
  });
});

describe('A secret in the header that is not form-url-encoded', () => {
  const raw = (secret: string) => ({ Authorization: `Basic ${Buffer.from(`web1:${secret}`).toString('base64')}` });

  it.each(['a+b', 'a%b', '100%'])('is refused, and the log says what it may be, not what it is: %s', async (secret) => {
    const [line] = await linesDuring(() => token(raw(secret), { grant_type: 'refresh_token', refresh_token: 'x' }));
    expect(line).toMatchObject({ clientId: 'web1', hint: expect.stringContaining('form-url-encoded') });
    expect(JSON.stringify(line)).not.toContain(secret);
  });

  it('is not what every wrong secret is taken for', async () => {
    const [line] = await linesDuring(() => token(raw('a%2Bb'), { grant_type: 'refresh_token', refresh_token: 'x' }));
    expect(line).not.toHaveProperty('hint');
  });
});

describe('A scope that does not exist, or that the client may not have', () => {
  it('leaves a line with the client, once', async () => {
    const ask = () => web1.authorize({ scope: 'openid profil emal urn:service:iam:org:project:id:1:aud' });
    const lines = await linesDuring(async () => {
      await ask();
      await ask();
    });
    expect(lines).toMatchObject([
      {
        reason: 'oidc.scopes_dropped',
        clientId: 'web1',
        scopes: ['profil', 'emal', 'urn:service:iam:org:project:id:1:aud'],
      },
    ]);
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
