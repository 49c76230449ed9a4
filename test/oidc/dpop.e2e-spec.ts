import { createHmac, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { MasterKeys } from '../../src/foundation/crypto/master-key.js';
import { GRANTS, type Grant } from '../../src/oidc/token/grant/grant.js';
import { ClientService } from '../../src/project/client/client.service.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { JWT_BEARER, signAssertion } from '../support/assertion.js';
import { EDITOR, type TestClient, type TestPerson, type TestService } from '../support/builders.js';
import { DEVICE_GRANT, Device } from '../support/device.js';
import { type Headers, type Parameters, type Reply, send } from '../support/http.js';
import { type ProofChanges, Prover } from '../support/proof.js';
import { basicAuth, bearer, paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { exchangeOf, TOKEN_EXCHANGE } from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let replica: World;
let alice: TestPerson;
let service: TestService;
let prover: Prover;
let other: Prover;
/** A public client, whose refresh tokens are bound as well. */
let spa: RelyingParty;
let web: RelyingParty;

const OFFLINE = 'openid offline_access';

beforeAll(async () => {
  world = await startWorld();
  replica = await startWorld({ replicaOf: world, env: { DPOP_REPLAY: 'shared', DPOP_NONCE: 'on' } });
  alice = await world.cast.alice;
  service = await world.add.service({ orgId: alice.orgId, accessTokenType: 'jwt' });
  [prover, other] = [await Prover.make(world), await Prover.make(world)];
  spa = await party({ authMethod: 'none', clientType: 'user_agent' });
  web = await party({ accessTokenType: 'jwt' });
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

async function party(settings: Partial<ClientSettings> = {}): Promise<RelyingParty> {
  const client = await world.add.client({
    projectId: await world.cast.projectP,
    grantTypes: ['authorization_code', 'refresh_token', 'device_code', 'token_exchange'],
    ...settings,
  });
  return new RelyingParty(world, client);
}

async function change({ id }: TestClient, settings: Partial<ClientSettings>): Promise<void> {
  await world.transaction((tx) => world.get(ClientService).changeSettings(tx, id, settings, EDITOR));
  await world.changesToArrive();
}

/** Tokens of a code, bound to this key. */
async function boundTokens(rp: RelyingParty, key = prover, scope = OFFLINE): Promise<Tokens> {
  return tokensOf(await rp.redeem(await rp.code(alice, { scope }), {}, world, await key.forTokens()));
}

async function userinfo(token: string, key = prover, changes: ProofChanges = {}): Promise<Reply> {
  return userinfoWith(await key.forResource(token, paths.userinfo, 'GET', changes));
}

async function userinfoWith(headers: Headers, at: Pick<World, 'origin'> = world): Promise<Reply> {
  return send(at.origin, { path: paths.userinfo, headers });
}

function outcomeOf(reply: Reply): string {
  return reply.status === 200 ? 'ok' : `${reply.status} ${reply.json<{ error: string }>().error}`;
}

async function asService(form: Parameters, headers: Headers): Promise<Reply> {
  return send(world.origin, { method: 'POST', path: paths.token, headers, body: { scope: 'openid', ...form } });
}

function withHeader(jwt: string, header: object): string {
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...jwt.split('.').slice(1)].join('.');
}

/** How each grant is used, so that a grant which is added is missed here. */
const exchanges: Record<string, (rp: RelyingParty, proof: Headers) => Promise<Reply>> = {
  authorization_code: async (rp, proof) => rp.redeem(await rp.code(alice), {}, world, proof),
  refresh_token: async (rp, proof) => rp.refresh((await unboundTokens(rp)).refresh_token, {}, world, proof),
  [DEVICE_GRANT]: async (rp, proof) => {
    const device = new Device(world, rp.client);
    const codes = await device.start();
    await device.approve(codes, alice);
    return rp.token({ grant_type: DEVICE_GRANT, device_code: codes.device_code }, world, proof);
  },
  [TOKEN_EXCHANGE]: async (rp, proof) => rp.token(exchangeOf((await unboundTokens(rp)).access_token), world, proof),
  client_credentials: async (_, proof) =>
    asService({ grant_type: 'client_credentials' }, { ...basicAuth(service.userName, service.secret), ...proof }),
  [JWT_BEARER]: async (_, proof) =>
    asService({ grant_type: JWT_BEARER, assertion: await signAssertion(world, service.key, service.id) }, proof),
};

/** As issued before the application had to bind its tokens. */
async function unboundTokens(rp: RelyingParty): Promise<Tokens> {
  const isDemanded = (await world.get(ClientService).findActive(rp.client.clientId))?.settings.dpopBoundAccessTokens;
  if (isDemanded === true) await change(rp.client, { dpopBoundAccessTokens: false });
  const tokens = await rp.tokens(alice, { scope: OFFLINE });
  if (isDemanded === true) await change(rp.client, { dpopBoundAccessTokens: true });
  return tokens;
}

describe('A token request with a proof (RFC 9449 §5)', () => {
  it('is known for every grant that there is [DPO-011]', () => {
    const grants = world.get<Grant[]>(GRANTS as never).map(({ type }) => type);
    expect(Object.keys(exchanges).sort()).toEqual(grants.sort());
  });

  it.each(Object.keys(exchanges))('binds the access token to its key: %s [DPO-001]', async (grant) => {
    const tokens = tokensOf(await exchanges[grant]!(web, await prover.forTokens()));
    expect(tokens.token_type).toBe('DPoP');
    expect(decodeJwt(tokens.access_token)['cnf']).toEqual({ jkt: prover.thumbprint });
  });

  it('is announced in the metadata, and possible for pages of other origins (RFC 9449 §5.1)', async () => {
    expect((await world.discovery())['dpop_signing_alg_values_supported']).toEqual(
      'RS256 PS256 RS384 RS512 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' '),
    );
    const headers = { 'Access-Control-Request-Method': 'POST' };
    const preflight = await send(world.origin, { method: 'OPTIONS', path: paths.token, headers });
    expect(preflight.header('access-control-allow-headers')?.split(', ')).toContain('DPoP');
    const reply = await send(world.origin, { method: 'POST', path: paths.token, body: {} });
    const exposed = reply.header('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['DPoP-Nonce', 'WWW-Authenticate']));
  });

  it('is refused with a proof that is not sound, and the code stays good [DPO-003, DPO-012]', async () => {
    const code = await spa.code(alice);
    const sound = String((await prover.forTokens())['DPoP']);
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
    const bad: Headers[] = [
      { DPoP: `${sound.slice(0, -4)}AAAA` },
      { DPoP: `${sound}, ${sound}` },
      { DPoP: [sound, sound] },
      await prover.forTokens({ header: { jwk: other.publicJwk } }),
      { DPoP: withHeader(sound, { typ: 'dpop+jwt', alg: 'RS256', jwk: weak }) },
      await prover.forTokens({ claims: { htm: 'GET' } }),
      await prover.forTokens({ claims: { htu: `${world.issuer}${paths.revoke}` } }),
      await prover.forTokens({ claims: { iat: world.now() - 61 } }),
      await prover.forTokens({ claims: { iat: world.now() + 61 } }),
    ];
    for (const headers of bad) {
      const reply = await spa.redeem(code, {}, world, headers);
      expect(outcomeOf(reply)).toBe('400 invalid_dpop_proof');
    }
    expect(outcomeOf(await spa.redeem(code, {}, world, await prover.forTokens()))).toBe('ok');
  });

  it('names the public URL, whatever a proxy or the caller says of the host [DPO-004]', async () => {
    const lies = { Host: 'evil.test', 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'https' };
    const evil = { claims: { htu: `https://evil.test${paths.token}` } };
    const code = await spa.code(alice);
    const refused = await spa.redeem(code, {}, world, { ...lies, ...(await prover.forTokens(evil)) });
    expect(outcomeOf(refused)).toBe('400 invalid_dpop_proof');
    expect(outcomeOf(await spa.redeem(code, {}, world, { ...lies, ...(await prover.forTokens()) }))).toBe('ok');
  });

  it('tells a stranger nothing about a code: the client is authenticated first', async () => {
    const headers = { ...basicAuth(web.client.clientId, 'wrong'), ...(await prover.forTokens()) };
    const reply = await send(world.origin, {
      method: 'POST',
      path: paths.token,
      headers,
      body: { grant_type: 'authorization_code', code: 'gtc_', redirect_uri: web.client.redirectUri },
    });
    expect(outcomeOf(reply)).toBe('401 invalid_client');
  });
});

describe('An application whose access tokens must be bound (RFC 9449 §5.2)', () => {
  let strict: RelyingParty;
  beforeAll(async () => {
    strict = await party({ dpopBoundAccessTokens: true });
  });

  it.each([['authorization_code'], ['refresh_token'], [DEVICE_GRANT], [TOKEN_EXCHANGE]])(
    'gets none without a proof, and loses nothing by asking: %s [DPO-011]',
    async (grant) => {
      expect(outcomeOf(await exchanges[grant]!(strict, {}))).toBe('400 invalid_dpop_proof');
      expect(outcomeOf(await exchanges[grant]!(strict, await prover.forTokens()))).toBe('ok');
    },
  );

  it('gets none at the authorization endpoint, where there is no proof [DPO-011]', async () => {
    const implicit = await party({
      responseTypes: ['id_token', 'id_token token'],
      grantTypes: ['implicit'],
      dpopBoundAccessTokens: true,
    });
    const ask = async (responseType: string): Promise<string> => {
      const answer = await implicit.signIn(alice, { response_type: responseType });
      return answer['error'] ?? (answer['access_token'] === undefined ? 'id_token' : 'access_token');
    };
    expect(await ask('id_token token')).toBe('unauthorized_client');
    expect(await ask('id_token')).toBe('id_token');
  });

  it('is refused although the sign-in was under way when that was set [DPO-011]', async () => {
    const implicit = await party({ responseTypes: ['id_token token'], grantTypes: ['implicit'] });
    const asked = await implicit.authorize();
    await change(implicit.client, { dpopBoundAccessTokens: true });
    expect(implicit.toAnswer(await implicit.enter(asked, alice))['error']).toBe('unauthorized_client');
  });
});

describe('A bound access token', () => {
  it('is used with a proof of its key, whatever the case of the scheme [DPO-007]', async () => {
    const { access_token: token } = await boundTokens(spa);
    expect(outcomeOf(await userinfo(token))).toBe('ok');
    const { DPoP: proof } = await prover.forResource(token, paths.userinfo);
    expect(outcomeOf(await userinfoWith({ Authorization: `dpop ${token}`, DPoP: proof! }))).toBe('ok');
  });

  it('is refused as a bearer token, in the header and in a form [DPO-007]', async () => {
    const { access_token: token } = await boundTokens(spa);
    const { DPoP: proof } = await prover.forResource(token, paths.userinfo);
    for (const reply of [
      await userinfoWith(bearer(token)),
      await userinfoWith({ ...bearer(token), DPoP: proof! }),
      await send(world.origin, { method: 'POST', path: paths.userinfo, body: { access_token: token } }),
    ])
      expect(outcomeOf(reply)).toBe('401 invalid_token');
  });

  it('is refused without a sound proof for this very token and this request [DPO-003, DPO-008]', async () => {
    const { access_token: token } = await boundTokens(spa);
    const another = await boundTokens(spa);
    const said = async (changes: ProofChanges) => userinfo(token, prover, changes);
    const foreign = await prover.forResource(another.access_token, paths.userinfo);
    expect(outcomeOf(await userinfoWith({ Authorization: `DPoP ${token}` }))).toBe('401 invalid_dpop_proof');
    expect(outcomeOf(await userinfoWith({ ...foreign, Authorization: `DPoP ${token}` }))).toBe(
      '401 invalid_dpop_proof',
    );
    expect(outcomeOf(await said({ claims: { ath: undefined } }))).toBe('401 invalid_dpop_proof');
    expect(outcomeOf(await said({ claims: { htm: 'POST' } }))).toBe('401 invalid_dpop_proof');
    const reply = await userinfo(token, other);
    expect(outcomeOf(reply)).toBe('401 invalid_token');
    expect(reply.header('www-authenticate')).toMatch(/^DPoP realm="gatehouse", error="invalid_token", .*algs="RS256 /);
  });

  it('is refused with a proof that is not sound, as at the token endpoint [DPO-003]', async () => {
    const { access_token: token } = await boundTokens(spa);
    const sound = String((await prover.forResource(token, paths.userinfo))['DPoP']);
    const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: prover.publicJwk };
    const asSecret = withHeader(sound, { ...header, alg: 'HS256' })
      .split('.')
      .slice(0, 2)
      .join('.');
    const mac = createHmac('sha256', JSON.stringify(prover.publicJwk)).update(asSecret).digest('base64url');
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
    const proofs = [
      withHeader(sound, { ...header, alg: undefined }),
      withHeader(sound, { ...header, alg: 'none' }),
      `${withHeader(sound, { ...header, alg: 'none' })
        .split('.')
        .slice(0, 2)
        .join('.')}.`,
      `${asSecret}.${mac}`,
      withHeader(sound, { ...header, alg: 'RS256', jwk: weak }),
      withHeader(sound, { ...header, jwk: { ...prover.publicJwk, d: 'A'.repeat(43) } }),
      withHeader(sound, { jwk: prover.publicJwk, alg: 'ES256', typ: 'dpop+jwt' }), // Other bytes than those that were signed.
      `${sound.slice(0, -4)}AAAA`,
      `${sound}, ${sound}`,
    ];
    for (const DPoP of proofs)
      expect(outcomeOf(await userinfoWith({ Authorization: `DPoP ${token}`, DPoP }))).toBe('401 invalid_dpop_proof');
    const without: ProofChanges[] = [
      ...['typ', 'jwk'].map((name) => ({ header: { [name]: undefined } })),
      ...['jti', 'htm', 'htu', 'iat', 'ath'].map((name) => ({ claims: { [name]: undefined } })),
    ];
    for (const changes of without)
      expect([changes, outcomeOf(await userinfo(token, prover, changes))]).toEqual([changes, '401 invalid_dpop_proof']);
    expect(outcomeOf(await userinfoWith({ Authorization: `DPoP ${token}`, DPoP: sound }))).toBe('ok');
  });

  it('cannot be replaced by one that is not bound, a personal access token neither [DPO-017]', async () => {
    const { access_token: token } = await web.tokens(alice);
    expect(outcomeOf(await userinfo(token))).toBe('401 invalid_token');
    expect(outcomeOf(await userinfo(world.firstStart.personalAccessToken!.reveal()))).toBe('401 invalid_token');
  });

  it('is shown at introspection with its key [DPO-015]', async () => {
    for (const rp of [web, await party()]) {
      const { access_token: token } = await boundTokens(rp);
      expect((await rp.introspect(token)).json()).toMatchObject({
        active: true,
        token_type: 'DPoP',
        cnf: { jkt: prover.thumbprint },
      });
      const bare = (await rp.introspect((await rp.tokens(alice)).access_token)).json();
      expect([bare['token_type'], bare['cnf']]).toEqual(['Bearer', undefined]);
    }
  });

  it('is revoked by its client without a proof (RFC 7009)', async () => {
    const { access_token: token } = await boundTokens(web);
    expect((await web.revoke(token)).status).toBe(200);
    expect(outcomeOf(await userinfo(token))).toBe('401 invalid_token');
  });
});

describe('A refresh token', () => {
  it('of a public client is used with its key only, and stays good otherwise [DPO-009]', async () => {
    const { refresh_token: token } = await boundTokens(spa);
    expect(outcomeOf(await spa.refresh(token))).toBe('400 invalid_grant');
    expect(outcomeOf(await spa.refresh(token, {}, world, await other.forTokens()))).toBe('400 invalid_grant');
    const next = tokensOf(await spa.refresh(token, {}, world, await prover.forTokens()));
    expect(next.token_type).toBe('DPoP');
    world.clock.advance('1m');
    // A used one without the key ends nothing either.
    expect(outcomeOf(await spa.refresh(token))).toBe('400 invalid_grant');
    expect(outcomeOf(await spa.refresh(next.refresh_token, {}, world, await prover.forTokens()))).toBe('ok');
  });

  it('of a device without a secret as well [DPO-009]', async () => {
    const device = new Device(world, spa.client);
    const codes = await device.start({ scope: OFFLINE });
    await device.approve(codes, alice);
    const form = { grant_type: DEVICE_GRANT, device_code: codes.device_code };
    const { refresh_token: token } = tokensOf(await spa.token(form, world, await prover.forTokens()));
    expect(outcomeOf(await spa.refresh(token))).toBe('400 invalid_grant');
    expect(outcomeOf(await spa.refresh(token, {}, world, await prover.forTokens()))).toBe('ok');
  });

  it('of a confidential client may be used with a new key each time, or with none [DPO-010]', async () => {
    const { refresh_token: token } = await boundTokens(web);
    const next = tokensOf(await web.refresh(token, {}, world, await other.forTokens()));
    expect(decodeJwt(next.access_token)['cnf']).toEqual({ jkt: other.thumbprint });
    expect(tokensOf(await web.refresh(next.refresh_token)).token_type).toBe('Bearer');
  });
});

describe('A code that is bound to a key (RFC 9449 §10)', () => {
  it('is redeemed with that key only, and stays good otherwise [DPO-013]', async () => {
    const code = await spa.code(alice, { dpop_jkt: prover.thumbprint });
    expect(outcomeOf(await spa.redeem(code))).toBe('400 invalid_dpop_proof');
    expect(outcomeOf(await spa.redeem(code, {}, world, await other.forTokens()))).toBe('400 invalid_dpop_proof');
    expect(outcomeOf(await spa.redeem(code, {}, world, await prover.forTokens()))).toBe('ok');
  });

  it.each(['', 'short', 'A'.repeat(44), `${'A'.repeat(42)}B`, `${'A'.repeat(42)}=`])(
    'needs a thumbprint, or none: %p [DPO-013]',
    async (thumbprint) => {
      const answer = await spa.signIn(alice, { dpop_jkt: thumbprint });
      expect(answer['error']).toBe(thumbprint === '' ? undefined : 'invalid_request');
    },
  );
});

describe('Nonces (RFC 9449 §8, §9)', () => {
  it('are demanded before anything is used up, and given with the refusal [DPO-014, DEV-017]', async () => {
    const device = new Device(world, spa.client);
    const codes = await device.start();
    await device.approve(codes, alice);
    const form = { grant_type: DEVICE_GRANT, device_code: codes.device_code };
    const refused = await spa.token(form, replica, await prover.forTokens());
    const nonce = refused.header('dpop-nonce');
    expect([outcomeOf(refused), typeof nonce]).toEqual(['400 use_dpop_nonce', 'string']);
    world.clock.advance('2m');
    const minute = String(Math.floor(world.now() / 60));
    const { key } = (await MasterKeys.from(replica.config.secrets.masterKey!, [])).current('user_code');
    const ofAnotherKind = createHmac('sha256', key).update(minute).digest('base64url').slice(0, 22);
    const fresh: Array<string | undefined> = [];
    for (const wrong of [nonce, 'invented', ofAnotherKind]) {
      const reply = await spa.token(form, replica, await prover.forTokens({ claims: { nonce: wrong } }));
      expect(outcomeOf(reply)).toBe('400 use_dpop_nonce');
      fresh.push(reply.header('dpop-nonce'));
    }
    expect([new Set(fresh).size, fresh[0] === nonce]).toEqual([1, false]);
    const reply = await spa.token(form, replica, await prover.forTokens({ claims: { nonce: fresh[0] } }));
    expect([outcomeOf(reply), reply.header('dpop-nonce')]).toEqual(['ok', undefined]);
  });

  it('are given anew when their minute is over, and refused a minute later [DPO-014]', async () => {
    const { access_token: token } = await boundTokens(spa);
    const ask = async (nonce?: string): Promise<Reply> =>
      userinfoWith(await prover.forResource(token, paths.userinfo, 'GET', { claims: { nonce } }), replica);
    const refused = await ask();
    const first = refused.header('dpop-nonce');
    expect(outcomeOf(refused)).toBe('401 use_dpop_nonce');
    expect(refused.header('www-authenticate')).toContain('DPoP realm="gatehouse", error="use_dpop_nonce"');
    expect((await ask(first)).header('dpop-nonce')).toBeUndefined();
    world.clock.advance('1m');
    const next = await ask(first);
    expect([outcomeOf(next), typeof next.header('dpop-nonce')]).toEqual(['ok', 'string']);
    world.clock.advance('1m');
    expect(outcomeOf(await ask(first))).toBe('401 use_dpop_nonce');
    expect(outcomeOf(await ask(next.header('dpop-nonce')))).toBe('ok');
  });
});
