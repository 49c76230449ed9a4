import { Injectable } from '@nestjs/common';
import { sha256 } from '../../foundation/crypto/digest.js';
import { columnsOf } from '../../foundation/database/columns.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { purgeStatement, runPurge } from '../../foundation/database/purge.js';
import { type Queryable, statement } from '../../foundation/database/statement.js';
import { AuthKey } from './auth-key.entity.js';
import type { OpenChallenge } from './challenge.js';
import type { KeyKind } from './factor.entity.js';
import { AuthFactor } from './factor.entity.js';
import { COUNTS_ON, type KeyUse, USED } from './key-use-sql.js';

/** A passkey or security key, as its owner sees it. */
export interface HeldKey
  extends Pick<
    AuthKey,
    'credentialId' | 'userHandle' | 'transports' | 'rpId' | 'name' | 'backupEligible' | 'backedUp' | 'lastUsedAt'
  > {
  readonly id: string;
  readonly kind: KeyKind;
  readonly createdAt: Date;
  /** The session in which it was made, until its owner has given it a name there. */
  readonly newIn: string | null;
}

/** A key with what is needed to check an answer of it. */
export interface FoundKey extends HeldKey, Pick<AuthKey, 'publicKey' | 'signCount'> {
  readonly userId: string;
}

export type NewKey = Pick<AuthFactor, 'id' | 'userId' | 'sessionId' | 'createdAt'> &
  Omit<AuthKey, 'factorId' | 'lastUsedAt' | 'userHandle'> & { readonly kind: KeyKind };

const HELD = `f.id, f.session_id AS "newIn",
     ${columnsOf(AuthFactor, 'f', ['kind', 'createdAt'])},
     ${columnsOf(AuthKey, 'k', [
       'credentialId',
       'userHandle',
       'transports',
       'rpId',
       'name',
       'backupEligible',
       'backedUp',
       'lastUsedAt',
     ])}`;

/** The index decides whether the id is free, also among the keys of other users. */
const ADD = statement(
  'passkey.add',
  `WITH factor AS (
     INSERT INTO auth_factor (id, user_id, kind, state, session_id, created_at)
     SELECT
       :id,
       :userId,
       :kind,
       'ready',
       :sessionId,
       :createdAt
     WHERE NOT EXISTS (SELECT 1 FROM auth_key WHERE credential_id = :credentialId)
     RETURNING id)
   INSERT INTO auth_key (
     factor_id, credential_id, public_key, rp_id, sign_count, transports, aaguid, backup_eligible, backed_up, name)
   SELECT
     id,
     :credentialId,
     :publicKey,
     :rpId,
     :signCount,
     :transports,
     :aaguid,
     :backupEligible,
     :backedUp,
     :name
   FROM factor
   ON CONFLICT (credential_id) DO NOTHING
   RETURNING factor_id`,
);

const LIST = statement(
  'passkey.list',
  `SELECT ${HELD}
   FROM auth_factor f
   JOIN auth_key k ON k.factor_id = f.id
   WHERE f.user_id = :userId
   ORDER BY f.created_at, f.id`,
).rows<HeldKey>();

const FIND = statement(
  'passkey.find',
  `SELECT ${HELD}, f.user_id AS "userId", ${columnsOf(AuthKey, 'k', ['publicKey', 'signCount'])}
   FROM auth_key k
   JOIN auth_factor f ON f.id = k.factor_id
   WHERE k.credential_id = :credentialId`,
).rows<FoundKey>();

const RENAME = statement(
  'passkey.rename',
  `UPDATE auth_key k SET name = :name
   FROM auth_factor f
   WHERE k.factor_id = :id AND f.id = k.factor_id AND f.user_id = :userId
   RETURNING f.kind`,
).rows<{ kind: KeyKind }>();

/** Marks a key that has got its name. */
const NAMED = statement(
  'passkey.named',
  `UPDATE auth_factor SET session_id = NULL
   WHERE id = :id AND user_id = :userId AND kind IN ('passkey', 'u2f')
   RETURNING id`,
);

const REMOVE = statement(
  'passkey.remove',
  `DELETE FROM auth_factor f
   USING auth_key k
   WHERE f.id = :id AND f.user_id = :userId AND f.kind = :kind AND k.factor_id = f.id
   RETURNING k.name`,
).rows<{ name: string }>();

const USE = statement<{ id: string } & KeyUse & { now: Date }>(
  'passkey.use',
  `UPDATE auth_key k SET ${USED}
   WHERE k.factor_id = :id AND ${COUNTS_ON}
   RETURNING k.factor_id`,
);

/** The row is the verdict (WebAuthn Level 3 §13.4.3). */
const SPEND = statement(
  'challenge.spend',
  `INSERT INTO spent_challenge (hash, key_hash, expires_at)
   VALUES (:hash, NULL, :expiresAt)
   ON CONFLICT (hash) DO NOTHING
   RETURNING 1`,
);

const EXPIRED = purgeStatement('spent_challenge', 'hash', 'expires_at < :moment');

const ELSEWHERE = statement(
  'passkey.elsewhere',
  `SELECT (SELECT count(*) FROM auth_key WHERE rp_id < :rpId) + (SELECT count(*) FROM auth_key WHERE rp_id > :rpId)
     AS count`,
).rows<{ count: string }>();

/** The tables of passkeys and security keys. */
@Injectable()
export class PasskeyRepository {
  constructor(private readonly database: Database) {}

  /** False if the credential id is that of another key. */
  async add(tx: Transaction, key: NewKey): Promise<boolean> {
    return (await tx.query(ADD, { ...key })).length > 0;
  }

  /** All keys of the user, the oldest first. */
  async list(on: Queryable, userId: string): Promise<HeldKey[]> {
    return on.query(LIST, { userId });
  }

  async find(credentialId: string): Promise<FoundKey | undefined> {
    const [key] = await this.database.query(FIND, { credentialId });
    return key;
  }

  /** The kind of the key; undefined if the user does not have it. */
  async rename(tx: Transaction, userId: string, id: string, name: string): Promise<KeyKind | undefined> {
    const [key] = await tx.query(RENAME, { userId, id, name });
    if (key) await tx.query(NAMED, { userId, id });
    return key?.kind;
  }

  /** The name that it had; undefined if the user does not have it. */
  async remove(tx: Transaction, userId: string, id: string, kind: KeyKind): Promise<string | undefined> {
    const [key] = await tx.query(REMOVE, { userId, id, kind });
    return key?.name;
  }

  /** False if the counter went back, or the key was removed meanwhile. */
  async use(tx: Transaction, id: string, used: KeyUse & { readonly now: Date }): Promise<boolean> {
    return (await tx.query(USE, { id, ...used })).length > 0;
  }

  /** Returns false if the challenge was answered already. */
  async spend(tx: Transaction, challenge: OpenChallenge): Promise<boolean> {
    const { value, expiresAt } = challenge;
    return (await tx.query(SPEND, { hash: sha256(value), expiresAt })).length > 0;
  }

  async purgeSpent(on: Queryable, now: Date): Promise<number> {
    return runPurge(on, EXPIRED, now);
  }

  /** How many keys were made for another domain. */
  async countElsewhere(rpId: string): Promise<number> {
    const [row] = await this.database.query(ELSEWHERE, { rpId });
    return Number(row?.count ?? 0);
  }
}
