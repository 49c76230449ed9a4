import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NameResolver } from '../../src/foundation/outbound/name-resolver.js';
import { HousekeepingService } from '../../src/housekeeping/housekeeping.service.js';
import { MOST_REPLAYED, WebhookDeliveries } from '../../src/webhook/webhook-deliveries.js';
import { CALLS_PER_WEBHOOK, WebhookQueue } from '../../src/webhook/webhook-queue.js';
import { WebhookWorker } from '../../src/webhook/webhook-worker.js';
import { Webhooks } from '../../src/webhook/webhooks.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { CallReceiver } from '../support/call-receiver.js';
import { mailsTo } from '../support/mails.js';
import { uncommitted } from '../support/uncommitted.js';
import { startWorld, type World } from '../support/world.js';
import { isSignedWith, type TestWebhook, WebhookStage } from './webhook-stage.js';

const REMOVED = ['user.removed'];
const ALLOWED = { env: { OUTBOUND_ALLOW: '127.0.0.0/8' } };

let world: World;
/** Another process on the same database, whose worker calls nobody by itself. */
let replica: World;
let receiver: CallReceiver;
let stage: WebhookStage;
/** Of the instance, and of one organization. */
let owner: AdminApi;
let orgOwner: AdminApi;
let org: TestOrg;

beforeAll(async () => {
  receiver = await CallReceiver.open();
  world = await startWorld(ALLOWED);
  replica = await startWorld({ replicaOf: world, ...ALLOWED });
  await replica.get(WebhookWorker).onModuleDestroy();
  stage = new WebhookStage(world, receiver);
  org = await world.cast.orgB;
  owner = (await callerWith(world, await world.cast.orgA, ['IAM_OWNER'])).api;
  orgOwner = (await callerWith(world, org, ['ORG_OWNER'])).api;
});
afterAll(async () => {
  await replica.close();
  await world.close();
  await receiver.close();
});
beforeEach(() => {
  world.clock.advance('1m');
});
// Each event would be told to the webhooks of every test before.
afterEach(async () => {
  await world.rows('DELETE FROM webhook');
});

const ofInstance = (types: readonly string[] = REMOVED) => stage.webhook(owner, types, 'admin');
const ofOrg = (types: readonly string[] = REMOVED) => stage.webhook(orgOwner, types, 'management');
const stateOf = async (api: AdminApi, { path }: TestWebhook) => (await api.call('GET', path))['webhook'];

describe('A webhook', () => {
  it('is told of what happens, signed by Standard Webhooks, in ids and without names', async () => {
    const webhook = await ofInstance(['user.human.added']);
    const user = await stage.happen(org.id, 'user.human.added', { userName: 'ilse' });
    const [told, ...others] = await stage.told(webhook);
    expect(others).toEqual([]);
    expect(told).toMatchObject({ type: 'user.human.added', seconds: world.now() });
    expect(told!.timestamp).toBe(world.clock.now().toISOString());
    expect(told!.data).toEqual({
      id: told!.id,
      orgId: org.id,
      aggregateType: 'user',
      aggregateId: user,
      sequence: 1,
      editorId: 'system',
      payload: {},
    });
    expect(told!.id).toMatch(/^evt_\d+$/);
    expect([isSignedWith(webhook.secret, told!), told!.signatures.length]).toEqual([true, 1]);
  });

  it('carries what the catalogue allows of the payload', async () => {
    const webhook = await ofInstance(['user.grant.changed']);
    await stage.happen(org.id, 'user.grant.changed', { roleKeys: ['reader'], note: 'Ilse Brandt' });
    expect((await stage.told(webhook))[0]!.data['payload']).toEqual({ roleKeys: ['reader'] });
  });

  it('of an organization is told of that one alone, one of the instance of all, and each of its types alone', async () => {
    const [all, own, other] = [await ofInstance(), await ofOrg(), await ofOrg(['user.state.locked'])];
    const [mine, theirs] = [await stage.happen(org.id), await stage.happen((await world.cast.orgA).id)];
    expect((await stage.toldOf(all)).sort()).toEqual([mine, theirs].sort());
    expect(await stage.toldOf(own)).toEqual([mine]);
    expect(await stage.toldOf(other)).toEqual([]);
  });

  it('is told of nothing that happened before it was added', async () => {
    await stage.happen(org.id);
    await stage.queue();
    world.clock.advance('1s');
    const webhook = await ofInstance();
    const after = await stage.happen(org.id);
    expect(await stage.toldOf(webhook)).toEqual([after]);
  });

  it('is told of each event once, however many processes look', async () => {
    const webhook = await ofOrg();
    const users = await Promise.all(Array.from({ length: 30 }, () => stage.happen(org.id)));
    await Promise.all([stage.queue(), new WebhookStage(replica, receiver).queue()]);
    expect((await stage.toldOf(webhook)).sort()).toEqual(users.sort());
  });

  it('is called again after 5 seconds, 5 minutes and so on, with the same id and body, until it accepts', async () => {
    const webhook = await ofInstance();
    receiver.will(webhook.name, 500, 'close', 302);
    await stage.happen(org.id);
    const counts: number[] = [];
    for (const pause of ['4s', '2s', '299s', '61s', '1799s', '361s'] as const) {
      counts.push((await stage.told(webhook)).length);
      world.clock.advance(pause);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3]);
    const told = await stage.told(webhook);
    expect(await stage.deliveriesOf(webhook)).toEqual([{ state: 'delivered', tries: 4, reason: '' }]);
    expect(new Set(told.map(({ id }) => id)).size).toBe(1);
    expect(new Set(told.map(({ seconds }) => seconds)).size).toBe(4);
    expect(told.every((one) => isSignedWith(webhook.secret, one))).toBe(true);
    expect(receiver.callsTo('elsewhere')).toEqual([]);
  });

  it('decides with 429 and 503 when it is called next', async () => {
    const webhook = await ofInstance();
    receiver.will(webhook.name, (response) => response.writeHead(429, { 'Retry-After': '120' }).end());
    await stage.happen(org.id);
    await stage.told(webhook);
    world.clock.advance('119s');
    expect(await stage.told(webhook)).toHaveLength(1);
    world.clock.advance('1s');
    expect(await stage.told(webhook)).toHaveLength(2);
  });

  it('is given up after ten attempts, listed with the reason, and told by a manager’s retry', async () => {
    const webhook = await ofOrg();
    receiver.will(webhook.name, ...Array<number>(10).fill(500));
    const user = await stage.happen(org.id);
    await stage.queue();
    const reason = 'The receiver responded with status 500.';
    for (const pause of ['6s', '6m', '36m', '3h', '6h', '12h', '17h', '24h', '29h', '1h'] as const) {
      await stage.deliver();
      world.clock.advance(pause);
    }
    expect(await stage.deliveriesOf(webhook)).toEqual([{ state: 'dead', tries: 10, reason }]);
    const search = { state: 'WEBHOOK_DELIVERY_STATE_DEAD' };
    const { result } = await orgOwner.call('POST', `${webhook.path}/deliveries/_search`, search);
    expect(result).toMatchObject([{ tries: 10, reason, eventType: 'user.removed', settledDate: expect.any(String) }]);
    await orgOwner.call('POST', `${webhook.path}/deliveries/${result[0].id}/_retry`, {});
    expect((await stage.toldOf(webhook)).at(-1)).toBe(user);
    expect(await stage.deliveriesOf(webhook)).toMatchObject([{ state: 'delivered', tries: 1 }]);
    for (const id of ['0', 'x', '9999999999999999999'])
      expect(await orgOwner.verdict('POST', `${webhook.path}/deliveries/${id}/_retry`, {})).toBe(
        '404 webhook.delivery_not_found',
      );
  });

  it('is given up at once, with the reason, while its secret cannot be read, and is made after the secret was rotated', async () => {
    const [lost, other] = [await ofInstance(), await ofInstance()];
    // As after the loss of a master key: nothing opens what was sealed under it.
    await world.rows(`UPDATE webhook SET secret = 'v1.lost.' || split_part(secret, '.', 3) WHERE id = $1`, [lost.id]);
    const user = await stage.happen(org.id);
    expect([await stage.toldOf(other), await stage.toldOf(lost)]).toEqual([[user], []]);
    const reason =
      'The secret of the webhook cannot be read because the master key has changed. Generate a new secret, then retry.';
    expect(await stage.deliveriesOf(lost)).toEqual([{ state: 'dead', tries: 1, reason }]);
    world.clock.advance('1h');
    await stage.deliver();
    expect(await stage.deliveriesOf(lost)).toMatchObject([{ state: 'dead', tries: 1 }]);
    expect(await owner.call('POST', `${lost.path}/_test`, {})).toMatchObject({ detail: reason });
    const { secret } = await owner.call('POST', `${lost.path}/secret`, {});
    world.plant(secret);
    const { result } = await owner.call('POST', `${lost.path}/deliveries/_search`, {});
    await owner.call('POST', `${lost.path}/deliveries/${result[0].id}/_retry`, {});
    const [told] = await stage.told(lost);
    // The former secret would sign as well for a day, and cannot.
    expect([told?.data['aggregateId'], told?.signatures.length, isSignedWith(secret, told!)]).toEqual([user, 1, true]);
  });

  it('that hangs delays no other, and has few calls under way', async () => {
    const [hanging, other] = [await ofInstance(), await ofInstance()];
    const held: ServerResponse[] = [];
    receiver.will(
      hanging.name,
      ...Array<(response: ServerResponse) => void>(CALLS_PER_WEBHOOK).fill((response) => void held.push(response)),
    );
    await Promise.all(Array.from({ length: 12 }, () => stage.happen(org.id)));
    await stage.queue();
    await receiver.untilCalled(hanging.name, CALLS_PER_WEBHOOK);
    await receiver.untilCalled(other.name, 12);
    expect(held).toHaveLength(CALLS_PER_WEBHOOK);
    for (const response of held) response.end();
    expect(await stage.told(hanging)).toHaveLength(12);
  });

  it('takes turns with those of other organizations, however many of one organization wait', async () => {
    await uncommitted(world, async (tx, within) => {
      const now = world.clock.now();
      const add = async (ownerId: string, name: string, count: number, since: Date) => {
        await tx.entities.query(
          `INSERT INTO webhook (id, owner_id, level, url, types, secret, since)
           SELECT $1 || n, $2, 'org', 'https://hooks.acme.example/', '{user.removed}', '', $4
           FROM generate_series(1, $3::int) n`,
          [name, ownerId, count, since],
        );
        await tx.entities.query(
          `INSERT INTO webhook_delivery (webhook_id, position, created_at, due_at)
           SELECT $1 || n, position, $3, $3
           FROM generate_series(1, $2::int) n, generate_series(1, 10) position`,
          [name, count, since],
        );
      };
      await add('org-that-hangs', 'hanging-', 20, new Date(now.getTime() - 60_000));
      await add('another-org', 'other-', 1, now);
      const queue = new WebhookQueue(within, world.clock);
      const first = (await queue.claim(20, [])).map(({ webhookId }) => webhookId);
      expect(first.filter((id) => id === 'other-1')).toHaveLength(CALLS_PER_WEBHOOK);
      // Every place but one is taken by calls that do not end.
      const hanging = Array.from({ length: 19 }, (_, index) => `hanging-${Math.floor(index / CALLS_PER_WEBHOOK) + 1}`);
      expect((await queue.claim(1, hanging)).map(({ webhookId }) => webhookId)).toEqual(['other-1']);
    });
  });

  it('is called again if the process ends during the call', async () => {
    const webhook = await ofInstance();
    // As a process that is killed after the call: it has claimed the delivery, and never says what became of it.
    await world.rows(
      `INSERT INTO webhook_delivery (webhook_id, position, created_at, due_at)
       SELECT $1, max(position), $2, $2 FROM event`,
      [webhook.id, world.clock.now()],
    );
    const claimed = await replica.get(WebhookQueue).claim(10, []);
    await stage.deliver();
    expect([claimed.length, receiver.callsTo(webhook.name).length]).toEqual([1, 0]);
    world.clock.advance('60s');
    await stage.deliver();
    expect(receiver.callsTo(webhook.name)).toHaveLength(1);
    expect(await stage.deliveriesOf(webhook)).toMatchObject([{ state: 'delivered', tries: 2 }]);
  });
});

describe('The address of a webhook', () => {
  it.each([
    ['https://10.0.0.1/hook', '400 outbound.address_refused'],
    ['https://169.254.169.254/latest', '400 outbound.address_refused'],
    ['https://[::ffff:10.0.0.1]/hook', '400 outbound.address_refused'],
    ['http://hooks.acme.example/hook', '400 url'],
    ['https://user:secret@hooks.acme.example/', '400 url'],
    ['ftp://hooks.acme.example/', '400 url'],
  ])('%s is refused', async (url, verdict) => {
    expect(await owner.verdict('POST', '/admin/v1/webhooks', { url, types: REMOVED })).toBe(verdict);
  });

  it('is never a private one, whatever its name resolves to when it is called', async () => {
    const resolver = world.get(NameResolver);
    const real = resolver.addressesOf.bind(resolver);
    const names: string[] = [];
    resolver.addressesOf = async (name) => {
      names.push(name);
      return [{ address: '10.0.0.7', family: 4 }];
    };
    try {
      const request = { url: 'https://rebound.acme.example/hook', types: REMOVED };
      const { id } = await owner.call('POST', '/admin/v1/webhooks', request);
      const { ok, status, detail } = await owner.call('POST', `/admin/v1/webhooks/${id}/_test`, {});
      expect([ok, status, detail]).toEqual([false, 0, expect.stringContaining('not on the public internet')]);
      expect(detail).not.toContain('10.0.0.7');
      await owner.call('DELETE', `/admin/v1/webhooks/${id}`);
    } finally {
      resolver.addressesOf = real;
    }
    expect(names).toContain('rebound.acme.example');
  });
});

describe('The secret of a webhook', () => {
  it('is shown once, and stored sealed', async () => {
    const webhook = await ofInstance();
    const shown = JSON.stringify([
      await owner.call('GET', webhook.path),
      await owner.call('POST', '/admin/v1/webhooks/_search', {}),
    ]);
    expect(shown).not.toContain('whsec_');
    const [row] = await world.rows<{ secret: string }>('SELECT secret FROM webhook WHERE id = $1', [webhook.id]);
    expect(row!.secret).toMatch(/^v1\./);
    const events = await world.rows('SELECT payload FROM event WHERE aggregate_id = $1', [webhook.id]);
    expect(JSON.stringify(events)).not.toContain('whsec_');
  });

  it('is followed by another one, and both sign for a day', async () => {
    const webhook = await ofInstance();
    const { secret } = await owner.call<{ secret: string }>('POST', `${webhook.path}/secret`, {});
    world.plant(secret);
    await stage.happen(org.id);
    const [first] = await stage.told(webhook);
    expect([isSignedWith(secret, first!), isSignedWith(webhook.secret, first!)]).toEqual([true, true]);
    world.clock.advance('25h');
    await stage.happen(org.id);
    const second = (await stage.told(webhook)).at(-1)!;
    expect([isSignedWith(secret, second), isSignedWith(webhook.secret, second)]).toEqual([true, false]);
    expect((await stateOf(owner, webhook)).formerSecretExpiration).toBeUndefined();
  });
});

describe('A webhook is switched off', () => {
  it('by a response with 410, and the owners of the organization are told by mail', async () => {
    const person = await world.add.person({ orgId: org.id });
    await world.add.member(person.id, ['ORG_OWNER'], { level: 'org', objectId: org.id, orgId: org.id });
    const webhook = await ofOrg();
    receiver.will(webhook.name, 410);
    await stage.happen(org.id);
    await stage.told(webhook);
    expect(await stateOf(orgOwner, webhook)).toMatchObject({ state: 'WEBHOOK_STATE_INACTIVE', inactiveReason: 'gone' });
    expect((await mailsTo(world, person.email)).map(({ subject }) => subject)).toEqual(['A webhook was switched off']);
    const events = await world.rows<{ type: string }>(
      `SELECT type FROM event WHERE aggregate_id = $1 ORDER BY position`,
      [webhook.id],
    );
    expect(events.map(({ type }) => type)).toEqual(['webhook.added', 'webhook.deactivated']);
  });

  it('after five days of nothing but failures', async () => {
    const webhook = await ofOrg();
    receiver.will(webhook.name, 500, 500, 500);
    await stage.happen(org.id);
    await stage.told(webhook);
    world.clock.advance('4d');
    await stage.told(webhook);
    expect(await stateOf(orgOwner, webhook)).toMatchObject({ state: 'WEBHOOK_STATE_ACTIVE' });
    world.clock.advance('25h');
    await stage.told(webhook);
    expect(await stateOf(orgOwner, webhook)).toMatchObject({ inactiveReason: 'failing' });
    expect(await stage.deliveriesOf(webhook)).toMatchObject([{ state: 'dead' }]);
  });

  it('but not while something is delivered in between', async () => {
    const webhook = await ofOrg();
    receiver.will(webhook.name, 500, 200, 500, 200);
    await stage.happen(org.id);
    await stage.told(webhook);
    world.clock.advance('3d');
    await stage.told(webhook);
    world.clock.advance('3d');
    await stage.happen(org.id);
    await stage.told(webhook);
    expect(await stateOf(orgOwner, webhook)).toMatchObject({ state: 'WEBHOOK_STATE_ACTIVE' });
  });

  it('by a manager; switched on again it is told of what happens then, and of the rest by a replay', async () => {
    const webhook = await ofOrg();
    const before = await stage.happen(org.id);
    expect(await stage.toldOf(webhook)).toEqual([before]);
    await orgOwner.call('POST', `${webhook.path}/_deactivate`, {});
    expect(await orgOwner.verdict('POST', `${webhook.path}/_deactivate`, {})).toBe('400 webhook.not_active');
    expect(await orgOwner.verdict('POST', `${webhook.path}/_replay`, {})).toBe('400 webhook.not_active');
    const meanwhile = await stage.happen(org.id);
    world.clock.advance('1s');
    await orgOwner.call('POST', `${webhook.path}/_reactivate`, {});
    expect(await orgOwner.verdict('POST', `${webhook.path}/_reactivate`, {})).toBe('400 webhook.not_inactive');
    const after = await stage.happen(org.id);
    expect(await stage.toldOf(webhook)).toEqual([before, after]);
    const { events, next } = await orgOwner.call('POST', `${webhook.path}/_replay`, {});
    expect([events, next]).toEqual([3, undefined]);
    const told = await stage.told(webhook);
    expect(
      told
        .map(({ data }) => data['aggregateId'])
        .slice(2)
        .sort(),
    ).toEqual([before, meanwhile, after].sort());
    expect(new Set(told.map(({ id }) => id)).size).toBe(3); // those that were told twice have the id of the first time
  });
});

describe('A replay', () => {
  const ownedBy = async ({ id }: TestWebhook) => world.get(Webhooks).get({ level: 'org', id: org.id }, id);

  it('takes all events of one moment, and continues after them', async () => {
    const webhook = await ownedBy(await ofOrg());
    const from = world.clock.now();
    await uncommitted(world, async (tx) => {
      await tx.entities.query(
        `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, editor_id, org_id, created_at)
         SELECT 'user', 'one-of-many-' || n, 1, 'user.removed', 'system', $1, $2
         FROM generate_series(1, $3::int) n`,
        [org.id, from, MOST_REPLAYED + 1],
      );
      const deliveries = world.get(WebhookDeliveries);
      const first = await deliveries.replay(tx, webhook, from, 'system');
      const second = await deliveries.replay(tx, webhook, first.next!, 'system');
      expect([first.count, second.count, second.next]).toEqual([MOST_REPLAYED + 1, 0, undefined]);
    });
  });

  it('is refused for a webhook that was switched off or removed since it was read', async () => {
    const webhook = await ofOrg();
    const read = await ownedBy(webhook);
    const replay = async () =>
      world.transaction((tx) => world.get(WebhookDeliveries).replay(tx, read, world.clock.now(), 'system'));
    await orgOwner.call('POST', `${webhook.path}/_deactivate`, {});
    await expect(replay()).rejects.toMatchObject({ reason: 'webhook.not_active' });
    await orgOwner.call('DELETE', webhook.path);
    await expect(replay()).rejects.toMatchObject({ reason: 'webhook.not_found' });
  });
});

describe('Webhooks are managed', () => {
  it('by those who may, each owner its own', async () => {
    const [webhook, own] = [await ofInstance(), await ofOrg()];
    const viewer = (await callerWith(world, org, ['ORG_OWNER_VIEWER'])).api;
    expect(await viewer.verdict('GET', own.path)).toBe('200');
    expect(await viewer.verdict('DELETE', own.path)).toMatch(/^403/);
    expect(await orgOwner.verdict('GET', webhook.path)).toMatch(/^403/);
    expect(await orgOwner.verdict('GET', `/management/v1/webhooks/${webhook.id}`)).toBe('404 webhook.not_found');
    const strangers = (await callerWith(world, await world.cast.orgA, ['ORG_OWNER'])).api;
    expect(await strangers.verdict('DELETE', own.path)).toBe('404 webhook.not_found');
    expect(await owner.about(org.id).verdict('GET', own.path)).toBe('200');
  });

  it('with a clear answer to what is wrong', async () => {
    const url = receiver.uri('x');
    const add = (api: AdminApi, path: string, body: object) => api.verdict('POST', path, { url, ...body });
    expect(await add(owner, '/admin/v1/webhooks', { types: [] })).toBe('400 types');
    expect(await add(owner, '/admin/v1/webhooks', { types: ['user.*'] })).toBe('400 types');
    expect(await add(orgOwner, '/management/v1/webhooks', { types: ['key.added'] })).toBe('400 types[0]');
    const webhook = await ofInstance();
    const same = { url: receiver.uri(webhook.name), types: REMOVED };
    expect(await owner.verdict('PUT', webhook.path, same)).toBe('400 webhook.unchanged');
    expect(await owner.verdict('PUT', webhook.path, { ...same, types: ['user.state.locked'] })).toBe('200');
    expect((await stateOf(owner, webhook)).types).toEqual(['user.state.locked']);
  });

  it('in a number that each event can be compared with', async () => {
    const crowded = await world.add.org();
    const api = (await callerWith(world, crowded, ['ORG_OWNER'])).api;
    for (let count = 0; count < 20; count += 1) await stage.webhook(api, REMOVED, 'management');
    const verdict = await api.verdict('POST', '/management/v1/webhooks', { url: receiver.uri('x'), types: REMOVED });
    expect(verdict).toBe('400 webhook.too_many');
  });

  it('and tested: the call is signed, and nothing is stored', async () => {
    const webhook = await ofInstance();
    expect(await owner.call('POST', `${webhook.path}/_test`, {})).toMatchObject({ ok: true, status: 200 });
    receiver.will(webhook.name, 500);
    expect(await owner.call('POST', `${webhook.path}/_test`, {})).toMatchObject({ ok: false, status: 500 });
    const [told] = await stage.told(webhook);
    expect([told!.type, isSignedWith(webhook.secret, told!)]).toEqual(['webhook.test', true]);
    expect(await stage.deliveriesOf(webhook)).toEqual([]);
  });

  it('and removed with their organization', async () => {
    const doomed = await world.add.org();
    const caller = await callerWith(world, doomed, ['ORG_OWNER']);
    const webhook = await stage.webhook(caller.api, REMOVED, 'management');
    expect(await owner.verdict('DELETE', `/admin/v1/orgs/${doomed.id}`)).toBe('200');
    expect(await world.rows('SELECT 1 FROM webhook WHERE id = $1', [webhook.id])).toEqual([]);
    const events = await world.rows(`SELECT 1 FROM event WHERE aggregate_id = $1 AND type = 'webhook.removed'`, [
      webhook.id,
    ]);
    expect(events).toHaveLength(1);
  });

  it('and what was delivered is forgotten after a day', async () => {
    const webhook = await ofInstance();
    await stage.happen(org.id);
    await stage.told(webhook);
    await world.get(HousekeepingService).run();
    expect(await stage.deliveriesOf(webhook)).toHaveLength(1);
    world.clock.advance('25h');
    await world.get(HousekeepingService).run();
    expect(await stage.deliveriesOf(webhook)).toEqual([]);
  });
});
