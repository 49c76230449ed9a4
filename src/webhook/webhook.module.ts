import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboundModule } from '../foundation/outbound/outbound.module.js';
import { InstanceModule } from '../org/instance/instance.module.js';
import { ActiveWebhooks } from './active-webhooks.js';
import { Webhook } from './webhook.entity.js';
import { WebhookCalls } from './webhook-calls.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookListener } from './webhook-listener.js';
import { WebhookProbe } from './webhook-probe.js';
import { WebhookQueue } from './webhook-queue.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookWorker } from './webhook-worker.js';
import { Webhooks } from './webhooks.js';

@Module({
  imports: [InstanceModule, OutboundModule, TypeOrmModule.forFeature([Webhook, WebhookDelivery])],
  providers: [
    ActiveWebhooks,
    WebhookCalls,
    WebhookDeliveries,
    WebhookListener,
    WebhookProbe,
    WebhookQueue,
    Webhooks,
    WebhookSecrets,
    WebhookWorker,
  ],
  exports: [WebhookDeliveries, WebhookProbe, WebhookQueue, Webhooks, WebhookSecrets, WebhookWorker],
})
export class WebhookModule {}
