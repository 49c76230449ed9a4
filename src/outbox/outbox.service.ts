import { Injectable } from '@nestjs/common';
import { LoginConfig } from '../config/config.js';
import { newId } from '../crypto/id.js';
import type { Secret } from '../crypto/secret.js';
import { type SealedPlace, Vault } from '../crypto/vault.js';
import { takeLockOn } from '../database/advisory-lock.js';
import { ChangeChannel, EVERYTHING } from '../database/change-channel.js';
import type { Transaction } from '../database/database.js';
import { type Purge, purgeStatement, runPurge } from '../database/purge.js';
import { type Queryable, statement } from '../database/statement.js';
import { Clock } from '../time/clock.js';
import { seconds, secondsAfter } from '../time/duration.js';
import type { MailDetails, MailKind } from './outbox-mail.entity.js';

/** Whom a mail is for. */
export interface Addressee {
  readonly id: string;
  readonly orgId: string;
  readonly email: string;
}

export interface NewMail {
  readonly kind: MailKind;
  readonly to: Addressee;
  /** What the person is to type, and when it is worth nothing any more. */
  readonly code?: { readonly secret: Secret; readonly expiresAt: Date };
  readonly details?: MailDetails;
  /** Whether anybody can cause it who knows the address: then mails to it count together, whoever they are for. */
  readonly isCausedByStrangers?: boolean;
}

export const MAIL_WINDOW_SECONDS = seconds.perHour;

/** How many mails of a kind a person is sent within an hour at most (LOG-039). */
const MAILS_PER_HOUR = 5;
/** Whoever signs in often with a code from their mailbox needs more. */
const ONE_TIME_CODES_PER_HOUR = 20;

/** Kinds that carry the same code: a new one makes what waits of them worthless, and they are counted together. */
const FAMILIES: ReadonlyArray<readonly MailKind[]> = [
  ['init', 'inviteUser'],
  ['verifyEmail'],
  ['passwordReset'],
  ['verifyEmailOtp'],
];

const COUNT = statement(
  'outbox.count',
  `SELECT count(*)::int AS count FROM (
     SELECT id FROM outbox WHERE user_id = $1 AND created_at > $4 AND kind = ANY ($3)
     UNION
     SELECT id FROM outbox WHERE $2 <> '' AND recipient_key = $2 AND created_at > $4 AND kind = ANY ($3)) AS counted`,
);

const WITHDRAW = statement(
  'outbox.withdraw',
  `UPDATE outbox SET state = 'withdrawn', code = NULL WHERE user_id = $1 AND kind = ANY ($2) AND state = 'waiting'`,
);

const ADD = statement(
  'outbox.add',
  `INSERT INTO outbox (id, user_id, org_id, kind, recipient, recipient_key, code, details, created_at, due_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)`,
);

const KEPT_DAYS = 30;
const OLD = purgeStatement('outbox', 'id', `created_at < $1::timestamptz - interval '${KEPT_DAYS} days'`);

/**
 * Mails that are to leave. They are written in the transaction of the change that causes them: no mail about what did not
 * happen, and no change whose mail is lost. Somebody else sends them (`mail/`).
 */
@Injectable()
export class Outbox implements Purge {
  constructor(
    private readonly vault: Vault,
    private readonly changes: ChangeChannel,
    private readonly clock: Clock,
    private readonly limits: LoginConfig,
  ) {}

  /**
   * Has a mail sent after the commit; what still waits to leave with an older code does not leave. Answers false, and has
   * nothing sent, when the person has got so many of this kind within an hour as anybody gets.
   */
  async add(tx: Transaction, { kind, to, code, details = {}, isCausedByStrangers = false }: NewMail): Promise<boolean> {
    const family = FAMILIES.find((kinds) => kinds.includes(kind)) ?? [kind];
    if (!(await this.isWithinLimit(tx, to, family, isCausedByStrangers))) return false;
    if (code) await tx.query(WITHDRAW, [to.id, family]);
    const id = newId();
    const sealed = code ? this.vault.seal(code.secret.reveal(), placeOfCode(id, to.id)) : null;
    await tx.query(ADD, [
      id,
      to.id,
      to.orgId,
      kind,
      to.email,
      toKey(to.email),
      sealed,
      details,
      this.clock.now(),
      code?.expiresAt ?? null,
    ]);
    await this.changes.announce(tx, 'outbox', EVERYTHING);
    return true;
  }

  /** For codes that are worth nothing any more: what waits to leave with one does not leave. */
  async withdraw(tx: Transaction, userId: string, kinds: readonly MailKind[]): Promise<void> {
    await tx.query(WITHDRAW, [userId, kinds]);
  }

  /** Mails that are of no interest any more, in whatever state. */
  async purge(on: Queryable, now: Date): Promise<number> {
    return runPurge(on, OLD, now);
  }

  private async isWithinLimit(
    tx: Transaction,
    to: Addressee,
    family: readonly MailKind[],
    byAddress: boolean,
  ): Promise<boolean> {
    if (!this.limits.limits) return true;
    // One after the other, or else 200 requests at once would all find that there is room for one more.
    await takeLockOn(tx, `mails:${byAddress ? toKey(to.email) : to.id}`);
    const since = secondsAfter(this.clock.now(), -MAIL_WINDOW_SECONDS);
    const [row] = await tx.query<{ count: number }>(COUNT, [to.id, byAddress ? toKey(to.email) : '', family, since]);
    return (row?.count ?? 0) < (family.includes('verifyEmailOtp') ? ONE_TIME_CODES_PER_HOUR : MAILS_PER_HOUR);
  }
}

function toKey(address: string): string {
  return address.toLowerCase();
}

/** Where a code stands; bound in when it is sealed. */
export function placeOfCode(mailId: string, userId: string): SealedPlace {
  return { table: 'outbox', column: 'code', row: mailId, owner: userId };
}
