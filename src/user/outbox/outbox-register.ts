import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ChangeChannel, EVERYTHING } from '../../foundation/database/change-channel.js';
import { columnsOf } from '../../foundation/database/columns.js';
import { equals } from '../../foundation/database/condition.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { Listing, type Page } from '../../foundation/database/listing.js';
import { type EventMark, Journal } from '../../foundation/event/journal.js';
import { Clock } from '../../foundation/time/clock.js';
import { mailExpired, mailNotFound, mailNotWaiting } from './outbox.errors.js';
import { type MailState, OutboxMail } from './outbox-mail.entity.js';

/** A mail as administrators see it: recipient and state, never the content. */
export type MailEntry = Pick<
  OutboxMail,
  'id' | 'userId' | 'orgId' | 'kind' | 'recipient' | 'state' | 'tries' | 'reason' | 'createdAt' | 'dueAt' | 'sentAt'
>;

/** The filter; empty members are ignored. */
export interface MailSearch {
  readonly state?: MailState | undefined;
  readonly userId: string;
}

const LISTING = new Listing<MailEntry, 'createdAt'>({
  select: columnsOf(OutboxMail, 'm', [
    'id',
    'userId',
    'orgId',
    'kind',
    'recipient',
    'state',
    'tries',
    'reason',
    'createdAt',
    'dueAt',
    'sentAt',
  ]),
  from: 'outbox m',
  key: 'm.id',
  sort: { createdAt: 'm.created_at' },
});

/** The change to a mail, and the organization of its recipient. */
export interface ChangedMail {
  readonly mark: EventMark;
  readonly orgId: string;
}

/** The outbox as administrators see it. */
@Injectable()
export class OutboxRegister {
  constructor(
    @InjectRepository(OutboxMail) private readonly rows: Repository<OutboxMail>,
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
    private readonly clock: Clock,
  ) {}

  /** Lists mails in the order of their creation. */
  async list(
    { state, userId }: MailSearch,
    range: { offset: bigint; limit: number; ascending: boolean },
  ): Promise<Page<MailEntry>> {
    const where = [
      ...(state === undefined ? [] : [equals('m.state', state)]),
      ...(userId === '' ? [] : [equals('m.user_id', userId)]),
    ];
    return LISTING.page(this.database, { ...range, sortBy: 'createdAt', where });
  }

  /**
   * Makes a mail due now, with as many attempts as a new one.
   * @throws DomainError NotFound `mail.not_found`; FailedPrecondition `mail.not_dead`, `mail.expired`
   */
  async retry(id: string, editorId: string): Promise<ChangedMail> {
    return this.database.transaction(async (tx) => {
      const mail = await this.hold(tx, id);
      const now = this.clock.now();
      if (mail.state !== 'dead' && mail.state !== 'waiting') throw mailNotWaiting();
      if (mail.expiresAt !== null && mail.expiresAt <= now) throw mailExpired();
      // A waiting mail without a failure is already being sent, and would be sent twice.
      if (mail.state === 'dead' || mail.reason !== '') {
        await tx.of(this.rows).update({ id }, { state: 'waiting', tries: 0, reason: '', dueAt: now });
        await this.changes.announce(tx, 'outbox', EVERYTHING);
      }
      return this.append(tx, mail, 'mail.retried', editorId);
    });
  }

  /**
   * Withdraws a mail that has not been sent.
   * @throws DomainError NotFound `mail.not_found`
   */
  async remove(id: string, editorId: string): Promise<ChangedMail> {
    return this.database.transaction(async (tx) => {
      const mail = await this.hold(tx, id);
      await tx.of(this.rows).delete({ id });
      return this.append(tx, mail, 'mail.removed', editorId);
    });
  }

  private async hold(tx: Transaction, id: string): Promise<OutboxMail> {
    const mail = await tx.of(this.rows).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!mail) throw mailNotFound();
    return mail;
  }

  private async append(
    tx: Transaction,
    { id, orgId, kind, userId }: OutboxMail,
    type: string,
    editorId: string,
  ): Promise<ChangedMail> {
    const mark = await this.journal.append(tx, {
      aggregateType: 'mail',
      aggregateId: id,
      type,
      orgId,
      editorId,
      payload: { kind, userId },
    });
    return { mark, orgId };
  }
}
