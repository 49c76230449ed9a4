import { Controller, Delete, Get, Post, Put, type Type } from '@nestjs/common';
import type { Actor } from '../../user/permission/actor.js';
import {
  tooManyWebhooks,
  webhookDeliveryNotFound,
  webhookNotActive,
  webhookNotFound,
  webhookNotInactive,
  webhookUnchanged,
} from '../../webhook/webhook.errors.js';
import { MAX_WEBHOOKS } from '../../webhook/webhook-rules.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { type Level, named, operationIdAt } from '../kit/level.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import {
  AddWebhookOfOrgResponse,
  AddWebhookRequest,
  AddWebhookResponse,
  GetWebhookResponse,
  ListWebhookDeliveriesRequest,
  ListWebhookDeliveriesResponse,
  ListWebhooksRequest,
  ListWebhooksResponse,
  RegenerateWebhookSecretResponse,
  ReplayWebhookRequest,
  ReplayWebhookResponse,
  TestWebhookResponse,
  UpdateWebhookRequest,
  WebhookById,
  WebhookDeliveryById,
} from './webhook.dto.js';
import { WebhookOperations } from './webhook.operations.js';

/** The webhooks of the instance or of an organization. */
export function webhookController(level: Level): Type {
  const { readWebhook, writeWebhook } = level.permissions;
  const exampleWith = level.isOrg ? { webhookId: EXAMPLE.orgWebhook } : {};
  const which = level.isOrg ? 'of the organization' : 'of the instance and of all organizations';

  @Tagged('Webhooks')
  @Controller(`${level.prefix}/webhooks`)
  @level.documentation
  class WebhookController {
    constructor(private readonly webhooks: WebhookOperations) {}

    @Post()
    @Requires(writeWebhook)
    @Operation({
      id: operationIdAt(level, 'AddWebhook'),
      summary: `Add a webhook to ${level.owner}`,
      description: `It receives events ${which} that happen from now on, as described by Standard Webhooks: each call is signed with the secret in the response. Calls contain ids, but no names or addresses.`,
      request: AddWebhookRequest,
      returns: level.isOrg ? AddWebhookOfOrgResponse : AddWebhookResponse,
      refuses: [tooManyWebhooks(MAX_WEBHOOKS)],
    })
    async add(@Asking() actor: Actor, @Message() request: AddWebhookRequest): Promise<AddWebhookResponse> {
      return this.webhooks.add(await this.webhooks.ownerAt(level, actor), actor, request);
    }

    @Post('_search')
    @Requires(readWebhook)
    @Operation({
      id: operationIdAt(level, 'ListWebhooks'),
      summary: `List the webhooks of ${level.owner}`,
      description: 'All of them, the oldest first. Secrets are not shown.',
      request: ListWebhooksRequest,
      returns: ListWebhooksResponse,
    })
    async list(@Asking() actor: Actor, @Message() _request: ListWebhooksRequest): Promise<ListWebhooksResponse> {
      return this.webhooks.list(await this.webhooks.ownerAt(level, actor));
    }

    @Get(':webhookId')
    @Requires(readWebhook)
    @Operation({
      id: operationIdAt(level, 'GetWebhook'),
      summary: `Get a webhook of ${level.owner}`,
      request: WebhookById,
      exampleWith,
      returns: GetWebhookResponse,
      refuses: [webhookNotFound()],
    })
    async get(@Asking() actor: Actor, @Message() { webhookId }: WebhookById): Promise<GetWebhookResponse> {
      return this.webhooks.get(await this.webhooks.ownerAt(level, actor), webhookId);
    }

    @Put(':webhookId')
    @Requires(writeWebhook)
    @Operation({
      id: operationIdAt(level, 'UpdateWebhook'),
      summary: `Update the URL and the types of a webhook of ${level.owner}`,
      description: 'Pending deliveries go to the new URL. The secret does not change.',
      request: UpdateWebhookRequest,
      exampleWith: { types: ['user.human.added', 'user.removed', 'user.state.locked'], ...exampleWith },
      returns: DetailsResponse,
      refuses: [webhookNotFound(), webhookUnchanged()],
    })
    async update(@Asking() actor: Actor, @Message() request: UpdateWebhookRequest): Promise<DetailsResponse> {
      return this.webhooks.update(await this.webhooks.ownerAt(level, actor), actor, request);
    }

    @Delete(':webhookId')
    @Requires(writeWebhook)
    @Operation({
      id: operationIdAt(level, 'RemoveWebhook'),
      summary: `Remove a webhook of ${level.owner}`,
      description: 'Pending deliveries are discarded.',
      request: WebhookById,
      exampleWith,
      returns: DetailsResponse,
      refuses: [webhookNotFound()],
    })
    async remove(@Asking() actor: Actor, @Message() { webhookId }: WebhookById): Promise<DetailsResponse> {
      return this.webhooks.remove(await this.webhooks.ownerAt(level, actor), actor, webhookId);
    }

    @Post(':webhookId/secret')
    @Requires(writeWebhook)
    @Operation({
      id: operationIdAt(level, 'RegenerateWebhookSecret'),
      summary: `Generate a new secret for a webhook of ${level.owner}`,
      description: 'For 24 hours the former secret signs as well, so that the receiver can change to the new one.',
      request: WebhookById,
      exampleWith,
      returns: RegenerateWebhookSecretResponse,
      refuses: [webhookNotFound()],
    })
    async rotate(
      @Asking() actor: Actor,
      @Message() { webhookId }: WebhookById,
    ): Promise<RegenerateWebhookSecretResponse> {
      return this.webhooks.rotate(await this.webhooks.ownerAt(level, actor), actor, webhookId);
    }

    @Post(':webhookId/_deactivate')
    @Requires(writeWebhook)
    @Operation({
      id: operationIdAt(level, 'DeactivateWebhook'),
      summary: `Deactivate a webhook of ${level.owner}`,
      description:
        'Pending deliveries are given up, and can be delivered with `RetryWebhookDelivery` or `ReplayWebhook` later.',
      request: WebhookById,
      exampleWith,
      returns: DetailsResponse,
      refuses: [webhookNotFound(), webhookNotActive()],
    })
    async deactivate(@Asking() actor: Actor, @Message() { webhookId }: WebhookById): Promise<DetailsResponse> {
      return this.webhooks.deactivate(await this.webhooks.ownerAt(level, actor), actor, webhookId);
    }

    @Post(':webhookId/_reactivate')
    @Requires(writeWebhook)
    @Operation({
      id: operationIdAt(level, 'ReactivateWebhook'),
      summary: `Reactivate a webhook of ${level.owner}`,
      description:
        'It receives events that happen from now on; `ReplayWebhook` delivers those that happened meanwhile.',
      request: WebhookById,
      exampleWith,
      returns: DetailsResponse,
      refuses: [webhookNotFound(), webhookNotInactive()],
    })
    async reactivate(@Asking() actor: Actor, @Message() { webhookId }: WebhookById): Promise<DetailsResponse> {
      return this.webhooks.reactivate(await this.webhooks.ownerAt(level, actor), actor, webhookId);
    }

    @Post(':webhookId/_test')
    @Requires(writeWebhook)
    @Operation({
      id: operationIdAt(level, 'TestWebhook'),
      summary: `Call a webhook of ${level.owner} once, as a test`,
      description: 'The call has the type `webhook.test`, and is signed as any other. Nothing is stored.',
      request: WebhookById,
      exampleWith,
      returns: TestWebhookResponse,
      refuses: [webhookNotFound()],
    })
    async test(@Asking() actor: Actor, @Message() { webhookId }: WebhookById): Promise<TestWebhookResponse> {
      return this.webhooks.test(await this.webhooks.ownerAt(level, actor), webhookId);
    }

    @Post(':webhookId/deliveries/_search')
    @Requires(readWebhook)
    @Operation({
      id: operationIdAt(level, 'ListWebhookDeliveries'),
      summary: `Search the deliveries of a webhook of ${level.owner}`,
      description:
        'Sorted by creation time. What was delivered is kept for a day, what was given up for 30 days; the events themselves remain in the journal.',
      request: ListWebhookDeliveriesRequest,
      exampleWith,
      returns: ListWebhookDeliveriesResponse,
      refuses: [webhookNotFound()],
    })
    async deliveries(
      @Asking() actor: Actor,
      @Message() request: ListWebhookDeliveriesRequest,
    ): Promise<ListWebhookDeliveriesResponse> {
      return this.webhooks.deliveries(await this.webhooks.ownerAt(level, actor), request);
    }

    @Post(':webhookId/deliveries/:deliveryId/_retry')
    @Requires(writeWebhook)
    @Operation({
      id: operationIdAt(level, 'RetryWebhookDelivery'),
      summary: `Deliver an event to a webhook of ${level.owner} once more, immediately`,
      request: WebhookDeliveryById,
      exampleWith,
      returns: DetailsResponse,
      refuses: [webhookNotFound(), webhookDeliveryNotFound(), webhookNotActive()],
    })
    async retry(@Asking() actor: Actor, @Message() request: WebhookDeliveryById): Promise<DetailsResponse> {
      return this.webhooks.retry(await this.webhooks.ownerAt(level, actor), actor, request);
    }

    @Post(':webhookId/_replay')
    @Requires(writeWebhook)
    @Operation({
      id: operationIdAt(level, 'ReplayWebhook'),
      summary: `Deliver the events since a time to a webhook of ${level.owner} once more`,
      description:
        'Every event of its types, whether or not it was delivered before, also events from before the webhook was added. The calls have the same `webhook-id` as before.',
      request: ReplayWebhookRequest,
      exampleWith,
      returns: ReplayWebhookResponse,
      refuses: [webhookNotFound(), webhookNotActive()],
    })
    async replay(@Asking() actor: Actor, @Message() request: ReplayWebhookRequest): Promise<ReplayWebhookResponse> {
      return this.webhooks.replay(await this.webhooks.ownerAt(level, actor), actor, request);
    }
  }
  return named(level, 'Webhook', WebhookController);
}
