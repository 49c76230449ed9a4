import { Injectable } from '@nestjs/common';
import { Secret } from '../foundation/config/secret.js';
import { equalDigests, sha256 } from '../foundation/crypto/digest.js';
import { randomCode } from '../foundation/crypto/random.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import type { EventMark } from '../foundation/event/journal.js';
import { Logger } from '../foundation/log/logger.js';
import { Clock } from '../foundation/time/clock.js';
import { seconds, secondsAfter } from '../foundation/time/duration.js';
import type { User } from './user.entity.js';
import { NEXT_EPOCH, UserService } from './user.service.js';
import { UserMails } from './user-mails.js';

/** 120 bits: the code is never typed, and nothing has to count the attempts. */
const CHARACTERS = 24;
/** How many accounts one round removes. */
const BATCH = 100;

const PUT = statement(
  'account_removal.put',
  'INSERT INTO account_removal (user_id, code_hash, due_at) VALUES (:userId, :codeHash, :dueAt)',
);

/** A change of address that was begun before does not go on in an account that was taken back. */
const DROP_PENDING_EMAIL = statement(
  'account_removal.drop_pending_email',
  'DELETE FROM pending_email WHERE user_id = :userId RETURNING 1',
);

const FIND = statement(
  'account_removal.find',
  `SELECT u.org_id AS "orgId", r.code_hash AS "codeHash"
   FROM account_removal r
   JOIN user_account u ON u.id = r.user_id
   JOIN org o ON o.id = u.org_id AND o.state = 'active'
   WHERE r.user_id = :userId AND r.due_at > :now`,
).rows<{ orgId: string; codeHash: string }>();

const SPEND = statement(
  'account_removal.spend',
  `DELETE FROM account_removal
   WHERE user_id = :userId AND code_hash = :codeHash AND due_at > :now
   RETURNING 1`,
);

const DUE = statement(
  'account_removal.due',
  `SELECT r.user_id AS "userId", (SELECT u.org_id FROM user_account u WHERE u.id = r.user_id) AS "orgId"
   FROM account_removal r
   WHERE r.due_at <= :now
   ORDER BY r.due_at
   LIMIT ${BATCH}`,
).rows<{ userId: string; orgId: string }>();

const IS_DUE = statement(
  'account_removal.is_due',
  'SELECT 1 FROM account_removal WHERE user_id = :userId AND due_at <= :now',
);

export interface ClosedAccount {
  readonly mark: EventMark;
  /** When the account is to be removed; undefined if it is removed already. */
  readonly dueAt: Date | undefined;
}

/** A code that is correct and not used up yet; created only by `AccountRemovals.check`. */
export interface CheckedRemoval {
  readonly userId: string;
  readonly orgId: string;
  readonly codeHash: string;
}

/** Removes a user with everything that belongs to it. */
export type Remover = (tx: Transaction, userId: string) => Promise<void>;

/** Accounts that their users have deleted. */
@Injectable()
export class AccountRemovals {
  private remover: Remover | undefined;

  constructor(
    private readonly database: Database,
    private readonly users: UserService,
    private readonly mails: UserMails,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /** Registers what removes the rest of a user, which only layers above this one know. */
  register(remover: Remover): void {
    this.remover = remover;
  }

  /**
   * Closes the account of a user whose row is locked, and mails the link that takes it back. Every token ends with the
   * commit; the caller ends the sessions.
   * @throws DomainError ResourceExhausted `mail.too_many`
   */
  async begin(tx: Transaction, user: User, graceDays: number): Promise<ClosedAccount> {
    const dueAt = secondsAfter(this.clock.now(), graceDays * seconds.perDay);
    const code = randomCode(CHARACTERS);
    const mark = await this.users.change(
      tx,
      user,
      { state: 'inactive', tokenEpoch: NEXT_EPOCH },
      'user.removal.requested',
      user.id,
      { dueAt: dueAt.toISOString() },
    );
    await tx.query(PUT, { userId: user.id, codeHash: hashOf(code), dueAt });
    await this.mails.dropCodes(tx, user.id, ['init', 'email', 'password_reset', 'passkey']);
    await tx.query(DROP_PENDING_EMAIL, { userId: user.id });
    await this.mails.tellAccountClosed(tx, user, new Secret(code), dueAt);
    return { mark, dueAt };
  }

  /** The account that this code of a mail takes back. */
  async check(userId: string, code: string): Promise<CheckedRemoval | undefined> {
    const [row] = await this.database.query(FIND, { userId, now: this.clock.now() });
    const isRight = row && equalDigests(Buffer.from(row.codeHash), Buffer.from(hashOf(code)));
    return isRight ? { userId, ...row } : undefined;
  }

  /**
   * Opens the account again; its user has to sign in. False if somebody was faster: the same link, a manager, or the
   * removal.
   */
  async takeBack(tx: Transaction, { userId, orgId, codeHash }: CheckedRemoval): Promise<boolean> {
    const user = await this.users.getOf(tx, orgId, userId);
    if (user.state !== 'inactive') return false;
    if ((await tx.query(SPEND, { userId, codeHash, now: this.clock.now() })).length === 0) return false;
    await this.users.change(tx, userId, { state: 'active' }, 'user.removal.withdrawn', userId);
    return true;
  }

  /** Removes the accounts that are due, each in a transaction of its own. Returns their number. */
  async removeDue(): Promise<number> {
    const due = await this.database.query(DUE, { now: this.clock.now() });
    let removed = 0;
    for (const { userId, orgId } of due) {
      try {
        if (await this.removeOne(userId, orgId)) removed += 1;
      } catch (error) {
        // The others are removed nevertheless, and this one is tried again in the next round.
        this.log.error({ err: error, userId }, 'a deleted account could not be removed');
      }
    }
    return removed;
  }

  private async removeOne(userId: string, orgId: string): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const user = await this.users.findOf(tx, orgId, userId);
      // Taken back, or removed by another process, since it was read.
      if (!user || (await tx.query(IS_DUE, { userId, now: this.clock.now() })).length === 0) return false;
      if (!this.remover) return false;
      await this.remover(tx, userId);
      return true;
    });
  }
}

function hashOf(code: string): string {
  return sha256(code).toString('base64url');
}
