import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Database } from '../../src/extension/facade/database.js';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import { Journal } from '../../src/extension/facade/journal.js';
import { EventDispatcher } from '../../src/foundation/event/event-dispatcher.js';
import { EVENT_LISTENER, type EventListener, type HeardEvent } from '../../src/foundation/event/event-listener.js';
import { defineEvent } from '../../src/foundation/extension/ext-event.js';
import { defineExtension, type ExtensionManifest } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import type { SqlTransaction } from '../../src/foundation/extension/sql.js';
import { createGatehouse } from '../../src/process/start/gatehouse.js';
import { WebhookWorker } from '../../src/webhook/webhook-worker.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { CallReceiver } from '../support/call-receiver.js';
import { startWorld, type World } from '../support/world.js';

const CLI = new URL('../../dist/cli/main.js', import.meta.url).pathname;

const finished = defineEvent({
  type: 'ext.hr.review.finished',
  level: 'org',
  says: 'A review was finished; `aggregateId` is the review.',
  carries: { userId: 'text', grade: 'number' },
});
const moved = defineEvent({ type: 'ext.hr.company.moved', level: 'instance', says: 'The company has moved.' });
/** The receiver of webhooks is on this machine. */
const ALLOWED = { env: { OUTBOUND_ALLOW: '127.0.0.0/8' } };

/** Of no manifest. */
const stray = defineEvent({ type: 'ext.hr.review.lost', level: 'org', says: 'A review was lost.' });

@Injectable()
class Reviews {
  constructor(
    readonly database: Database,
    readonly journal: Journal,
  ) {}

  async finish(id: string, orgId: string, editorId?: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.query('INSERT INTO ext_hr.review (id) VALUES (:id)', { id });
      await this.journal.append(tx, finished, {
        aggregateId: id,
        orgId,
        ...(editorId === undefined ? {} : { editorId }),
        payload: { userId: 'user-7', grade: 2 },
      });
    });
  }
}

@Injectable()
class Bonus implements EventListener {
  readonly name = 'bonus';
  readonly types = [finished.type];
  readonly since = 'beginning';
  static heard: HeardEvent[] = [];
  async handle(events: readonly HeardEvent[]): Promise<void> {
    Bonus.heard.push(...events);
  }
}

@Module({ imports: [GatehouseServices], providers: [Reviews, Bonus], exports: [Reviews] })
class HrModule {}

const manifest: ExtensionManifest = {
  id: 'hr',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HrModule,
  provides: [provide(EVENT_LISTENER, Bonus)],
  events: [finished, moved],
  schemaChanges: [{ name: '1-review', up: 'CREATE TABLE review (id text PRIMARY KEY)' }],
};

let world: World;
let owner: AdminApi;
let ownerId: string;
let org: TestOrg;
let receiver: CallReceiver;

beforeAll(async () => {
  world = await startWorld({ extensions: [defineExtension(manifest)], ...ALLOWED });
  org = await world.cast.orgA;
  const caller = await callerWith(world, org, ['IAM_OWNER', 'ORG_OWNER']);
  owner = caller.api;
  ownerId = caller.service.id;
  receiver = await CallReceiver.open();
});
afterAll(async () => {
  await world.rows('DROP SCHEMA ext_hr CASCADE');
  await receiver.close();
  await world.close();
});

const reviews = () => world.get(Reviews);
const journalOf = async (id: string): Promise<Json[]> =>
  (await owner.call('POST', '/admin/v1/events/_search', { aggregateId: id })).events;
const inTransaction = (work: (tx: SqlTransaction) => Promise<void>) => reviews().database.transaction(work);

describe('An event of an extension', () => {
  it('is in the journal with object, organization, editor and payload, numbered, and in words', async () => {
    await reviews().finish('R-1', org.id, ownerId);
    await inTransaction(async (tx) =>
      reviews().journal.append(tx, finished, { aggregateId: 'R-1', orgId: org.id, payload: { userId: 'u', grade: 1 } }),
    );
    const [second, first] = await journalOf('R-1');
    expect(first).toMatchObject({
      type: {
        type: 'ext.hr.review.finished',
        localized: { localizedMessage: 'Finished a review of the extension hr' },
      },
      aggregate: { id: 'R-1', type: { type: 'ext.hr.review' }, resourceOwner: org.id },
      sequence: '1',
      editor: { userId: ownerId },
      payload: { userId: 'user-7', grade: 2 },
      sentence: expect.stringContaining('Finished the review of the extension hr (grade: 2, userId: user-7)'),
    });
    expect(second).toMatchObject({ sequence: '2', editor: { userId: 'system' } });
    const ofOrg = await owner.call('POST', '/management/v1/events/_search', { eventTypes: [finished.type] });
    expect(ofOrg.events).toHaveLength(2);
  });

  it('about the instance belongs to the instance', async () => {
    await inTransaction(async (tx) => reviews().journal.append(tx, moved, { aggregateId: 'acme', payload: {} }));
    expect(await journalOf('acme')).toMatchObject([
      { aggregate: { resourceOwner: await world.instanceId() }, payload: {} },
    ]);
  });

  it('goes with the transaction: rolled back, it never happened, and its number is free', async () => {
    const undo = new Error('undo');
    await expect(
      inTransaction(async (tx) => {
        await reviews().journal.append(tx, finished, {
          aggregateId: 'R-2',
          orgId: org.id,
          payload: { userId: 'u', grade: 1 },
        });
        throw undo;
      }),
    ).rejects.toBe(undo);
    expect(await journalOf('R-2')).toEqual([]);
    await reviews().finish('R-2', org.id);
    expect(await journalOf('R-2')).toMatchObject([{ sequence: '1' }]);
  });

  it('of one object by two transactions at once gets two numbers', async () => {
    await Promise.all(
      [1, 2].map(async (grade) =>
        inTransaction(async (tx) =>
          reviews().journal.append(tx, finished, {
            aggregateId: 'R-3',
            orgId: org.id,
            payload: { userId: 'u', grade },
          }),
        ),
      ),
    );
    expect((await journalOf('R-3')).map(({ sequence }) => sequence)).toEqual(['2', '1']);
  });

  it('is heard by listeners', async () => {
    await reviews().finish('R-4', org.id, ownerId);
    await world.hear();
    expect(Bonus.heard.filter(({ aggregateId }) => aggregateId === 'R-4')).toMatchObject([
      { type: finished.type, orgId: org.id, editorId: ownerId, payload: { userId: 'user-7', grade: 2 } },
    ]);
  });

  it('is shown by gatehouse events list', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'events', 'list'], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: world.database.url,
        MASTER_KEY: world.config.secrets.masterKey!.reveal(),
        PUBLIC_URL: world.issuer,
      },
    });
    expect(stdout).toMatch(/^hr\/bonus: no failure; 0 left out\n/);
    expect(stdout).toMatch(/\next\.hr\.company\.moved: an event of an extension, last 20\S+Z\n/);
    expect(stdout).toContain('\next.hr.review.finished: ');
  });
});

describe('Nothing is appended', () => {
  const payload = { userId: 'u', grade: 1 };
  const given = () => ({ aggregateId: 'R-9', orgId: org.id, payload });
  it.each<[string, (tx: SqlTransaction) => Promise<void>, RegExp]>([
    [
      'of a type that no manifest lists',
      (tx) => reviews().journal.append(tx, stray, { ...given(), payload: {} }),
      /^The event ext\.hr\.review\.lost was not appended: no loaded extension lists it\./,
    ],
    [
      'of a type that another declaration has',
      (tx) => reviews().journal.append(tx, defineEvent({ ...finished, type: 'ext.hr.review.finished' }), given()),
      /no loaded extension lists it/,
    ],
    [
      'of a type of the product',
      (tx) => reviews().journal.append(tx, { ...stray, type: 'user.removed' }, { ...given(), payload: {} }),
      /^The event user\.removed was not appended/,
    ],
    [
      'with a payload that is not as declared',
      (tx) => reviews().journal.append(tx, finished, { ...given(), payload: { ...payload, name: 'Ilse' } as never }),
      /the payload does not fit: it has the member name, which is not declared\.$/,
    ],
    [
      'without an object',
      (tx) => reviews().journal.append(tx, finished, { ...given(), aggregateId: '' }),
      /aggregateId must/,
    ],
    [
      'without an editor',
      (tx) => reviews().journal.append(tx, finished, { ...given(), editorId: '' }),
      /editorId must/,
    ],
    [
      'for nobody',
      (tx) => reviews().journal.append(tx, finished, { aggregateId: 'R-9', payload }),
      /orgId must be the id/,
    ],
    [
      'for an unknown organization',
      (tx) => reviews().journal.append(tx, finished, { ...given(), orgId: 'nowhere' }),
      /orgId must be the id of an organization\.$/,
    ],
    [
      'about the instance for an organization',
      (tx) => reviews().journal.append(tx, moved, { ...given(), payload: {} }),
      /it is about the instance: leave out orgId/,
    ],
    [
      'in something else than a transaction of Gatehouse',
      () => reviews().journal.append(reviews().database as never, finished, given()),
      /^This is no transaction of Gatehouse\./,
    ],
  ])('%s', async (_, append, why) => {
    await expect(inTransaction(append)).rejects.toThrow(why);
    expect(await journalOf('R-9')).toEqual([]);
  });

  it('in a transaction that has ended', async () => {
    let kept: SqlTransaction | undefined;
    await inTransaction(async (tx) => {
      kept = tx;
    });
    await expect(reviews().journal.append(kept!, finished, given())).rejects.toThrow('This transaction has ended.');
  });
});

describe('A webhook', () => {
  const add = (types: string[], level = 'admin') =>
    owner.ask('POST', `/${level}/v1/webhooks`, { url: receiver.uri('hooks'), types });

  it('is refused for a type that no loaded extension declares, and for one of the instance in an organization', async () => {
    expect((await add(['ext.hr.review.lost'])).text).toContain('one that a loaded extension declares');
    expect((await add([moved.type], 'management')).text).toContain('is about the instance');
  });

  it('is told of it with its payload, also by a process that does not load the extension', async () => {
    expect((await add([finished.type], 'management')).status).toBe(200);
    const plain = await startWorld({ replicaOf: world, extensions: [], ...ALLOWED });
    try {
      await reviews().finish('R-5', org.id, ownerId);
      for (const deadline = Date.now() + 30_000; receiver.callsTo('hooks').length === 0 && Date.now() < deadline; ) {
        await plain.get(EventDispatcher).run();
        await plain.get(WebhookWorker).run();
      }
    } finally {
      await plain.close();
    }
    expect(receiver.callsTo('hooks').map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        type: finished.type,
        data: {
          orgId: org.id,
          aggregateType: 'ext.hr.review',
          aggregateId: 'R-5',
          payload: { userId: 'user-7', grade: 2 },
        },
      },
    ]);
  });
});

describe('Once the extension is no longer loaded', () => {
  it('its events are still in the journal, in words, with their types', async () => {
    await reviews().finish('R-6', org.id);
    const plain = await startWorld({ replicaOf: world, extensions: [] });
    try {
      const { api } = await callerWith(plain, org, ['IAM_OWNER']);
      const { events } = await api.call('POST', '/admin/v1/events/_search', { aggregateId: 'R-6' });
      expect(events).toMatchObject([
        { type: { type: finished.type }, sentence: expect.stringContaining('Finished the review of') },
      ]);
      const { eventTypes } = await api.call('POST', '/admin/v1/events/types/_search', {});
      expect(eventTypes.map(({ type }: Json) => type)).toEqual(expect.arrayContaining([finished.type, moved.type]));
      expect(await api.verdict('POST', '/admin/v1/aggregates/types/_search', {})).toBe('200');
    } finally {
      await plain.close();
    }
  });

  it('they stay when users and organizations are removed, as those of Gatehouse do', async () => {
    const gone = await world.add.org();
    await reviews().finish('R-7', gone.id);
    expect(await owner.verdict('DELETE', `/admin/v1/orgs/${gone.id}`)).toBe('200');
    expect(await journalOf('R-7')).toMatchObject([{ aggregate: { resourceOwner: gone.id } }]);
  });
});

describe('A start', () => {
  it('is refused with all mistakes in event types at once', async () => {
    const wrong = defineEvent({ type: 'ext.crm.lead.won', level: 'org', says: '' });
    const gatehouse = createGatehouse({
      extensions: [defineExtension({ ...manifest, events: [wrong, finished, finished] })],
      env: { DATABASE_URL: world.database.url, LOG_LEVEL: 'silent', PORT: '0', DEMO_PORT: 'off' },
    });
    const message = await gatehouse.then(
      () => 'it starts',
      (error: Error) => error.message,
    );
    expect(message).toContain('"ext.crm.lead.won" cannot be an event type of the extension hr.');
    expect(message).toContain('The event type ext.crm.lead.won of the extension hr needs a sentence');
    expect(message).toContain('declares the event type ext.hr.review.finished several times');
  });

  it('warns of a listener for a type of an extension that is not declared', async () => {
    @Injectable()
    class Misspelt implements EventListener {
      readonly name = 'misspelt';
      readonly types = ['ext.hr.review.finishd'];
      readonly since = 'now';
      async handle(): Promise<void> {}
    }
    @Module({ providers: [Misspelt] })
    class CrmModule {}
    const crm = defineExtension({
      id: 'crm',
      version: '1.0.0',
      gatehouse: '>=0.1.0',
      module: CrmModule,
      provides: [provide(EVENT_LISTENER, Misspelt)],
    });
    const other = await startWorld({ replicaOf: world, extensions: [defineExtension(manifest), crm] });
    expect(other.logText()).toContain(
      'The listener Misspelt of the extension crm names the event type ext.hr.review.finishd, which is not public: ' +
        'it can change at any time, or may never happen. The nearest public type is ext.hr.review.finished',
    );
    expect(other.logText()).not.toContain('The listener Bonus');
    await other.close();
  });
});
