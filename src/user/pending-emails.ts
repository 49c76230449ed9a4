import { Injectable } from '@nestjs/common';
import { Secret } from '../foundation/config/secret.js';
import { equalDigests } from '../foundation/crypto/digest.js';
import { keyedHash } from '../foundation/crypto/keyed-hash.js';
import { MasterKeys, type PurposeKey } from '../foundation/crypto/master-key.js';
import { randomCode } from '../foundation/crypto/random.js';
import { plainCode } from '../foundation/crypto/typed-code.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { type Purge, purgeStatement, runPurge } from '../foundation/database/purge.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import { Clock } from '../foundation/time/clock.js';
import { seconds, secondsAfter } from '../foundation/time/duration.js';
import { toStoredEmail } from '../org/email-address.js';
import { PersonService } from './person.service.js';
import type { User } from './user.entity.js';
import { UserMails } from './user-mails.js';
import { UserRules } from './user-rules.js';

const PURPOSE = 'pending-email';
const CHARACTERS = 6;
const LIFETIME_SECONDS = seconds.perHour;
/** After so many wrong tries the code is invalid, and the change begins anew (LOG-037). */
const TRIES = 10;

const PUT = statement(
  'pending_email.put',
  `INSERT INTO pending_email (user_id, email, code_hash, expires_at, tries)
   VALUES (:userId, :email, :codeHash, :expiresAt, 0)
   ON CONFLICT (user_id) DO UPDATE SET
     email = excluded.email,
     code_hash = excluded.code_hash,
     expires_at = excluded.expires_at,
     tries = 0`,
);

const FIND = statement(
  'pending_email.find',
  `SELECT email
   FROM pending_email
   WHERE user_id = :userId AND expires_at > :now AND tries < ${TRIES}`,
).rows<{ email: string }>();

/** Counts before comparing, so that of many concurrent attempts no more are checked than are allowed. */
const TRY = statement(
  'pending_email.try',
  `UPDATE pending_email SET tries = tries + 1
   WHERE user_id = :userId AND expires_at > :now AND tries < ${TRIES}
   RETURNING email, code_hash AS "codeHash"`,
).rows<{ email: string; codeHash: string }>();

const SPEND = statement(
  'pending_email.spend',
  'DELETE FROM pending_email WHERE user_id = :userId AND code_hash = :codeHash RETURNING 1',
);

const DROP = statement('pending_email.drop', 'DELETE FROM pending_email WHERE user_id = :userId RETURNING 1');

const EXPIRED = purgeStatement('pending_email', 'user_id', 'expires_at < :moment');

/** A code that was typed correctly and is not used up yet; created only by `PendingEmails.check`. */
export interface CheckedEmail {
  readonly userId: string;
  readonly email: string;
  readonly codeHash: string;
}

/** Changes of addresses that wait for a code. Until then, the old address signs in and receives. */
@Injectable()
export class PendingEmails implements Purge {
  constructor(
    private readonly database: Database,
    private readonly people: PersonService,
    private readonly rules: UserRules,
    private readonly mails: UserMails,
    private readonly masterKeys: MasterKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a code to the new address, which replaces an earlier one, and tells the old one. `email` is valid.
   * @throws DomainError ResourceExhausted `mail.too_many`; InvalidArgument `user.rule_refused`
   */
  async begin(tx: Transaction, user: User, typed: string): Promise<void> {
    const email = toStoredEmail(typed);
    await this.rules.checkChange(tx, user, { email }, user.id); // before somebody types a code in vain
    const code = randomCode(CHARACTERS);
    const expiresAt = secondsAfter(this.clock.now(), LIFETIME_SECONDS);
    const codeHash = hashOf(this.masterKeys.current(PURPOSE), user.id, email, code);
    await tx.query(PUT, { userId: user.id, email, codeHash, expiresAt });
    const to = { id: user.id, orgId: user.orgId, email };
    await this.mails.sendNewEmailCode(tx, to, new Secret(code), expiresAt);
    await this.mails.tellAccountChanged(tx, user, 'emailAsked', email);
  }

  /** The address that waits for its code. */
  async find(userId: string): Promise<string | undefined> {
    const [row] = await this.database.query(FIND, { userId, now: this.clock.now() });
    return row?.email;
  }

  /** Checks a code; the attempt counts whatever follows, so this must run outside any transaction. */
  async check(userId: string, typed: string): Promise<CheckedEmail | undefined> {
    const [row] = await this.database.query(TRY, { userId, now: this.clock.now() });
    const key = row && this.masterKeys.find(PURPOSE, row.codeHash.split('.')[1] ?? '');
    if (!row || !key) return undefined;
    const plain = plainCode(typed);
    const isRight = equalDigests(Buffer.from(row.codeHash), Buffer.from(hashOf(key, userId, row.email, plain)));
    return isRight ? { userId, ...row } : undefined;
  }

  /**
   * Makes the address that of the user, and tells the old one. False if another request was faster, or a newer code was
   * sent.
   */
  async spend(tx: Transaction, user: User, { email, codeHash }: CheckedEmail): Promise<boolean> {
    if ((await tx.query(SPEND, { userId: user.id, codeHash })).length === 0) return false;
    await this.mails.tellAccountChanged(tx, user, 'emailChanged', email);
    await this.people.takeEmail(tx, user, email);
    return true;
  }

  /** Cancels a change that the user does not want. */
  async drop(on: Queryable, userId: string): Promise<boolean> {
    return (await on.query(DROP, { userId })).length > 0;
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return runPurge(on, EXPIRED, now);
  }
}

function hashOf(key: PurposeKey, userId: string, email: string, code: string): string {
  return keyedHash(key, [userId, email, code]);
}
