import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { pageOf } from '../login/turns.js';
import type { AdminApi } from '../support/admin-api.js';
import type { TestPerson } from '../support/builders.js';
import { CERTIFICATES, keyWith } from '../support/certificates.js';
import { type Reply, send } from '../support/http.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';
import { CALLBACK, REGISTER, type Registered, RegistrationStage } from './registration-stage.js';

let stage: RegistrationStage;
let world: World;
let admin: AdminApi;
let alice: TestPerson;
let projectId: string;

beforeAll(async () => {
  stage = await RegistrationStage.set();
  ({ world, admin, projectId } = stage);
  alice = await world.cast.alice;
});
afterAll(() => world.close());

async function tokensFor(rp: RelyingParty): Promise<ReturnType<typeof tokensOf>> {
  const page = pageOf(await rp.enter(await rp.authorize(), alice));
  const asked = page.find('button[name="factor"]') ? pageOf(await rp.browser.submit(page, { factor: 'skip' })) : page;
  const { code } = rp.toAnswer(await rp.browser.submit(asked, { decision: 'continue' }));
  return tokensOf(await rp.redeem(code!));
}

async function appOf(clientId: string): Promise<{ id: string; path: string }> {
  const [row] = await world.rows<{ id: string; project_id: string }>(
    'SELECT id, project_id FROM client WHERE client_id = $1',
    [clientId],
  );
  return { id: row!.id, path: `/management/v1/projects/${row!.project_id}/apps/${row!.id}` };
}

describe('Registration (RFC 7591)', () => {
  it('is unknown by default, for every method [REG-001]', async () => {
    const off = await startWorld({ replicaOf: world });
    for (const method of ['GET', 'POST', 'OPTIONS'])
      expect((await send(off.origin, { method, path: REGISTER })).status).toBe(404);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await send(off.origin, { method, path: `${REGISTER}/x` })).status).toBe(404);
    expect(await off.discovery()).not.toHaveProperty('registration_endpoint');
    expect((await world.discovery())['registration_endpoint']).toBe(`${world.issuer}${REGISTER}`);
    await off.close();
  });

  it('answers with everything that is registered, and the application signs users in', async () => {
    const reply = await stage.register(await stage.newToken(), {
      client_name: 'Wiki',
      tos_uri: 'https://rp.test/terms',
    });
    expect([reply.status, reply.header('cache-control')]).toEqual([201, 'no-store']);
    const answer = reply.json<Registered>();
    expect(answer).toEqual({
      client_id: expect.any(String),
      client_id_issued_at: world.now(),
      client_secret: expect.any(String),
      client_secret_expires_at: 0,
      registration_access_token: expect.stringMatching(/^gtn_/),
      registration_client_uri: `${world.issuer}${REGISTER}/${answer.client_id}`,
      client_name: 'Wiki',
      application_type: 'web',
      redirect_uris: [CALLBACK],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'client_secret_basic',
      tos_uri: 'https://rp.test/terms',
      id_token_signed_response_alg: 'RS256',
    });
    const rp = stage.rpOf(answer);
    const page = pageOf(await rp.enter(await rp.authorize(), alice));
    for (const shown of [
      'Continue to Wiki?',
      'The application calls itself Wiki',
      'Returns torp.test',
      'Terms of service',
    ])
      expect(page.text).toContain(shown);
    const { code } = rp.toAnswer(await rp.browser.submit(page, { decision: 'continue' }));
    const { access_token: token } = tokensOf(await rp.redeem(code!));
    expect(decodeJwt(token).aud).toEqual([answer.client_id]);
    expect((await rp.introspect(token)).json()['active']).toBe(true);
    expect(
      (await (await world.cast.api1, new RelyingParty(world, await world.cast.api1)).introspect(token)).json(),
    ).toEqual({
      active: false,
    });
    expect((await admin.ask('GET', (await appOf(answer.client_id)).path)).json()).toMatchObject({
      app: { oidcConfig: { origin: 'APP_ORIGIN_REGISTERED', consentPage: true, clientId: answer.client_id } },
    });
  });

  it('needs a token that is known, unspent and not expired, and keeps the reason to itself [REG-002]', async () => {
    const spent = await stage.newToken();
    expect((await stage.register(spent)).status).toBe(201);
    const late = await stage.newToken({ expirationDate: new Date(world.clock.now().getTime() + 60_000).toISOString() });
    world.clock.advance('61s');
    for (const token of [spent, late, 'gti_unknown', 'gta_x']) {
      const reply = await stage.register(token);
      expect([reply.status, reply.json()['error']]).toEqual([401, 'invalid_token']);
      expect(reply.header('www-authenticate')).toContain('error="invalid_token"');
    }
    const without = await stage.register(undefined);
    expect([without.status, without.header('www-authenticate')]).toEqual([401, 'Bearer realm="gatehouse"']);
  });

  it('lets one of twenty have the last use of a token [REG-002]', async () => {
    const token = await stage.newToken({ uses: 2 });
    expect((await stage.register(token)).status).toBe(201);
    const replies = await Promise.all(Array.from({ length: 20 }, () => stage.register(token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(401)]);
  });

  it('gives a use back if the metadata are refused', async () => {
    const token = await stage.newToken();
    expect((await stage.register(token, { redirect_uris: ['http://rp.test/cb'] })).json()).toEqual({
      error: 'invalid_redirect_uri',
      error_description: expect.stringContaining('redirect_uris must use https'),
    });
    expect((await stage.register(token)).status).toBe(201);
  });

  it.each([
    ['no JSON', '{', 400],
    ['a list', '[]', 400],
    ['a member twice', `{"redirect_uris":["${CALLBACK}"],"redirect_uris":["${CALLBACK}"]}`, 400],
    ['a depth of a thousand', `{"redirect_uris":["${CALLBACK}"],"a":${'['.repeat(999)}${']'.repeat(999)}}`, 400],
    ['a megabyte', `{"a":"${'x'.repeat(1_000_000)}"}`, 413],
  ])('refuses a body with %s [REG-009]', async (_, body, status) => {
    expect((await stage.register(await stage.newToken(), body)).status).toBe(status);
  });

  it('is limited to what its token allows, also when it changes itself', async () => {
    const token = await stage.newToken({ redirectHosts: ['rp.test'], deviceCode: true, uses: 2 });
    expect((await stage.register(token, { redirect_uris: ['https://other.test/cb'] })).json()).toMatchObject({
      error: 'invalid_redirect_uri',
    });
    const grants = ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'];
    const answer = (await stage.register(token, { grant_types: grants })).json<
      Registered & { grant_types: string[] }
    >();
    expect(answer.grant_types).toEqual(grants);
    const elsewhere = { client_id: answer.client_id, redirect_uris: ['https://other.test/cb'] };
    expect((await stage.manage('PUT', answer, elsewhere)).json()).toMatchObject({ error: 'invalid_redirect_uri' });
  });

  it('costs two writes beside its event and its announcement', async () => {
    const token = await stage.newToken();
    await world.changesToArrive();
    const writes = (await statementsDuring(async () => stage.register(token))).filter((text) =>
      /INSERT INTO|UPDATE |DELETE /.test(text),
    );
    expect(writes.filter((text) => !text.startsWith('event.append'))).toHaveLength(2);
  });
});

describe('Registration without a token', () => {
  it('is open where the operator says so, within a rate for each network', async () => {
    const open = await startWorld({ replicaOf: world, env: { REGISTRATION: 'open' }, loginLimits: 'on' });
    const answer = (await stage.register(undefined, { token_endpoint_auth_method: 'none' }, open)).json<Registered>();
    expect(answer).not.toHaveProperty('client_secret');
    expect((await admin.ask('GET', (await appOf(answer.client_id)).path)).status).toBe(200);
    expect((await stage.register('gti_wrong', {}, open)).status).toBe(401);
    const replies = await Promise.all(Array.from({ length: 20 }, () => stage.register(undefined, 'x', open)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([400, 429]));
    // What writes nothing does not count.
    expect((await stage.manage('GET', answer, undefined, open)).status).toBe(200);
    expect((await stage.manage('DELETE', answer, undefined, open)).status).toBe(204);
    await open.close();
  });
});

describe('A registration', () => {
  it('is read, changed and removed by its own token (RFC 7592), and its tokens end with it [REG-007]', async () => {
    const answer = await stage.registered();
    expect((await stage.manage('GET', answer)).json()).toEqual(
      Object.fromEntries(Object.entries(answer).filter(([name]) => !name.startsWith('client_secret'))),
    );
    const changed = await stage.manage('PUT', answer, {
      client_id: answer.client_id,
      client_secret: answer.client_secret,
      client_name: 'Renamed',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
    });
    expect(changed.json()).toMatchObject({
      client_name: 'Renamed',
      client_secret: answer.client_secret,
      grant_types: ['authorization_code', 'refresh_token'],
      registration_access_token: answer.registration_access_token,
    });
    const rp = stage.rpOf(answer);
    const { access_token: token } = await tokensFor(rp);
    expect((await rp.userinfo(token)).status).toBe(200);
    expect((await stage.manage('DELETE', answer)).status).toBe(204);
    expect((await rp.userinfo(token)).status).toBe(401);
    const again = { client_id: answer.client_id, redirect_uris: [CALLBACK] };
    for (const [method, body] of [['GET'], ['PUT', again], ['DELETE']] as const)
      expect((await stage.manage(method, answer, body)).status).toBe(401);
  });

  it('is judged as a whole when it is changed [REG-005]', async () => {
    const answer = await stage.registered({
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      redirect_uris: ['com.example.app:/cb'],
    });
    const { client_id: id } = answer;
    const put = async (metadata: object): Promise<Reply> => stage.manage('PUT', answer, { client_id: id, ...metadata });
    // What is left out has its default: a website, with a secret.
    expect((await put({ redirect_uris: ['com.example.app:/cb'] })).json()).toMatchObject({
      error: 'invalid_redirect_uri',
    });
    const confidential = (await put({ redirect_uris: [CALLBACK] })).json<Registered>();
    world.plant(confidential.client_secret);
    expect(confidential).toMatchObject({
      token_endpoint_auth_method: 'client_secret_basic',
      client_secret: expect.any(String),
    });
    expect(
      (
        await stage.rpOf({ ...answer, token_endpoint_auth_method: 'none' }).token({
          grant_type: 'refresh_token',
          refresh_token: 'x',
        })
      ).status,
    ).toBe(401);
    const withKeys = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'private_key_jwt' };
    expect((await put(withKeys)).json()).toMatchObject({ error: 'invalid_client_metadata' });
    // The certificate of another key [MTL-005].
    const swapped = { ...keyWith(CERTIFICATES.selfA, 'a'), x5c: keyWith(CERTIFICATES.selfB, 'b').x5c };
    expect((await put({ ...withKeys, jwks: { keys: [swapped] } })).json()).toMatchObject({
      error: 'invalid_client_metadata',
      error_description: expect.stringContaining('first certificate of x5c'),
    });
    expect((await stage.manage('GET', answer)).json()).toMatchObject({
      token_endpoint_auth_method: 'client_secret_basic',
    });
    await put({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' });
    expect(await world.rows('SELECT secret_hash FROM client WHERE client_id = $1', [id])).toEqual([
      { secret_hash: null },
    ]);
  });

  it.each<[string, (answer: Registered) => object]>([
    ['no client ID', () => ({})],
    ['another client ID', () => ({ client_id: 'other' })],
    ['another secret', ({ client_id: id }) => ({ client_id: id, client_secret: 'wrong' })],
    [
      'the token',
      ({ client_id: id, registration_access_token: token }) => ({ client_id: id, registration_access_token: token }),
    ],
    ['the address', ({ client_id: id }) => ({ client_id: id, registration_client_uri: 'x' })],
  ])('is not changed by a request with %s [REG-005]', async (_, change) => {
    const answer = await stage.registered();
    const reply = await stage.manage('PUT', answer, { redirect_uris: ['https://rp.test/other'], ...change(answer) });
    expect([reply.status, reply.json()['error']]).toEqual([400, 'invalid_client_metadata']);
    expect((await stage.manage('GET', answer)).json()).toMatchObject({ redirect_uris: [CALLBACK] });
  });

  it('is reached by its own token alone, until an administrator renews that [REG-007]', async () => {
    const [one, other] = [await stage.registered(), await stage.registered()];
    const crossed = { client_id: one.client_id, registration_access_token: other.registration_access_token };
    const metadata = { client_id: one.client_id, redirect_uris: [`${CALLBACK}/crossed`] };
    const methods = [['GET'], ['PUT', metadata], ['DELETE']] as const;
    for (const [method, body] of methods) expect((await stage.manage(method, crossed, body)).status).toBe(401);
    expect((await stage.manage('GET', one)).json()).toMatchObject({ redirect_uris: [CALLBACK] });
    const unknown = { ...other, client_id: 'unknown' };
    expect((await stage.manage('GET', unknown)).text).toBe((await stage.manage('GET', crossed)).text);
    const { path } = await appOf(one.client_id);
    const renewed = (await admin.ask('POST', `${path}/registration/_renew`, {})).json<{
      registrationAccessToken: string;
      registrationClientUri: string;
    }>();
    world.plant(renewed.registrationAccessToken);
    expect(renewed.registrationClientUri).toBe(one.registration_client_uri);
    expect((await stage.manage('GET', one)).status).toBe(401);
    const next = { ...one, registration_access_token: renewed.registrationAccessToken };
    expect((await stage.manage('GET', next)).status).toBe(200);
    await admin.ask('POST', `${path}/_deactivate`, {});
    expect((await stage.manage('GET', next)).status).toBe(401);
    const client = await world.add.client({ projectId });
    expect(
      await admin.verdict('POST', `/management/v1/projects/${projectId}/apps/${client.id}/registration/_renew`, {}),
    ).toBe('400 client.not_registered_by_itself');
  });

  it('is that of one of two changes at once, and stays removed [REG-008]', async () => {
    const answer = await stage.registered();
    const put = async (n: number): Promise<Reply> =>
      stage.manage('PUT', answer, {
        client_id: answer.client_id,
        client_name: `N${n}`,
        redirect_uris: [`${CALLBACK}/${n}`],
      });
    const numbers = Array.from({ length: 20 }, (_, n) => n);
    expect((await Promise.all(numbers.map(put))).map(({ status }) => status)).toEqual(Array(20).fill(200));
    const now = (await stage.manage('GET', answer)).json<{ client_name: string; redirect_uris: string[] }>();
    expect(now.redirect_uris).toEqual([`${CALLBACK}/${now.client_name.slice(1)}`]);
    const [removed, ...replies] = await Promise.all([
      stage.manage('DELETE', answer),
      ...[...numbers, ...numbers.slice(10)].map(put),
    ]);
    expect(removed.status).toBe(204);
    expect(replies.map(({ status }) => status).filter((status) => ![200, 401].includes(status))).toEqual([]);
    expect((await stage.manage('GET', answer)).status).toBe(401);
  });
});

describe('Administrators', () => {
  it('list and remove initial access tokens of their projects [REG-012]', async () => {
    const path = `/management/v1/projects/${await world.add.project({ orgId: world.firstStart.orgId })}/registration_tokens`;
    const made = (await admin.ask('POST', path, { uses: 3, redirectHosts: ['rp.test'] })).json<{
      id: string;
      token: string;
    }>();
    world.plant(made.token);
    expect((await admin.ask('GET', path)).json()).toMatchObject({
      result: [{ id: made.id, usesLeft: 3, redirectHosts: ['rp.test'], deviceCode: false }],
    });
    expect((await admin.ask('DELETE', `${path}/${made.id}`)).status).toBe(200);
    expect((await admin.ask('GET', path)).json()).toEqual({ result: [] });
    expect((await stage.register(made.token)).status).toBe(401);
    expect(await admin.verdict('DELETE', `${path}/${made.id}`)).toBe('404 client.registration_token_not_found');
    const inAYear = new Date(world.clock.now().getTime() + 365 * 86_400_000).toISOString();
    for (const bad of [{ expirationDate: inAYear }, { redirectHosts: ['https://rp.test'] }])
      expect((await admin.ask('POST', path, bad)).status).toBe(400);
    const foreign = `/management/v1/projects/${await world.cast.projectQ}/registration_tokens`;
    expect((await admin.ask('POST', foreign, {})).status).toBe(404);
  });

  it('sweep applications that have registered themselves, and no others [REG-012]', async () => {
    const project = await world.add.project({ orgId: world.firstStart.orgId });
    const path = `/management/v1/projects/${project}`;
    const { token } = (await admin.ask('POST', `${path}/registration_tokens`, { uses: 2 })).json<{ token: string }>();
    world.plant(token);
    const [used, unused] = [
      (await stage.register(token)).json<Registered>(),
      (await stage.register(token)).json<Registered>(),
    ];
    const kept = await world.add.client({ projectId: project });
    world.clock.advance('10d');
    await tokensFor(stage.rpOf(used));
    const sweep = async (unusedDays: number): Promise<unknown> =>
      (await admin.ask('POST', `${path}/registered_apps/_sweep`, { unusedDays })).json();
    expect(await sweep(5)).toEqual({ removed: 1, mayBeMore: false });
    expect((await stage.manage('GET', unused)).status).toBe(401);
    expect((await stage.manage('GET', used)).status).toBe(200);
    expect(await sweep(0)).toEqual({ removed: 1, mayBeMore: false });
    expect((await admin.ask('GET', `${path}/apps/${kept.id}`)).status).toBe(200);
  });

  it('need not sweep: what nothing has used for 30 days is removed, as are expired tokens', async () => {
    const answer = await stage.registered();
    await stage.newToken();
    world.clock.advance('31d');
    await world.get(HousekeepingService).run();
    expect((await stage.manage('GET', answer)).status).toBe(401);
    expect(await world.rows('SELECT 1 FROM registration_token')).toEqual([]);
  });
});
