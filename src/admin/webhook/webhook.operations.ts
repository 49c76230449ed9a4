import { Injectable } from '@nestjs/common';
import { Clock } from '../../foundation/time/clock.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Actor } from '../../user/permission/actor.js';
import type { Webhook } from '../../webhook/webhook.entity.js';
import { type WebhookDeliveryEntry as Delivery, WebhookDeliveries } from '../../webhook/webhook-deliveries.js';
import { WebhookProbe } from '../../webhook/webhook-probe.js';
import type { WebhookOwner } from '../../webhook/webhook-rules.js';
import { Webhooks } from '../../webhook/webhooks.js';
import type { Level } from '../kit/level.js';
import { DetailsResponse, toAddedDetails, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { toListDetails, toRange, toWholeListDetails } from '../kit/wire/list.dto.js';
import type {
  AddWebhookRequest,
  AddWebhookResponse,
  GetWebhookResponse,
  ListWebhookDeliveriesRequest,
  ListWebhookDeliveriesResponse,
  ListWebhooksResponse,
  RegenerateWebhookSecretResponse,
  ReplayWebhookRequest,
  ReplayWebhookResponse,
  TestWebhookResponse,
  UpdateWebhookRequest,
  WebhookDeliveryById,
  WebhookDeliveryEntry,
  WebhookEntry,
} from './webhook.dto.js';

/** The operations on webhooks, which are the same for the instance and for organizations. */
@Injectable()
export class WebhookOperations {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly sent: WebhookDeliveries,
    private readonly probe: WebhookProbe,
    private readonly instances: InstanceService,
    private readonly clock: Clock,
  ) {}

  async ownerAt(level: Level, actor: Actor): Promise<WebhookOwner> {
    return { level: level.name, id: await level.ownerId(actor, this.instances) };
  }

  async add(owner: WebhookOwner, { userId }: Actor, settings: AddWebhookRequest): Promise<AddWebhookResponse> {
    const { id, secret, mark } = await this.webhooks.add(owner, settings, userId);
    return { details: toAddedDetails(mark, owner.id), id, secret: secret.reveal() };
  }

  async list(owner: WebhookOwner): Promise<ListWebhooksResponse> {
    const webhooks = await this.webhooks.list(owner);
    const now = this.clock.now();
    return {
      details: toWholeListDetails(webhooks.length, now),
      result: webhooks.map((webhook) => toEntry(webhook, now)),
    };
  }

  async get(owner: WebhookOwner, id: string): Promise<GetWebhookResponse> {
    return { webhook: toEntry(await this.webhooks.get(owner, id), this.clock.now()) };
  }

  async update(
    owner: WebhookOwner,
    { userId }: Actor,
    { webhookId, ...settings }: UpdateWebhookRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.webhooks.change(owner, webhookId, settings, userId);
    return { details: toChangedDetails(mark, owner.id) };
  }

  async remove(owner: WebhookOwner, { userId }: Actor, id: string): Promise<DetailsResponse> {
    const mark = await this.webhooks.remove(owner, id, userId);
    return { details: toChangedDetails(mark, owner.id) };
  }

  async rotate(owner: WebhookOwner, { userId }: Actor, id: string): Promise<RegenerateWebhookSecretResponse> {
    const { secret, mark } = await this.webhooks.rotate(owner, id, userId);
    return { details: toChangedDetails(mark, owner.id), secret: secret.reveal() };
  }

  async deactivate(owner: WebhookOwner, { userId }: Actor, id: string): Promise<DetailsResponse> {
    const mark = await this.webhooks.deactivate(owner, id, userId);
    return { details: toChangedDetails(mark, owner.id) };
  }

  async reactivate(owner: WebhookOwner, { userId }: Actor, id: string): Promise<DetailsResponse> {
    const mark = await this.webhooks.reactivate(owner, id, userId);
    return { details: toChangedDetails(mark, owner.id) };
  }

  async test(owner: WebhookOwner, id: string): Promise<TestWebhookResponse> {
    return this.probe.test(await this.webhooks.get(owner, id));
  }

  async deliveries(
    owner: WebhookOwner,
    { webhookId, query, state }: ListWebhookDeliveriesRequest,
  ): Promise<ListWebhookDeliveriesResponse> {
    const webhook = await this.webhooks.get(owner, webhookId);
    const page = await this.sent.list(webhook, state === 'unspecified' ? undefined : state, toRange(query));
    return { details: toListDetails(page), result: page.rows.map(toDelivery) };
  }

  async retry(
    owner: WebhookOwner,
    { userId }: Actor,
    { webhookId, deliveryId }: WebhookDeliveryById,
  ): Promise<DetailsResponse> {
    const webhook = await this.webhooks.get(owner, webhookId);
    const mark = await this.sent.retry(webhook, deliveryId, userId);
    return { details: toChangedDetails(mark, owner.id) };
  }

  async replay(
    owner: WebhookOwner,
    { userId }: Actor,
    { webhookId, from }: ReplayWebhookRequest,
  ): Promise<ReplayWebhookResponse> {
    const webhook = await this.webhooks.get(owner, webhookId);
    const since = from ?? webhook.creationDate;
    const { count, next, mark } = await this.sent.replay(webhook, since, userId);
    return { details: toChangedDetails(mark, owner.id), events: count, next };
  }
}

function toEntry(webhook: Webhook, now: Date): WebhookEntry {
  const { id, ownerId, state, url, types, reason, failingSince, formerUntil } = webhook;
  return {
    id,
    details: toDetails(webhook, ownerId),
    state,
    url,
    types,
    inactiveReason: reason,
    failingSince: failingSince ?? undefined,
    formerSecretExpiration: formerUntil !== null && now < formerUntil ? formerUntil : undefined,
  };
}

function toDelivery({ createdAt, dueAt, settledAt, ...delivery }: Delivery): WebhookDeliveryEntry {
  return {
    ...delivery,
    creationDate: createdAt,
    nextTryDate: delivery.state === 'waiting' ? dueAt : undefined,
    settledDate: settledAt ?? undefined,
  };
}
