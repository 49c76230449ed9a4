import { Injectable } from '@nestjs/common';
import { newId } from '../foundation/crypto/id.js';
import { Clock } from '../foundation/time/clock.js';
import type { Webhook } from './webhook.entity.js';
import { SECRET_UNREADABLE } from './webhook-attempt.js';
import { WebhookCalls } from './webhook-calls.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** The type of a test call, which no event has: a receiver that knows the types that it wants ignores it. */
const TEST_TYPE = 'webhook.test';

export interface WebhookTest {
  readonly ok: boolean;
  /** The status of the response; zero without one. */
  readonly status: number;
  readonly detail: string;
}

/** Calls a webhook once, whether or not it is switched on, and says what became of it. Nothing is stored. */
@Injectable()
export class WebhookProbe {
  constructor(
    private readonly calls: WebhookCalls,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  async test(webhook: Webhook): Promise<WebhookTest> {
    const { id: webhookId, url, ownerId } = webhook;
    const now = this.clock.now();
    const id = `test_${newId()}`;
    const data = { id, orgId: ownerId, aggregateType: 'webhook', aggregateId: webhookId, payload: {} };
    const secrets = this.secrets.open(webhook, now);
    if (!secrets) return { ok: false, status: 0, detail: SECRET_UNREADABLE.reason };
    const receiver = { webhookId, url, ownerId, secrets };
    const outcome = await this.calls.call(receiver, { id, type: TEST_TYPE, timestamp: now, data });
    if (outcome.kind === 'accepted')
      return { ok: true, status: outcome.status, detail: `The receiver responded with status ${outcome.status}.` };
    return { ok: false, status: outcome.status ?? 0, detail: outcome.reason };
  }
}
