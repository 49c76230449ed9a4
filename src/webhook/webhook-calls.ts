import { Injectable } from '@nestjs/common';
import type { Secret } from '../foundation/config/secret.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { carriedBy } from '../foundation/event/catalogue.js';
import { Logger } from '../foundation/log/logger.js';
import { OutboundClient } from '../foundation/outbound/outbound-client.js';
import { Clock } from '../foundation/time/clock.js';
import { outcomeOfError, outcomeOfResponse, type WebhookOutcome } from './webhook-attempt.js';
import type { ToldEvent } from './webhook-queue.js';
import { signatureHeaders } from './webhook-signature.js';

/** The limit of a whole call. */
const CALL_LIMIT_MS = 10_000;

export interface WebhookMessage {
  /** The id of the event, which each attempt to deliver it has. */
  readonly id: string;
  readonly type: string;
  /** When the event happened. */
  readonly timestamp: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Receiver {
  readonly webhookId: string;
  readonly url: string;
  readonly ownerId: string;
  readonly secrets: readonly Secret[];
}

/**
 * The message about an event: ids, and what the catalogue allows of the payload. The body depends on the journal alone,
 * so it is the same at each attempt.
 */
export function messageOf(position: string, event: ToldEvent): WebhookMessage {
  const { eventType, at, orgId, aggregateType, aggregateId, sequence, editorId, payload } = event;
  const id = `evt_${position}`;
  return {
    id,
    type: eventType,
    timestamp: at,
    data: {
      id,
      orgId,
      aggregateType,
      aggregateId,
      sequence: Number(sequence),
      editorId,
      payload: carriedBy(eventType, payload),
    },
  };
}

/** Calls receivers by Standard Webhooks 1.0.0. Whatever they do is an outcome, never an error. */
@Injectable()
export class WebhookCalls {
  constructor(
    private readonly outbound: OutboundClient,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  async call(to: Receiver, { id, ...message }: WebhookMessage, signal?: AbortSignal): Promise<WebhookOutcome> {
    const body = JSON.stringify(message);
    const signed = { id, seconds: this.clock.nowSeconds(), body };
    try {
      const { status, headers } = await this.outbound.send({
        url: to.url,
        ownerId: to.ownerId,
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...signatureHeaders(signed, to.secrets) },
        body,
        timeoutMs: CALL_LIMIT_MS,
        isBodyIgnored: true,
        ...(signal ? { signal } : {}),
      });
      return outcomeOfResponse(status, headers['retry-after'], this.clock.now());
    } catch (error) {
      if (!(error instanceof DomainError) && signal?.aborted !== true)
        this.log.error({ err: error, webhookId: to.webhookId }, 'webhook not called');
      return outcomeOfError(error);
    }
  }
}
