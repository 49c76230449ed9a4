import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { NameResolver } from '../../src/foundation/outbound/name-resolver.js';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { CallReceiver } from '../support/call-receiver.js';
import { mailsTo } from '../support/mails.js';
import { startWorld, type World } from '../support/world.js';
import { ALLOWED, REMOVED, WebhookOwners } from './webhook-owners.js';
import { isSignedWith, type TestWebhook, WebhookStage } from './webhook-stage.js';

let world: World;
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
  stage = new WebhookStage(world, receiver);
  owners = await WebhookOwners.on(stage);
  ({ owner, orgOwner, org } = owners);
});
afterAll(async () => {
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

const stateOf = async (api: AdminApi, { path }: TestWebhook) => (await api.call('GET', path))['webhook'];

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
    const webhook = await owners.ofInstance();
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
    const webhook = await owners.ofInstance();
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
    const webhook = await owners.ofOrg();
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
    const webhook = await owners.ofOrg();
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
    const webhook = await owners.ofOrg();
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
    const webhook = await owners.ofOrg();
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

describe('Webhooks are managed', () => {
  it('by those who may, each owner its own', async () => {
    const [webhook, own] = [await owners.ofInstance(), await owners.ofOrg()];
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
    const webhook = await owners.ofInstance();
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
    const webhook = await owners.ofInstance();
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
    const webhook = await owners.ofInstance();
    await stage.happen(org.id);
    await stage.told(webhook);
    await world.get(HousekeepingService).run();
    expect(await stage.deliveriesOf(webhook)).toHaveLength(1);
    world.clock.advance('25h');
    await world.get(HousekeepingService).run();
    expect(await stage.deliveriesOf(webhook)).toEqual([]);
  });
});
