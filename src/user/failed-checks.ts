import { Injectable } from '@nestjs/common';
import { WITHOUT_WAITING } from '../foundation/database/disk-wait.js';
import { type Queryable, type Statement, statement } from '../foundation/database/statement.js';

/** What is guessed: the password, or codes of any second factor. */
export type Guessed = 'password' | 'code';

const COUNT: Readonly<Record<Guessed, Statement<{ userId: string }, { failures: number }>>> = {
  password: countOf('user.count_failed_password', 'failed_password_checks'),
  code: countOf('user.count_failed_code', 'failed_code_checks'),
};

const FORGIVE: Readonly<Record<Guessed, Statement<{ userId: string }>>> = {
  password: forgiving('user.forgive_failed_passwords', 'failed_password_checks'),
  code: forgiving('user.forgive_failed_codes', 'failed_code_checks'),
};

const IS_ACTIVE = statement<{ userId: string }>(
  'user.is_active',
  `SELECT 1
   FROM user_account
   WHERE id = :userId AND state = 'active'`,
);

function countOf(name: string, column: string): Statement<{ userId: string }, { failures: number }> {
  return statement<{ userId: string }>(
    name,
    `WITH ${WITHOUT_WAITING}
     UPDATE user_account SET ${column} = ${column} + 1
     FROM without_waiting
     WHERE id = :userId AND state = 'active' AND without_waiting.value IS NOT NULL
     RETURNING ${column} AS failures`,
  ).rows<{ failures: number }>();
}

function forgiving(name: string, column: string): Statement<{ userId: string }> {
  return statement<{ userId: string }>(
    name,
    `UPDATE user_account SET ${column} = 0
     WHERE id = :userId AND state = 'active' AND ${column} > 0
     RETURNING 1`,
  );
}

/** How often in succession a wrong password or code was sent for an active account. */
@Injectable()
export class FailedChecks {
  /**
   * Counts one more. Returns how many there are, or undefined without an active account of this id. The commit does not
   * wait for the disk, or wrong passwords of accounts would take longer than those of names that do not exist
   * (LOG-025).
   */
  async count(on: Queryable, guessed: Guessed, userId: string): Promise<number | undefined> {
    const [row] = await on.query(COUNT[guessed], { userId });
    return row?.failures;
  }

  /** Counts from zero again, without a write if it does already. Returns whether the account is active. */
  async forgive(on: Queryable, guessed: Guessed, userId: string): Promise<boolean> {
    if ((await on.query(FORGIVE[guessed], { userId })).length > 0) return true;
    // Asked afterwards: the update may have waited for another right guess, or for the wrong one that locked the
    // account.
    return (await on.query(IS_ACTIVE, { userId })).length > 0;
  }
}
