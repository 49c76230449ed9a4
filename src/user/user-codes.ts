import { Injectable } from '@nestjs/common';
import { Secret } from '../foundation/config/secret.js';
import { equalDigests } from '../foundation/crypto/digest.js';
import { keyedHash } from '../foundation/crypto/keyed-hash.js';
import { MasterKeys, type PurposeKey } from '../foundation/crypto/master-key.js';
import { randomCode } from '../foundation/crypto/random.js';
import { plainCode } from '../foundation/crypto/typed-code.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import { Clock } from '../foundation/time/clock.js';
import { seconds, secondsAfter } from '../foundation/time/duration.js';
import type { CodeKind } from './user-code.entity.js';

const PURPOSE = 'user-code';
/** The lengths of codes. Those of passkeys are in links that managers pass on, and are seldom typed. */
export const CODE_CHARACTERS: Readonly<Record<CodeKind, number>> = {
  init: 6,
  email: 6,
  password_reset: 6,
  passkey: 12,
};
/** After so many wrong tries the code is invalid, and a new mail is needed (LOG-037). */
const TRIES = 10;

export const CODE_LIFETIME_SECONDS: Readonly<Record<CodeKind, number>> = {
  init: 72 * seconds.perHour,
  email: seconds.perHour,
  password_reset: seconds.perHour,
  passkey: seconds.perHour,
};

const PUT = statement(
  'user_code.put',
  `INSERT INTO user_code (user_id, kind, code_hash, expires_at, failures)
   VALUES (:userId, :kind, :codeHash, :expiresAt, 0)
   ON CONFLICT (user_id, kind) DO UPDATE SET
     code_hash = excluded.code_hash,
     expires_at = excluded.expires_at,
     failures = 0`,
);

/** Counts before comparing, so that of 200 concurrent attempts no more are checked than are allowed. */
const TRY = statement(
  'user_code.try',
  `UPDATE user_code SET failures = failures + 1
   WHERE user_id = :userId AND kind = :kind AND expires_at > :now AND failures < ${TRIES}
   RETURNING code_hash AS "codeHash"`,
).rows<{ codeHash: string }>();

const IS_LIVING = statement(
  'user_code.living',
  `SELECT 1
   FROM user_code
   WHERE user_id = :userId AND kind = :kind AND expires_at > :now AND failures < ${TRIES}`,
);

const SPEND = statement(
  'user_code.spend',
  'DELETE FROM user_code WHERE user_id = :userId AND kind = :kind AND code_hash = :codeHash RETURNING 1',
);

const DROP = statement('user_code.drop', 'DELETE FROM user_code WHERE user_id = :userId AND kind = ANY (:kinds)');

/** A code that was typed correctly and is not used up yet; created only by `UserCodes.check`. */
export interface CheckedCode {
  readonly userId: string;
  readonly kind: CodeKind;
  readonly codeHash: string;
}

/** Codes sent by mail: one of a kind at a time, each valid once and for ten attempts. */
@Injectable()
export class UserCodes {
  constructor(
    private readonly database: Database,
    private readonly masterKeys: MasterKeys,
    private readonly clock: Clock,
  ) {}

  /**
   * Issues a new code that replaces the old one. It is for the mail only, or for the link that a manager asks for: no
   * other answer, no event and no log may contain it.
   */
  async issue(tx: Transaction, userId: string, kind: CodeKind): Promise<Secret> {
    const code = randomCode(CODE_CHARACTERS[kind]);
    const codeHash = hashOf(this.masterKeys.current(PURPOSE), userId, kind, code);
    await tx.query(PUT, {
      userId,
      kind,
      codeHash,
      expiresAt: secondsAfter(this.clock.now(), CODE_LIFETIME_SECONDS[kind]),
    });
    return new Secret(code);
  }

  /** Checks a code; the attempt counts whatever follows, so this must run outside any transaction. */
  async check(userId: string, kind: CodeKind, typed: string): Promise<CheckedCode | undefined> {
    const [row] = await this.database.query(TRY, { userId, kind, now: this.clock.now() });
    const key = row && this.masterKeys.find(PURPOSE, row.codeHash.split('.')[1] ?? '');
    if (!key || !equalDigests(Buffer.from(row.codeHash), Buffer.from(hashOf(key, userId, kind, plainCode(typed)))))
      return undefined;
    return { userId, kind, codeHash: row.codeHash };
  }

  /** Uses the code up; deleting the row decides. False if another request was faster, or a newer code was sent. */
  async spend(tx: Transaction, { userId, kind, codeHash }: CheckedCode): Promise<boolean> {
    return (await tx.query(SPEND, { userId, kind, codeHash })).length > 0;
  }

  /** Whether the user has a valid code of this kind. */
  async hasLiving(userId: string, kind: CodeKind): Promise<boolean> {
    return (await this.database.query(IS_LIVING, { userId, kind, now: this.clock.now() })).length > 0;
  }

  /**
   * Invalidates codes, because their purpose is fulfilled or they were sent to an address that is no longer the user's.
   */
  async drop(tx: Queryable, userId: string, kinds: readonly CodeKind[]): Promise<void> {
    await tx.query(DROP, { userId, kinds });
  }
}

function hashOf(key: PurposeKey, userId: string, kind: CodeKind, code: string): string {
  return keyedHash(key, [userId, kind, code]);
}
