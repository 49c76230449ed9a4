import { Injectable } from '@nestjs/common';
import { createHmac } from 'node:crypto';
import { MasterKeys, type PurposeKey } from '../crypto/master-key.js';
import { randomCode } from '../crypto/random.js';
import { Secret } from '../crypto/secret.js';
import type { Transaction } from '../database/database.js';
import { statement, type Queryable } from '../database/statement.js';
import { Clock } from '../time/clock.js';
import { seconds, secondsAfter } from '../time/duration.js';
import type { CodeKind } from './user-code.entity.js';

const PURPOSE = 'user-code';
const CHARACTERS = 6;

export const CODE_LIFETIME_SECONDS: Readonly<Record<CodeKind, number>> = {
  init: 72 * seconds.perHour,
  email: seconds.perHour,
  password_reset: seconds.perHour,
};

const PUT = statement(
  'user_code.put',
  `INSERT INTO user_code (user_id, kind, code_hash, expires_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (user_id, kind) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
);

const FIND = statement('user_code.find', 'SELECT code_hash AS "codeHash" FROM user_code WHERE user_id = $1 AND kind = $2 AND expires_at > $3');

const SPEND = statement('user_code.spend', 'DELETE FROM user_code WHERE user_id = $1 AND kind = $2 AND code_hash = $3 AND expires_at > $4 RETURNING 1');

const DROP = statement('user_code.drop', 'DELETE FROM user_code WHERE user_id = $1 AND kind = ANY ($2)');

/** The codes that people get by mail: one of a kind at a time, each good once. */
@Injectable()
export class UserCodes {
  constructor(
    private readonly masterKeys: MasterKeys,
    private readonly clock: Clock,
  ) {}

  /** A new code in place of the old one. It is for the mail alone: no answer, no event and no log holds it. */
  async issue(tx: Transaction, userId: string, kind: CodeKind): Promise<Secret> {
    const code = randomCode(CHARACTERS);
    const codeHash = hashOf(this.masterKeys.current(PURPOSE), userId, kind, code);
    await tx.query(PUT, [userId, kind, codeHash, secondsAfter(this.clock.now(), CODE_LIFETIME_SECONDS[kind])]);
    return new Secret(code);
  }

  /**
   * Whether this is the code, which is then worth nothing any more: the row that the statement deletes is the verdict. How
   * often one may try is the caller's to limit.
   */
  async spend(tx: Queryable, userId: string, kind: CodeKind, typed: string): Promise<boolean> {
    const now = this.clock.now();
    const [row] = await tx.query<{ codeHash: string }>(FIND, [userId, kind, now]);
    const key = row && this.masterKeys.find(PURPOSE, row.codeHash.split('.')[1] ?? '');
    if (!key) return false;
    return (await tx.query(SPEND, [userId, kind, hashOf(key, userId, kind, typed.trim().toUpperCase()), now])).length > 0;
  }

  /** Makes codes worthless, because what they were for is done, or because the address that they went to is not the person's any more. */
  async drop(tx: Queryable, userId: string, kinds: readonly CodeKind[]): Promise<void> {
    await tx.query(DROP, [userId, kinds]);
  }
}

function hashOf({ id, key }: PurposeKey, userId: string, kind: CodeKind, code: string): string {
  return `v1.${id}.${createHmac('sha256', key).update(JSON.stringify([userId, kind, code])).digest('base64url')}`;
}
