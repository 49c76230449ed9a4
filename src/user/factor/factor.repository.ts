import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { purgeStatement, runPurge } from '../../foundation/database/purge.js';
import { type Given, type Queryable, type Statement, statement } from '../../foundation/database/statement.js';
import type { AuthFactor, FactorKind, FactorState, SoleFactorKind } from './factor.entity.js';

/** A seed as it is stored, and to whom it is bound. */
export interface SealedFactor {
  readonly id: string;
  readonly secret: string;
  readonly userId: string;
  readonly orgId: string;
}

/** Attempts at a mailed code (LOG-037); after that, a new one is required. */
const TRIES_PER_CODE = 10;

/** The predicate is that of the unique index; otherwise the conflict would not be found. */
const ONE_OF_EACH = `(user_id, kind) WHERE kind IN ('otp', 'otp_email', 'recovery_codes')`;

/** Setting one up never replaces an active one. */
const BEGIN = statement(
  'factor.begin',
  `INSERT INTO auth_factor AS f (id, user_id, kind, state, session_id, secret, created_at)
   VALUES (:id, :userId, :kind, 'pending', :sessionId, :secret, :createdAt)
   ON CONFLICT ${ONE_OF_EACH} DO UPDATE SET
     session_id = excluded.session_id,
     secret = excluded.secret,
     code_hash = NULL,
     created_at = excluded.created_at
   WHERE f.state = 'pending'
   RETURNING id`,
);

const ADD_READY = statement(
  'factor.add_ready',
  `INSERT INTO auth_factor (id, user_id, kind, state, secret, recovery_hashes, created_at)
   VALUES (:id, :userId, :kind, 'ready', :secret, :recoveryHashes, :createdAt)
   ON CONFLICT ${ONE_OF_EACH} DO NOTHING
   RETURNING id`,
);

/** Activates a factor, also one that is already being set up. */
const ACTIVATE = statement(
  'factor.activate',
  `INSERT INTO auth_factor AS f (id, user_id, kind, state, created_at)
   VALUES (:id, :userId, :kind, 'ready', :createdAt)
   ON CONFLICT ${ONE_OF_EACH} DO UPDATE SET
     state = 'ready',
     session_id = NULL,
     code_hash = NULL,
     created_at = excluded.created_at
   WHERE f.state = 'pending'
   RETURNING id`,
);

const FIND_SECRET = statement(
  'factor.secret',
  `SELECT secret
   FROM auth_factor
   WHERE user_id = :userId AND kind = 'otp' AND state = :state AND (:sessionId = '' OR session_id = :sessionId)`,
).rows<{ secret: string | null }>();

const CONFIRM_TOTP = statement(
  'factor.confirm_totp',
  `UPDATE auth_factor SET state = 'ready', session_id = NULL, last_step = :step
   WHERE user_id = :userId AND kind = 'otp' AND state = 'pending' AND session_id = :sessionId AND secret = :secret
   RETURNING id`,
);

/** Spends a step: each is valid once, and no earlier one is afterwards. The row decides (RFC 6238 §5.2). */
const SPEND_STEP = statement(
  'factor.spend_step',
  `UPDATE auth_factor SET last_step = :step
   WHERE user_id = :userId AND kind = 'otp' AND state = 'ready' AND (last_step IS NULL OR last_step < :step)
   RETURNING id`,
);

const SEALED = statement(
  'factor.sealed',
  `SELECT f.id, f.secret, f.user_id AS "userId", u.org_id AS "orgId"
   FROM auth_factor f
   JOIN user_account u ON u.id = f.user_id
   WHERE f.id > :after AND f.secret IS NOT NULL
   ORDER BY f.id
   LIMIT :most`,
).rows<SealedFactor>();

const RESEAL = statement(
  'factor.reseal',
  `UPDATE auth_factor f SET secret = s.secret
   FROM unnest(:ids::text[], :secrets::text[]) AS s (id, secret)
   WHERE f.id = s.id`,
);

const PUT_CODE = statement(
  'factor.put_code',
  `UPDATE auth_factor SET
     code_hash = :codeHash,
     code_expires_at = :expiresAt,
     code_tries = 0,
     session_id = :sessionId
   WHERE user_id = :userId AND kind = 'otp_email' AND (state = 'ready' OR session_id = :sessionId)
   RETURNING id`,
);

const HAS_LIVING_CODE = `user_id = :userId AND kind = 'otp_email' AND session_id = :sessionId AND code_hash IS NOT NULL
     AND code_expires_at > :now AND code_tries < ${TRIES_PER_CODE}` as const;

const HAS_CODE = statement(
  'factor.has_code',
  `SELECT 1
   FROM auth_factor
   WHERE ${HAS_LIVING_CODE}`,
);

/** Counts before comparing, so that concurrent attempts all count. */
const TRY_CODE = statement(
  'factor.try_code',
  `UPDATE auth_factor SET code_tries = code_tries + 1
   WHERE ${HAS_LIVING_CODE}
   RETURNING code_hash AS "codeHash"`,
).rows<{ codeHash: string }>();

const SPEND_CODE = statement(
  'factor.spend_code',
  `UPDATE auth_factor f SET code_hash = NULL, session_id = NULL, state = 'ready'
   FROM (SELECT id, state FROM auth_factor WHERE user_id = :userId AND kind = 'otp_email' FOR UPDATE) before
   WHERE f.id = before.id AND f.session_id = :sessionId AND f.code_hash = :codeHash
   RETURNING before.state`,
).rows<{ state: FactorState }>();

const CONFIRM_RECOVERY = statement(
  'factor.confirm_recovery',
  `UPDATE auth_factor SET state = 'ready', recovery_hashes = :hashes
   WHERE user_id = :userId AND kind = 'recovery_codes' AND state = 'pending' AND id = :id
   RETURNING id`,
);

const PENDING_RECOVERY = statement(
  'factor.pending_recovery',
  `SELECT id
   FROM auth_factor
   WHERE user_id = :userId AND kind = 'recovery_codes' AND state = 'pending'`,
).rows<{ id: string }>();

const RECOVERY_HASHES = statement(
  'factor.recovery_hashes',
  `SELECT recovery_hashes AS "hashes"
   FROM auth_factor
   WHERE user_id = :userId AND kind = 'recovery_codes' AND state = 'ready'`,
).rows<{ hashes: string[] }>();

/** A concurrent attempt waits for the row and finds the hash gone. */
const SPEND_RECOVERY = statement(
  'factor.spend_recovery',
  `UPDATE auth_factor SET recovery_hashes = array_remove(recovery_hashes, :hash)
   WHERE user_id = :userId AND kind = 'recovery_codes' AND state = 'ready' AND :hash = ANY (recovery_hashes)
   RETURNING cardinality(recovery_hashes) AS left`,
).rows<{ left: number }>();

const LIST = statement(
  'factor.list',
  `SELECT kind, state, cardinality(recovery_hashes) AS left
   FROM auth_factor
   WHERE user_id = :userId
   ORDER BY kind`,
).rows<HeldFactor>();

const HOLDS_ONE_OF = statement(
  'factor.holds_one_of',
  `SELECT 1
   FROM auth_factor
   WHERE user_id = :userId AND state = 'ready' AND kind = ANY (:kinds)`,
);

const REMOVE = statement(
  'factor.remove',
  'DELETE FROM auth_factor WHERE user_id = :userId AND kind = :kind RETURNING state',
);

const DROP_PENDING = statement(
  'factor.drop_pending',
  `DELETE FROM auth_factor
   WHERE user_id = :userId AND session_id = :sessionId AND state = 'pending' AND kind <> 'recovery_codes'
   RETURNING kind`,
).rows<{ kind: FactorKind }>();

/** Begun and never finished; recovery codes wait until their owner comes back. */
const STALE = purgeStatement(
  'auth_factor',
  'id',
  "state = 'pending' AND kind <> 'recovery_codes' AND created_at < :moment",
);

/** A factor without its secrets. */
export interface HeldFactor extends Pick<AuthFactor, 'kind' | 'state'> {
  /** The number of unused recovery codes. */
  readonly left: number;
}

export type NewFactor = Pick<AuthFactor, 'id' | 'userId' | 'kind' | 'createdAt'>;

@Injectable()
export class FactorRepository {
  constructor(private readonly database: Database) {}

  /** Returns whether it has begun: false if it is active already. */
  async begin(tx: Transaction, factor: NewFactor, sessionId: string | null, secret: string | null): Promise<boolean> {
    return hasRow(tx, BEGIN, {
      id: factor.id,
      userId: factor.userId,
      kind: factor.kind,
      sessionId,
      secret,
      createdAt: factor.createdAt,
    });
  }

  /** Returns false if there is one already, active or not. */
  async addReady(
    tx: Transaction,
    factor: NewFactor,
    secret: string | null,
    recoveryHashes: readonly string[],
  ): Promise<boolean> {
    return hasRow(tx, ADD_READY, {
      id: factor.id,
      userId: factor.userId,
      kind: factor.kind,
      secret,
      recoveryHashes,
      createdAt: factor.createdAt,
    });
  }

  /** Returns false if it is active already. */
  async activate(tx: Transaction, { id, userId, kind, createdAt }: NewFactor): Promise<boolean> {
    return hasRow(tx, ACTIVATE, { id, userId, kind, createdAt });
  }

  /** Seeds of users, in the order of their ids. */
  async findSealed(tx: Transaction, after: string, most: number): Promise<SealedFactor[]> {
    return tx.query(SEALED, { after, most });
  }

  async reseal(tx: Transaction, factors: ReadonlyArray<Pick<SealedFactor, 'id' | 'secret'>>): Promise<void> {
    if (factors.length === 0) return;
    await tx.query(RESEAL, { ids: factors.map(({ id }) => id), secrets: factors.map(({ secret }) => secret) });
  }

  /** The sealed seed. `sessionId` empty: in any session. */
  async findSecret(on: Queryable, userId: string, state: FactorState, sessionId = ''): Promise<string | undefined> {
    const [row] = await on.query(FIND_SECRET, { userId, state, sessionId });
    return row?.secret ?? undefined;
  }

  async confirmTotp(
    tx: Transaction,
    userId: string,
    sessionId: string,
    secret: string,
    step: number,
  ): Promise<boolean> {
    return hasRow(tx, CONFIRM_TOTP, { userId, sessionId, secret, step });
  }

  async spendStep(tx: Transaction, userId: string, step: number): Promise<boolean> {
    return hasRow(tx, SPEND_STEP, { userId, step });
  }

  async putCode(
    tx: Transaction,
    userId: string,
    sessionId: string,
    codeHash: string,
    expiresAt: Date,
  ): Promise<boolean> {
    return hasRow(tx, PUT_CODE, { userId, sessionId, codeHash, expiresAt });
  }

  async hasCode(userId: string, sessionId: string, now: Date): Promise<boolean> {
    return hasRow(this.database, HAS_CODE, { userId, sessionId, now });
  }

  /**
   * Counts an attempt and returns the stored form of the mailed code; undefined if there is none. In a transaction of
   * its own.
   */
  async tryCode(userId: string, sessionId: string, now: Date): Promise<string | undefined> {
    const [row] = await this.database.query(TRY_CODE, { userId, sessionId, now });
    return row?.codeHash;
  }

  /** The previous state of the factor; undefined if the code was used meanwhile. */
  async spendCode(
    tx: Transaction,
    userId: string,
    sessionId: string,
    codeHash: string,
  ): Promise<FactorState | undefined> {
    const [row] = await tx.query(SPEND_CODE, { userId, sessionId, codeHash });
    return row?.state;
  }

  /** The id of the codes that are to be saved. */
  async findPendingRecovery(userId: string): Promise<string | undefined> {
    const [row] = await this.database.query(PENDING_RECOVERY, { userId });
    return row?.id;
  }

  async confirmRecovery(
    tx: Transaction,
    { id, userId }: Pick<AuthFactor, 'id' | 'userId'>,
    hashes: readonly string[],
  ): Promise<boolean> {
    return hasRow(tx, CONFIRM_RECOVERY, { id, userId, hashes });
  }

  async recoveryHashes(userId: string): Promise<readonly string[]> {
    const [row] = await this.database.query(RECOVERY_HASHES, { userId });
    return row?.hashes ?? [];
  }

  /** Returns how many codes are left; undefined if this one was used meanwhile. */
  async spendRecovery(tx: Transaction, userId: string, hash: string): Promise<number | undefined> {
    const [row] = await tx.query(SPEND_RECOVERY, { userId, hash });
    return row?.left;
  }

  async list(on: Queryable, userId: string): Promise<HeldFactor[]> {
    return on.query(LIST, { userId });
  }

  async holdsOneOf(tx: Transaction, userId: string, kinds: readonly FactorKind[]): Promise<boolean> {
    return hasRow(tx, HOLDS_ONE_OF, { userId, kinds });
  }

  async remove(tx: Transaction, userId: string, kind: SoleFactorKind): Promise<boolean> {
    return hasRow(tx, REMOVE, { userId, kind });
  }

  /** Drops the factors that were being set up in the session. */
  async dropPending(tx: Transaction, userId: string, sessionId: string): Promise<FactorKind[]> {
    return (await tx.query(DROP_PENDING, { userId, sessionId })).map(({ kind }) => kind);
  }

  async purgePending(on: Queryable, begunBefore: Date): Promise<number> {
    return runPurge(on, STALE, begunBefore);
  }
}

async function hasRow<Values extends object>(
  on: Queryable,
  sql: Statement<Values>,
  ...values: Given<Values>
): Promise<boolean> {
  return (await on.query(sql, ...values)).length > 0;
}
