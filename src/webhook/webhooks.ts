import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { IssuerConfig } from '../foundation/config/config.js';
import type { Secret } from '../foundation/config/secret.js';
import { newId } from '../foundation/crypto/id.js';
import { takeLockOn } from '../foundation/database/advisory-lock.js';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { allowLongWork } from '../foundation/database/long-work.js';
import { EventCatalogue } from '../foundation/event/event-catalogue.js';
import { EventFeed } from '../foundation/event/event-feed.js';
import { type EventMark, Journal, SYSTEM } from '../foundation/event/journal.js';
import { OutboundClient } from '../foundation/outbound/outbound-client.js';
import { Clock } from '../foundation/time/clock.js';
import { seconds, secondsAfter } from '../foundation/time/duration.js';
import { ActiveWebhooks } from './active-webhooks.js';
import { type InactiveReason, Webhook } from './webhook.entity.js';
import {
  tooManyWebhooks,
  webhookInvalid,
  webhookNotActive,
  webhookNotFound,
  webhookNotInactive,
  webhookUnchanged,
} from './webhook.errors.js';
import { GIVE_UP_WAITING } from './webhook-queue.js';
import {
  MAX_WEBHOOKS,
  type WebhookOwner,
  type WebhookSettings,
  webhookEvent,
  webhookViolations,
} from './webhook-rules.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { newWebhookSecret } from './webhook-signature.js';

/** The cursor in the feed of events. */
export const WEBHOOK_CURSOR = 'gatehouse/webhooks';

/** How long the former secret signs as well. */
const ROTATION_SECONDS = seconds.perDay;

const SWITCHED_OFF = 'The webhook was switched off before this was delivered.';

/** The only time that the secret is shown. */
export interface MadeSecret {
  readonly id: string;
  readonly secret: Secret;
  readonly mark: EventMark;
}

/** The webhooks of the instance and of organizations. */
@Injectable()
export class Webhooks {
  constructor(
    @InjectRepository(Webhook) private readonly rows: Repository<Webhook>,
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly feed: EventFeed,
    private readonly active: ActiveWebhooks,
    private readonly secrets: WebhookSecrets,
    private readonly outbound: OutboundClient,
    private readonly issuer: IssuerConfig,
    private readonly catalogue: EventCatalogue,
    private readonly changes: ChangeChannel,
    private readonly clock: Clock,
  ) {}

  /** All webhooks of an owner, the oldest first. */
  async list(owner: WebhookOwner): Promise<Webhook[]> {
    return this.rows.find({ where: { ownerId: owner.id }, order: { id: 'ASC' } });
  }

  /** @throws DomainError NotFound `webhook.not_found` */
  async get(owner: WebhookOwner, id: string): Promise<Webhook> {
    const webhook = await this.rows.findOneBy({ id, ownerId: owner.id });
    if (!webhook) throw webhookNotFound();
    return webhook;
  }

  /**
   * Adds a webhook, which is told of what happens from now on.
   * @throws DomainError InvalidArgument with every violation; FailedPrecondition `webhook.too_many`,
   * `outbound.address_refused`
   */
  async add(owner: WebhookOwner, settings: WebhookSettings, editorId: string): Promise<MadeSecret> {
    const { url, types } = this.checked(owner, settings);
    return this.database.transaction(async (tx) => {
      await this.lock(tx);
      if ((await tx.of(this.rows).countBy({ ownerId: owner.id })) >= MAX_WEBHOOKS) throw tooManyWebhooks(MAX_WEBHOOKS);
      await this.wake(tx);
      const [id, secret] = [newId(), newWebhookSecret()];
      const mark = await this.append(tx, { id, ownerId: owner.id }, 'added', editorId, { url, types });
      await tx.of(this.rows).insert({
        id,
        ownerId: owner.id,
        level: owner.level,
        url,
        types,
        secret: this.secrets.seal(id, owner.id, secret),
        since: mark.at,
        sequence: mark.sequence,
        creationDate: mark.at,
        changeDate: mark.at,
      });
      return { id, secret, mark };
    });
  }

  /**
   * @throws DomainError NotFound `webhook.not_found`; FailedPrecondition `webhook.unchanged`,
   * `outbound.address_refused`; InvalidArgument with every violation
   */
  async change(owner: WebhookOwner, id: string, settings: WebhookSettings, editorId: string): Promise<EventMark> {
    const { url, types } = this.checked(owner, settings);
    return this.database.transaction(async (tx) => {
      const webhook = await this.hold(tx, owner, id);
      if (webhook.url === url && webhook.types.join() === types.join()) throw webhookUnchanged();
      return this.save(tx, webhook, { url, types, failingSince: null }, 'changed', editorId, { url, types });
    });
  }

  /**
   * Makes another secret. For a day the former one signs as well.
   * @throws DomainError NotFound `webhook.not_found`
   */
  async rotate(owner: WebhookOwner, id: string, editorId: string): Promise<MadeSecret> {
    return this.database.transaction(async (tx) => {
      const webhook = await this.hold(tx, owner, id);
      const secret = newWebhookSecret();
      const changed = {
        secret: this.secrets.seal(id, owner.id, secret),
        formerSecret: webhook.secret,
        formerUntil: secondsAfter(this.clock.now(), ROTATION_SECONDS),
      };
      return { id, secret, mark: await this.save(tx, webhook, changed, 'secret.changed', editorId) };
    });
  }

  /** @throws DomainError NotFound `webhook.not_found`; FailedPrecondition `webhook.not_active` */
  async deactivate(owner: WebhookOwner, id: string, editorId: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      const webhook = await this.hold(tx, owner, id);
      if (webhook.state !== 'active') throw webhookNotActive();
      return this.switchOff(tx, webhook, 'requested', editorId);
    });
  }

  /** @throws DomainError NotFound `webhook.not_found`; FailedPrecondition `webhook.not_inactive` */
  async reactivate(owner: WebhookOwner, id: string, editorId: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      const webhook = await this.hold(tx, owner, id);
      if (webhook.state !== 'inactive') throw webhookNotInactive();
      await this.wake(tx);
      const changed = { state: 'active', reason: '', since: this.clock.now(), failingSince: null } as const;
      return this.save(tx, webhook, changed, 'reactivated', editorId);
    });
  }

  /**
   * Switches a webhook off because of its receiver. Undefined if it is off already.
   * @returns the webhook, whose managers must be told
   */
  async giveUp(tx: Transaction, id: string, reason: InactiveReason): Promise<Webhook | undefined> {
    await this.lock(tx);
    const webhook = await tx.of(this.rows).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
    if (webhook?.state !== 'active') return undefined;
    await this.switchOff(tx, webhook, reason, SYSTEM);
    return webhook;
  }

  /** @throws DomainError NotFound `webhook.not_found` */
  async remove(owner: WebhookOwner, id: string, editorId: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await allowLongWork(tx);
      const webhook = await this.hold(tx, owner, id);
      const mark = await this.append(tx, webhook, 'removed', editorId);
      await tx.of(this.rows).delete({ id });
      return mark;
    });
  }

  /** Removes all of an owner that is removed. */
  async removeAllOf(tx: Transaction, ownerId: string, editorId: string): Promise<void> {
    await this.lock(tx);
    for (const webhook of await tx.of(this.rows).find({ where: { ownerId }, order: { id: 'ASC' } })) {
      await this.append(tx, webhook, 'removed', editorId);
      await tx.of(this.rows).delete({ id: webhook.id });
    }
  }

  private async switchOff(tx: Transaction, webhook: Webhook, reason: InactiveReason, by: string): Promise<EventMark> {
    await allowLongWork(tx);
    await tx.query(GIVE_UP_WAITING, { webhookId: webhook.id, reason: SWITCHED_OFF, now: this.clock.now() });
    return this.save(tx, webhook, { state: 'inactive', reason }, 'deactivated', by, { reason });
  }

  /** Skips what was in the journal while no webhook was active: nothing of that is wanted. */
  private async wake(tx: Transaction): Promise<void> {
    if (!(await this.active.anyNow(tx))) await this.feed.moveToEnd(tx, WEBHOOK_CURSOR, this.clock.now());
  }

  private checked({ level }: WebhookOwner, { url, types: given }: WebhookSettings): WebhookSettings {
    const types = [...new Set(given)].sort();
    const violations = webhookViolations({ url, types: given }, level, {
      production: this.issuer.production,
      catalogue: this.catalogue,
    });
    if (violations.length > 0) throw webhookInvalid(violations);
    this.outbound.checkUrl(url);
    return { url, types };
  }

  private async hold(tx: Transaction, owner: WebhookOwner, id: string): Promise<Webhook> {
    await this.lock(tx);
    const webhook = await tx.of(this.rows).findOne({
      where: { id, ownerId: owner.id },
      lock: { mode: 'pessimistic_write' },
    });
    if (!webhook) throw webhookNotFound();
    return webhook;
  }

  /** Locks all, as they are few and seldom changed: whether one is active must not change between two statements. */
  private async lock(tx: Transaction): Promise<void> {
    await takeLockOn(tx, 'webhooks');
  }

  private async save(
    tx: Transaction,
    webhook: Webhook,
    changed: Partial<Webhook>,
    what: string,
    editorId: string,
    payload: Record<string, unknown> = {},
  ): Promise<EventMark> {
    const mark = await this.append(tx, webhook, what, editorId, payload);
    await tx.of(this.rows).update({ id: webhook.id }, { ...changed, sequence: mark.sequence, changeDate: mark.at });
    return mark;
  }

  private async append(
    tx: Transaction,
    webhook: Pick<Webhook, 'id' | 'ownerId'>,
    what: string,
    editorId: string,
    payload: Record<string, unknown> = {},
  ): Promise<EventMark> {
    await this.changes.announce(tx, 'webhook', EVERYTHING);
    return this.journal.append(tx, webhookEvent(webhook, what, editorId, payload));
  }
}
