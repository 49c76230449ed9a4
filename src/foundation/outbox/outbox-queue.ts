import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import { Clock } from '../time/clock.js';
import { secondsAfter } from '../time/duration.js';
import type { OutboxMail } from './outbox-mail.entity.js';

/** A mail claimed by a worker. */
export type ClaimedMail = Pick<
  OutboxMail,
  'id' | 'userId' | 'orgId' | 'kind' | 'recipient' | 'code' | 'details' | 'tries' | 'reason' | 'createdAt' | 'expiresAt'
>;

/** How many one process sends at once. */
export const LANES = 5;

/** How long a claim lasts: longer than sending can take. */
const CLAIM_SECONDS = 180;

const MAX_REASON_CHARACTERS = 500;

const CLAIM = statement(
  'outbox.claim',
  `WITH due AS MATERIALIZED (
     SELECT id FROM outbox WHERE state = 'waiting' AND due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   UPDATE outbox o SET tries = o.tries + 1, due_at = $2 FROM due WHERE o.id = due.id
   RETURNING o.id, o.user_id AS "userId", o.org_id AS "orgId", o.kind, o.recipient, o.code, o.details, o.tries, o.reason, o.created_at AS "createdAt",
     o.expires_at AS "expiresAt"`,
);

const SENT = statement(
  'outbox.sent',
  `UPDATE outbox SET state = 'sent', sent_at = $2, code = NULL, reason = '' WHERE id = $1 AND state = 'waiting'`,
);

/** `$2`: the failed attempt; a worker whose claim has expired must not undo what another one does. */
const FAILED = statement(
  'outbox.failed',
  `UPDATE outbox SET due_at = $3, reason = $4 WHERE id = $1 AND tries = $2 AND state = 'waiting'`,
);

const DEAD = statement(
  'outbox.dead',
  `UPDATE outbox SET state = 'dead', reason = $3 WHERE id = $1 AND tries = $2 AND state = 'waiting'`,
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
    return this.database.atomically<ClaimedMail>(CLAIM, [now, secondsAfter(now, CLAIM_SECONDS), count]);
  }

  async markSent({ id }: ClaimedMail): Promise<void> {
    await this.database.query(SENT, [id, this.clock.now()]);
  }

  /** Schedules a retry. */
  async postpone({ id, tries }: ClaimedMail, delaySeconds: number, reason: string): Promise<void> {
    await this.database.query(FAILED, [id, tries, secondsAfter(this.clock.now(), delaySeconds), cut(reason)]);
  }

  async giveUp({ id, tries }: ClaimedMail, reason: string): Promise<void> {
    await this.database.query(DEAD, [id, tries, cut(reason)]);
  }
}

/** One line of limited length: some mail servers are verbose. */
function cut(reason: string): string {
  const line = reason.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...line].slice(0, MAX_REASON_CHARACTERS).join('');
}
