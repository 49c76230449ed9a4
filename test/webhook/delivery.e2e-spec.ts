import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MOST_REPLAYED, WebhookDeliveries } from '../../src/webhook/webhook-deliveries.js';
import { CALLS_PER_WEBHOOK, WebhookQueue } from '../../src/webhook/webhook-queue.js';
import { WebhookWorker } from '../../src/webhook/webhook-worker.js';
import { Webhooks } from '../../src/webhook/webhooks.js';
import type { AdminApi } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { CallReceiver } from '../support/call-receiver.js';
import { uncommitted } from '../support/uncommitted.js';
import { startWorld, type World } from '../support/world.js';
import { ALLOWED, WebhookOwners } from './webhook-owners.js';
import { isSignedWith, type TestWebhook, WebhookStage } from './webhook-stage.js';

let world: World;
/** Another process on the same database, whose worker calls nobody by itself. */
let replica: World;
let receiver: CallReceiver;
let stage: WebhookStage;
let owners: WebhookOwners;
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
  owners = await WebhookOwners.on(stage);
  ({ owner, orgOwner, org } = owners);
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

describe('A webhook', () => {
  it('is told of what happens, signed by Standard Webhooks, in ids and without names', async () => {
    const webhook = await owners.ofInstance(['user.human.added']);
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
    const webhook = await owners.ofInstance(['user.grant.changed']);
    await stage.happen(org.id, 'user.grant.changed', { roleKeys: ['reader'], note: 'Ilse Brandt' });
    expect((await stage.told(webhook))[0]!.data['payload']).toEqual({ roleKeys: ['reader'] });
  });

  it('of an organization is told of that one alone, one of the instance of all, and each of its types alone', async () => {
    const [all, own, other] = [
      await owners.ofInstance(),
      await owners.ofOrg(),
      await owners.ofOrg(['user.state.locked']),
    ];
    const [mine, theirs] = [await stage.happen(org.id), await stage.happen((await world.cast.orgA).id)];
    expect((await stage.toldOf(all)).sort()).toEqual([mine, theirs].sort());
    expect(await stage.toldOf(own)).toEqual([mine]);
    expect(await stage.toldOf(other)).toEqual([]);
  });

  it('is told of nothing that happened before it was added', async () => {
    await stage.happen(org.id);
    await stage.queue();
    world.clock.advance('1s');
    const webhook = await owners.ofInstance();
    const after = await stage.happen(org.id);
    expect(await stage.toldOf(webhook)).toEqual([after]);
  });

  it('is told of each event once, however many processes look', async () => {
    const webhook = await owners.ofOrg();
    const users = await Promise.all(Array.from({ length: 30 }, () => stage.happen(org.id)));
    await Promise.all([stage.queue(), new WebhookStage(replica, receiver).queue()]);
    expect((await stage.toldOf(webhook)).sort()).toEqual(users.sort());
  });

  it('is called again after 5 seconds, 5 minutes and so on, with the same id and body, until it accepts', async () => {
    const webhook = await owners.ofInstance();
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
    const webhook = await owners.ofInstance();
    receiver.will(webhook.name, (response) => response.writeHead(429, { 'Retry-After': '120' }).end());
    await stage.happen(org.id);
    await stage.told(webhook);
    world.clock.advance('119s');
    expect(await stage.told(webhook)).toHaveLength(1);
    world.clock.advance('1s');
    expect(await stage.told(webhook)).toHaveLength(2);
  });

  it('is given up after ten attempts, listed with the reason, and told by a manager’s retry', async () => {
    const webhook = await owners.ofOrg();
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
    const [lost, other] = [await owners.ofInstance(), await owners.ofInstance()];
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
    const [hanging, other] = [await owners.ofInstance(), await owners.ofInstance()];
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
    const webhook = await owners.ofInstance();
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

describe('A replay', () => {
  const ownedBy = async ({ id }: TestWebhook) => world.get(Webhooks).get({ level: 'org', id: org.id }, id);

  it('takes all events of one moment, and continues after them', async () => {
    const webhook = await ownedBy(await owners.ofOrg());
    const from = world.clock.now();
    await uncommitted(world, async (tx) => {
      await tx.entities.query(
        `INSERT INTO event (aggregate_type, aggregate_id, sequence, type, editor_id, org_id, created_at)
         SELECT 'user', 'one-of-many-' || n, 1, 'user.removed', 'system', $1, $2
         FROM generate_series(1, $3::int) n`,
        [org.id, from, MOST_REPLAYED + 1],
      );
      const deliveries = world.get(WebhookDeliveries);
      const first = await deliveries.replayWithin(tx, webhook, from, 'system');
      const second = await deliveries.replayWithin(tx, webhook, first.next!, 'system');
      expect([first.count, second.count, second.next]).toEqual([MOST_REPLAYED + 1, 0, undefined]);
    });
  });

  it('is refused for a webhook that was switched off or removed since it was read', async () => {
    const webhook = await owners.ofOrg();
    const read = await ownedBy(webhook);
    const replay = async () => world.get(WebhookDeliveries).replay(read, world.clock.now(), 'system');
    await orgOwner.call('POST', `${webhook.path}/_deactivate`, {});
    await expect(replay()).rejects.toMatchObject({ reason: 'webhook.not_active' });
    await orgOwner.call('DELETE', webhook.path);
    await expect(replay()).rejects.toMatchObject({ reason: 'webhook.not_found' });
  });
});
