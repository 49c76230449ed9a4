import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { DeviceRedemption } from '../../src/token/device/device-redemption.js';
import type { TestClient, TestPerson } from '../support/builders.js';
import { type Codes, DEVICE_GRANT, Device, outcomeOf } from '../support/device.js';
import { send } from '../support/http.js';
import { basicAuth, paths, type Tokens, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { deviceClient, familiesOf, television } from './device-client.js';

let world: World;
let replica: World;
let alice: TestPerson;
let tv: TestClient;
let device: Device;

beforeAll(async () => {
  world = await startWorld();
  replica = await startWorld({ replicaOf: world });
  alice = await world.cast.alice;
  tv = await television(world);
});
afterAll(async () => {
  await replica.close();
  await world.close();
});
beforeEach(() => {
  world.clock.advance('1m');
  device = new Device(world, tv);
});

/** Polls are answered at any pace meanwhile: the clock stands still, and each process would let one of them through. */
async function atAnyPace<T>(work: () => Promise<T>): Promise<T> {
  const paced = [world, replica].map((at) => at.get(DeviceRedemption));
  const polls = paced.map((redemption): unknown => Reflect.get(redemption, 'polls'));
  for (const redemption of paced) Reflect.set(redemption, 'polls', { isTooEarly: () => false });
  try {
    return await work();
  } finally {
    for (const [n, redemption] of paced.entries()) Reflect.set(redemption, 'polls', polls[n]);
  }
}

/** All of them have read that the code is approved, and none has redeemed it, until every one waits for its row. */
async function whileRedemptionWaits<T>(times: number, ask: (n: number) => Promise<T>): Promise<T[]> {
  const asked: Array<Promise<T>> = [];
  await world.transaction(async (tx) => {
    await tx.entities.query("SELECT FROM device_authorization WHERE state = 'approved' FOR UPDATE");
    asked.push(...Array.from({ length: times }, async (_, n) => ask(n)));
    for (let waiting = 0; waiting < times; ) {
      const found = await world.rows(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE device_authorization%'`,
      );
      waiting = found.length;
    }
  });
  return Promise.all(asked);
}

describe('The device authorization endpoint (RFC 8628 §3.1, §3.2)', () => {
  it('answers with both codes, where to type one of them, and how often to ask with the other', async () => {
    const reply = await device.ask({ scope: 'openid profile' });
    expect([reply.status, reply.header('cache-control')]).toEqual([200, 'no-store']);
    const codes = reply.json<Codes & Record<string, unknown>>();
    const page = `${world.issuer}/ui/login/device`;
    expect(codes).toEqual({
      device_code: expect.stringMatching(/^gtd_/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${codes.user_code}`,
      expires_in: 600,
      interval: 5,
    });
  });

  it('and the grant are in the metadata (RFC 8628 §4)', async () => {
    expect(await world.discovery()).toMatchObject({
      device_authorization_endpoint: world.issuer + paths.deviceAuthorization,
      grant_types_supported: expect.arrayContaining([DEVICE_GRANT]),
    });
  });

  it('requires the authentication of the client, and so does the token endpoint [DEV-003]', async () => {
    const box = await deviceClient(world);
    const { device_code } = await new Device(world, box).start();
    for (const [path, form] of [
      [paths.deviceAuthorization, { scope: 'openid' }],
      [paths.token, { grant_type: DEVICE_GRANT, device_code }],
    ] as const) {
      for (const [headers, body] of [
        [{}, { ...form, client_id: box.clientId }],
        [basicAuth(box.clientId, 'wrong'), form],
        [{}, form],
      ] as const) {
        const reply = await send(world.origin, { method: 'POST', path, headers, body });
        expect([reply.status, reply.json()['error']]).toEqual([401, 'invalid_client']);
      }
    }
  });

  it('refuses clients that are not registered for the grant, and other methods than POST', async () => {
    const web1 = new Device(world, await world.cast.web1);
    const reply = await web1.ask();
    expect([reply.status, reply.json()['error']]).toEqual([400, 'unauthorized_client']);
    expect((await send(world.origin, { path: paths.deviceAuthorization })).status).toBe(405);
  });

  it('drops scopes that the client may not have, and refuses a request of which none is left [DEV-020]', async () => {
    const plain = new Device(world, await deviceClient(world, { grantTypes: ['device_code'] }));
    const codes = await plain.start({ scope: 'openid offline_access something:else' });
    await plain.approve(codes, alice);
    const tokens = tokensOf(await plain.poll(codes));
    expect([tokens.scope, tokens.refresh_token]).toEqual(['openid', undefined]);
    expect((await plain.ask({ scope: 'something:else' })).json()['error']).toBe('invalid_scope');
    expect((await plain.ask({ scope: 'urn:service:iam:org:id:0' })).json()['error']).toBe('invalid_scope');
  });

  it('takes no more than 1,000 open codes of one application from one network, until they have expired [DEV-016]', async () => {
    const flooded = new Device(world, await deviceClient(world, { authMethod: 'none' }));
    await world.rows(
      `INSERT INTO device_authorization (id, user_code_hash, client_id, scopes, network, created_at, expires_at)
       SELECT 'flood-' || network || n, decode(md5(network || n), 'hex'), $1, '{}', network, $2,
         $2::timestamptz + interval '10 minutes'
       FROM generate_series(1, 1000) n, unnest($3::text[]) network`,
      [flooded.client.client.clientId, world.clock.now(), Array.from({ length: 34 }, (_, n) => `192.0.${n}.0`)],
    );
    expect((await flooded.ask()).status).toBe(200); // What other networks ask for is no lever.
    await world.rows(`UPDATE device_authorization SET network = '127.0.0.1' WHERE network = '192.0.0.0'`);
    const reply = await flooded.ask();
    expect([reply.status, reply.header('retry-after')]).toEqual([429, '60']);
    expect((await device.ask()).status).toBe(200);
    world.clock.advance('601s');
    await world.get(HousekeepingService).run();
    expect(await world.rows("SELECT id FROM device_authorization WHERE id LIKE 'flood-%'")).toEqual([]);
    expect((await flooded.ask()).status).toBe(200);
  });
});

describe('A device whose user agrees', () => {
  it.each([
    ['public', { authMethod: 'none', clientType: 'native' }],
    ['confidential', {}],
    ['confidential with a key', { authMethod: 'private_key_jwt' }],
  ] as const)('gets tokens of the user who confirmed: a %s client [DEV-001]', async (_, settings) => {
    const client = await deviceClient(world, settings);
    const own = new Device(world, client);
    const codes = await own.start({ scope: 'openid email offline_access' });
    expect(outcomeOf(await own.poll(codes))).toBe('authorization_pending');
    const done = await own.approve(codes, alice);
    expect([done.status, done.heading]).toEqual([200, 'The device is signed in']);
    const tokens = tokensOf(await own.pollLater(codes));
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid email offline_access' });
    expect(await own.client.verify(tokens.id_token)).toMatchObject({
      sub: alice.id,
      aud: client.clientId,
      amr: ['pwd'],
      sid: expect.any(String),
    });
    expect((await own.client.userinfo(tokens.access_token)).json()).toMatchObject({
      sub: alice.id,
      email: alice.email,
    });
    const refreshed = tokensOf(await own.client.refresh(tokens.refresh_token));
    expect((await own.client.userinfo(refreshed.access_token)).json()['sub']).toBe(alice.id);
  });

  it('gets an id_token only with openid, and a nonce never', async () => {
    const codes = await device.start({ scope: 'profile' });
    await device.approve(codes, alice);
    expect(tokensOf(await device.poll(codes)).id_token).toBeUndefined();
    const others = await device.start({ scope: 'openid', nonce: 'n' });
    await device.approve(others, alice);
    expect(await device.client.verify(tokensOf(await device.poll(others)).id_token)).not.toHaveProperty('nonce');
  });

  it.each(['openid', 'openid offline_access'])(
    'gets them once, though 20 questions in two processes find it approved before one is answered: %s [DEV-004]',
    async (scope) => {
      const codes = await device.start({ scope });
      await device.approve(codes, alice);
      const before = await familiesOf(world, tv);
      const replies = await atAnyPace(async () =>
        whileRedemptionWaits(20, (n) => device.poll(codes, n % 2 === 0 ? world : replica)),
      );
      expect(replies.map(outcomeOf).sort()).toEqual([...Array<string>(19).fill('invalid_grant'), 'ok']);
      expect(await familiesOf(world, tv)).toBe(before + (scope === 'openid' ? 0 : 1));
      const { access_token: token } = replies
        .find(({ status }) => status === 200)!
        .json<Tokens & Record<string, unknown>>();
      expect((await device.client.userinfo(token)).status).toBe(200); // the others have ended nothing
      expect(outcomeOf(await device.pollLater(codes))).toBe('invalid_grant');
    },
  );
});

describe('What is kept of a device', () => {
  it('is neither of its codes: not in the database, not in the journal, not in the log [DEV-015]', async () => {
    const codes = await device.start({ scope: 'openid' });
    await device.approve(codes, alice);
    await device.poll(codes);
    const plain = codes.user_code.replace('-', '');
    const tables = await world.rows<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    for (const { name } of tables) {
      const rows = await world.rows<{ text: string }>(`SELECT t::text AS text FROM "${name}" t`);
      const all = rows.map(({ text }) => text).join('\n');
      for (const secret of [codes.device_code, codes.user_code, plain])
        expect([name, all.includes(secret)]).toEqual([name, false]);
    }
    expect(world.logText()).not.toContain(codes.user_code);
  });

  it('is in the journal: who agreed or declined, for which application, and where it was asked for', async () => {
    const agreed = await device.start();
    await device.approve(agreed, alice);
    const declined = await device.start();
    await device.decide(await device.toConfirmation(declined, alice), 'cancel');
    const events = await world.rows(
      "SELECT type, editor_id, org_id, payload FROM event WHERE aggregate_type = 'device_authorization' ORDER BY created_at DESC, type LIMIT 2",
    );
    const by = (type: string) => ({
      type,
      editor_id: alice.id,
      org_id: alice.orgId,
      payload: { userId: alice.id, clientId: tv.clientId, network: '127.0.0.1' },
    });
    expect(events).toEqual([by('device_authorization.approved'), by('device_authorization.denied')]);
  });

  it('ends with the session in which the user agreed', async () => {
    const codes = await device.start();
    await device.approve(codes, alice);
    const { access_token: token } = tokensOf(await device.poll(codes));
    await world.rows(
      `UPDATE session SET ended_at = now()
       WHERE id = (SELECT session_id FROM device_authorization WHERE redeemed_at = $1)`,
      [world.clock.now()],
    );
    expect((await device.client.userinfo(token)).status).toBe(401);
  });
});
