import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../foundation/database/columns.js';
import { withoutIndex } from '../../foundation/database/condition.js';
import { Database } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { Clock } from '../../foundation/time/clock.js';
import { secondsAfter } from '../../foundation/time/duration.js';
import { OutboxMail } from './outbox-mail.entity.js';

/** How many mails one process sends at once. */
export const LANES = 5;

/** How long a claim lasts: longer than sending can take. */
const CLAIM_SECONDS = 180;

const MAX_REASON_CHARACTERS = 500;

const CLAIMED_PROPERTIES = [
  'id',
  'userId',
  'orgId',
  'kind',
  'recipient',
  'code',
  'details',
  'tries',
  'reason',
  'createdAt',
  'expiresAt',
] as const;

/** A mail claimed by a worker. */
export type ClaimedMail = Pick<OutboxMail, (typeof CLAIMED_PROPERTIES)[number]>;

const CLAIM = statement(
  'outbox.claim',
  `WITH due AS MATERIALIZED (
     SELECT id
     FROM outbox
     WHERE state = 'waiting' AND due_at <= :now
     ORDER BY due_at
     LIMIT :count
     FOR UPDATE SKIP LOCKED)
   UPDATE outbox o SET tries = o.tries + 1, due_at = :claimedUntil
   FROM due
   WHERE o.id = due.id
   RETURNING ${columnsOf(OutboxMail, 'o', CLAIMED_PROPERTIES)}`,
).rows<ClaimedMail>();

/** For a mail that is known by its id: through the index on the state, every waiting mail would be read for each. */
const IS_WAITING = `${withoutIndex('state')} = 'waiting'`;

const SENT = statement(
  'outbox.sent',
  `UPDATE outbox SET state = 'sent', sent_at = :now, code = NULL, reason = ''
   WHERE id = :id AND ${IS_WAITING}`,
);

/** `:tries`: the failed attempt; a worker whose claim has expired must not undo what another one does. */
const FAILED = statement(
  'outbox.failed',
  `UPDATE outbox SET due_at = :nextTryAt, reason = :error
   WHERE id = :id AND tries = :tries AND ${IS_WAITING}`,
);

const DEAD = statement(
  'outbox.dead',
  `UPDATE outbox SET state = 'dead', reason = :error
   WHERE id = :id AND tries = :tries AND ${IS_WAITING}`,
);

/**
 * The outbox as workers see it. A claim is a time, not a lock: no connection or transaction waits for a mail server. If
 * a worker dies after sending, the mail is sent again when the claim expires: at least once, with the same Message-ID.
 */
@Injectable()
export class OutboxQueue {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Claims up to so many due mails for this worker. */
  async claim(count: number): Promise<ClaimedMail[]> {
    const now = this.clock.now();
    return this.database.atomically(CLAIM, { now, claimedUntil: secondsAfter(now, CLAIM_SECONDS), count });
  }

  async markSent({ id }: ClaimedMail): Promise<void> {
    await this.database.query(SENT, { id, now: this.clock.now() });
  }

  /** Schedules a retry. */
  async postpone({ id, tries }: ClaimedMail, delaySeconds: number, reason: string): Promise<void> {
    await this.database.query(FAILED, {
      id,
      tries,
      nextTryAt: secondsAfter(this.clock.now(), delaySeconds),
      error: inShort(reason),
    });
  }

  async giveUp({ id, tries }: ClaimedMail, reason: string): Promise<void> {
    await this.database.query(DEAD, { id, tries, error: inShort(reason) });
  }
}

/** Shortens a reason to one line of limited length: some mail servers are verbose. */
export function inShort(reason: string): string {
  const line = reason.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...line].slice(0, MAX_REASON_CHARACTERS).join('');
}
