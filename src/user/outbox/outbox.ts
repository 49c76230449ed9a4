import { Injectable } from '@nestjs/common';
import { LoginConfig } from '../../foundation/config/config.js';
import type { Secret } from '../../foundation/config/secret.js';
import { newId } from '../../foundation/crypto/id.js';
import { type SealedPlace, Vault } from '../../foundation/crypto/vault.js';
import { takeLockOn } from '../../foundation/database/advisory-lock.js';
import { ChangeChannel, EVERYTHING } from '../../foundation/database/change-channel.js';
import { insertInto, type ValuesOf } from '../../foundation/database/columns.js';
import type { Transaction } from '../../foundation/database/database.js';
import { type Purge, purgeStatement, runPurge } from '../../foundation/database/purge.js';
import { type Queryable, statement } from '../../foundation/database/statement.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds, secondsAfter } from '../../foundation/time/duration.js';
import type { MailDetails, MailKind } from './outbox-mail.entity.js';
import { OutboxMail } from './outbox-mail.entity.js';

/** The recipient of a mail. */
export interface Addressee {
  readonly id: string;
  readonly orgId: string;
  readonly email: string;
}

export interface NewMail {
  readonly kind: MailKind;
  readonly to: Addressee;
  /** The code to be typed, and its expiry. */
  readonly code?: { readonly secret: Secret; readonly expiresAt: Date };
  readonly details?: MailDetails;
  /**
   * Whether a stranger who knows the address can cause it: mails to it are then counted together, whatever user they
   * are for.
   */
  readonly isCausedByStrangers?: boolean;
  /** Whether the user did not exist before this transaction, so that no mail was sent or is waiting. */
  readonly isFirst?: boolean;
}

export const MAIL_WINDOW_SECONDS = seconds.perHour;

/** The maximum number of mails of a kind to a user within an hour (LOG-039). */
const MAILS_PER_HOUR = 5;
/** Users who often sign in with a code by mail need more. */
const ONE_TIME_CODES_PER_HOUR = 20;

/** Kinds that carry the same code: a new one invalidates those that are waiting, and they are counted together. */
const FAMILIES: ReadonlyArray<readonly MailKind[]> = [
  ['init', 'inviteUser'],
  ['verifyEmail'],
  ['passwordReset'],
  ['passwordlessRegistration'],
  ['verifyEmailOtp'],
];

const COUNT = statement(
  'outbox.count',
  `SELECT count(*)::int AS count
   FROM (
     SELECT id
     FROM outbox
     WHERE user_id = :userId AND created_at > :since AND kind = ANY (:kinds)
     UNION
     SELECT id
     FROM outbox
     WHERE :recipientKey <> '' AND recipient_key = :recipientKey AND created_at > :since AND kind = ANY (:kinds)
   ) AS counted`,
).rows<{ count: number }>();

const WITHDRAW = statement(
  'outbox.withdraw',
  `UPDATE outbox SET state = 'withdrawn', code = NULL
   WHERE user_id = :userId AND kind = ANY (:kinds) AND state = 'waiting'`,
);

const NEW_PROPERTIES = [
  'id',
  'userId',
  'orgId',
  'kind',
  'recipient',
  'recipientKey',
  'code',
  'details',
  'createdAt',
  'dueAt',
  'expiresAt',
] as const;

const ADD = statement<ValuesOf<OutboxMail, (typeof NEW_PROPERTIES)[number]>>(
  'outbox.add',
  insertInto(OutboxMail, NEW_PROPERTIES),
);

const KEPT_DAYS = 30;
const OLD = purgeStatement('outbox', 'id', `created_at < :moment::timestamptz - interval '${KEPT_DAYS} days'`);

/**
 * Outgoing mails. They are written in the transaction of the change that causes them: no mail about a change that was
 * rolled back, and no change whose mail is lost. `mail/` sends them.
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
   * Queues a mail to be sent after the commit, and withdraws those with an older code. Returns false, and queues
   * nothing, if the user has reached the hourly limit for this kind.
   */
  async add(
    tx: Transaction,
    { kind, to, code, details = {}, isCausedByStrangers = false, isFirst = false }: NewMail,
  ): Promise<boolean> {
    const family = FAMILIES.find((kinds) => kinds.includes(kind)) ?? [kind];
    // Mails to an address are counted together, whatever user they are for.
    const mayExceed = !isFirst || isCausedByStrangers;
    if (mayExceed && !(await this.isWithinLimit(tx, to, family, isCausedByStrangers))) return false;
    if (code && !isFirst) await tx.query(WITHDRAW, { userId: to.id, kinds: family });
    const id = newId();
    const sealed = code ? this.vault.seal(code.secret.reveal(), placeOfCode(id, to.id)) : null;
    const now = this.clock.now();
    await tx.query(ADD, {
      id,
      userId: to.id,
      orgId: to.orgId,
      kind,
      recipient: to.email,
      recipientKey: toKey(to.email),
      code: sealed,
      details,
      createdAt: now,
      dueAt: now,
      expiresAt: code?.expiresAt ?? null,
    });
    this.changes.announceHere(tx, 'outbox', EVERYTHING);
    return true;
  }

  /** Withdraws waiting mails whose codes have become invalid. */
  async withdraw(tx: Transaction, userId: string, kinds: readonly MailKind[]): Promise<void> {
    await tx.query(WITHDRAW, { userId, kinds });
  }

  /** Mails that are of no more interest, in any state. */
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
    // Serialized; otherwise 200 concurrent requests would all find room for one more.
    await takeLockOn(tx, `mails:${byAddress ? toKey(to.email) : to.id}`);
    const since = secondsAfter(this.clock.now(), -MAIL_WINDOW_SECONDS);
    const [row] = await tx.query(COUNT, {
      userId: to.id,
      recipientKey: byAddress ? toKey(to.email) : '',
      kinds: family,
      since,
    });
    return (row?.count ?? 0) < (family.includes('verifyEmailOtp') ? ONE_TIME_CODES_PER_HOUR : MAILS_PER_HOUR);
  }
}

function toKey(address: string): string {
  return address.toLowerCase();
}

/** The location of a code; bound in when it is sealed. */
export function placeOfCode(mailId: string, userId: string): SealedPlace {
  return { table: 'outbox', column: 'code', row: mailId, owner: userId };
}
