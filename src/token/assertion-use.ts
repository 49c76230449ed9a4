import { Injectable } from '@nestjs/common';
import { sha256 } from '../foundation/crypto/digest.js';
import { Database } from '../foundation/database/database.js';
import { type Purge, purgeStatement, runPurge } from '../foundation/database/purge.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import type { Assertion } from './assertion.js';

/** An expired entry counts as absent: the assertion itself has expired by then. */
const SPEND = statement(
  'assertion.spend',
  `INSERT INTO spent_assertion AS s (digest, keep_until)
   VALUES (:digest, :keepUntil)
   ON CONFLICT (digest) DO UPDATE SET keep_until = excluded.keep_until
   WHERE s.keep_until <= :now
   RETURNING digest`,
);

const EXPIRED = purgeStatement('spent_assertion', 'digest', 'keep_until < :moment');

/** Each has its own `jti` values: RFC 7523 §2.1 for a grant, RFC 7523 §2.2 for the authentication of a client. */
export type AssertionPurpose = 'grant' | 'client';

/** RFC 7523 §3 item 7: an assertion with a `jti` is used once, across all processes. */
@Injectable()
export class AssertionUse implements Purge {
  constructor(private readonly database: Database) {}

  /**
   * Whether this was the first use, which one without a `jti` always is. The entry is kept until the assertion expires.
   */
  async spend(purpose: AssertionPurpose, { issuer, jti, expiresAt }: Assertion, now: Date): Promise<boolean> {
    if (jti === undefined) return true;
    const digest = sha256(`${purpose}\0${issuer}\0${jti}`);
    const rows = await this.database.query(SPEND, { digest, keepUntil: expiresAt, now });
    return rows.length === 1;
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return runPurge(on, EXPIRED, now);
  }
}
