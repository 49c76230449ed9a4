import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventDispatcher } from '../../src/foundation/event/event-dispatcher.js';
import { Journal } from '../../src/foundation/event/journal.js';
import { WebhookWorker } from '../../src/webhook/webhook-worker.js';
import type { AdminApi } from '../support/admin-api.js';
import { uniqueName } from '../support/builders.js';
import type { CallReceiver } from '../support/call-receiver.js';
import type { World } from '../support/world.js';

/**
 * Against what never comes. A transaction of another test file, in any database of the server, holds the feed back for
 * as long.
 */
const FEED_LIMIT_MS = 45_000;

/** A webhook, under the name by which the receiver knows it. */
export interface TestWebhook {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly secret: string;
}

/** What a receiver was told. */
export interface Told {
  readonly id: string;
  readonly seconds: number;
  readonly signatures: readonly string[];
  readonly content: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Webhooks, what happens, and who is told. */
export class WebhookStage {
  constructor(
    readonly world: World,
    readonly receiver: CallReceiver,
  ) {}

  async webhook(api: AdminApi, types: readonly string[], level: 'admin' | 'management'): Promise<TestWebhook> {
    const name = uniqueName('hook');
    const path = `/${level}/v1/webhooks`;
    const { id, secret } = await api.call('POST', path, { url: this.receiver.uri(name), types });
    this.world.plant(secret);
    return { id, name, secret, path: `${path}/${id}` };
  }

  /** Something happens in an organization. Resolves with the id of what it happens to. */
  async happen(orgId: string, type = 'user.removed', payload: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const aggregateId = uniqueName('user');
    const event = { aggregateType: 'user', aggregateId, type, orgId, editorId: 'system', payload };
    await this.world.transaction((tx) => this.world.get(Journal).append(tx, event));
    return aggregateId;
  }

  /** Whatever has happened so far is queued for those who must be told. */
  async queue(): Promise<void> {
    const [{ last } = { last: '0' }] = await this.world.rows<{ last: string }>(
      'SELECT max(position) AS last FROM event',
    );
    for (const deadline = Date.now() + FEED_LIMIT_MS; !(await this.isHeard(last)); await sleep(20)) {
      if (Date.now() > deadline) throw new Error(`The feed did not get to the event ${last}.`);
      await this.world.get(EventDispatcher).run();
    }
  }

  /** Everything that is due is delivered. */
  async deliver(): Promise<void> {
    await this.world.get(WebhookWorker).run();
  }

  /** What a webhook was told, once everything that is due is delivered. */
  async told({ name }: TestWebhook): Promise<Told[]> {
    await this.queue();
    await this.deliver();
    return this.receiver.callsTo(name).map(({ headers, body }) => {
      const { type, timestamp, data } = JSON.parse(body) as Pick<Told, 'type' | 'timestamp' | 'data'>;
      const [id, seconds] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
      const signatures = String(headers['webhook-signature']).split(' ');
      return { id, seconds, signatures, content: `${id}.${seconds}.${body}`, type, timestamp, data };
    });
  }

  /** About what a webhook was told, in the order of the calls. */
  async toldOf(webhook: TestWebhook): Promise<unknown[]> {
    return (await this.told(webhook)).map(({ data }) => data['aggregateId']);
  }

  async deliveriesOf({ id }: TestWebhook): Promise<Array<{ state: string; tries: number; reason: string }>> {
    return this.world.rows('SELECT state, tries, reason FROM webhook_delivery WHERE webhook_id = $1 ORDER BY id', [id]);
  }

  private async isHeard(position: string): Promise<boolean> {
    const rows = await this.world.rows(
      `SELECT 1
       FROM event_cursor c
       JOIN event e ON e.position = $1
       WHERE c.listener = 'gatehouse/webhooks' AND (c.tx, c.position) >= (e.tx, e.position)`,
      [position],
    );
    return rows.length > 0;
  }
}

/** As a receiver checks a call with the secret that it knows. */
export function isSignedWith(secret: string, { content, signatures }: Told): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return signatures.includes(`v1,${createHmac('sha256', key).update(content).digest('base64')}`);
}
