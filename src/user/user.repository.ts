import { Injectable } from '@nestjs/common';
import type { JWK } from 'jose';
import { shareLocksAndTake } from '../foundation/database/advisory-lock.js';
import { columnsOf, insertForEach, type ValuesOf } from '../foundation/database/columns.js';
import { Database } from '../foundation/database/database.js';
import { type Queryable, type Statement, statement } from '../foundation/database/statement.js';
import { journalSql, lastSequenceSql } from '../foundation/event/journal.js';
import { domainLockOf, isWithinOrg, mustBeDomain, scopeLockOf } from '../org/name-scope.js';
import type { ServiceUserAccount, SignInAccount } from './account.js';
import {
  ACCOUNT_COLUMNS,
  type FoundByName,
  type LoginNameQuestion,
  loginNameSql,
  soleOf,
  toLoginNameQuestion,
} from './login-name-search.js';
import { toPhoneNumber } from './phone-number.js';
import { PROFILE_MEMBERS } from './profile.js';
import { User } from './user.entity.js';
import { isInState, isOfKind, isOfOrg, parseLoginName } from './user-name.js';

const FIND_BY_LOGIN_NAME = statement<LoginNameQuestion>(
  'user.by_login_name',
  loginNameSql(ACCOUNT_COLUMNS, (name) => `:${name}`),
).rows<SignInAccount & FoundByName>();

/**
 * What a name meets among the names that exist. The scope in which the name must be unique comes first, since the rest
 * depends on it.
 *
 * `hasNamesake`: another user has the same login name in another form, `alice` at a domain, or `alice@domain` as a
 * whole name. A whole name that is unique within an organization only counts there. `:isToBeProved`: the name is the
 * user's own address, and the user cannot sign in before proving it, so that it takes nothing from anybody before.
 */
const NAME_FACTS = statement(
  'user.name_facts',
  `SELECT
     scope.name AS "nameScope",
     EXISTS (
       SELECT 1
       FROM user_account u
       WHERE u.name_scope IN ('', scope.name) AND u.user_name_key = :nameKey
         AND CASE WHEN scope.name = '' THEN NOT ${isWithinOrg('u')} ELSE u.kind = 'human' AND u.org_id = scope.name END
     ) AS "isTaken",
     EXISTS (
       SELECT 1
       FROM user_account u
       WHERE u.name_scope = '' AND u.user_name_key = :nameKey AND u.id <> :exceptId
     ) AS "isReserved",
     EXISTS (
       SELECT 1
       FROM user_account u
       JOIN org_domain d ON ${isOfOrg('u', 'd.org_id')} AND d.is_verified AND d.domain = :domain
       WHERE u.name_scope IN ('', d.org_id) AND u.user_name_key = :localKey
         AND (scope.name = '' OR u.org_id = :orgId) AND u.id <> :exceptId
     ) OR EXISTS (
       SELECT 1
       FROM user_account u
       JOIN org_domain d ON d.org_id = :orgId AND d.is_verified
       WHERE u.name_scope IN ('', :orgId) AND u.user_name_key = :nameKey || '@' || d.domain AND u.id <> :exceptId
         AND (u.org_id = :orgId OR NOT ${isWithinOrg('u')})
     ) AS "hasNamesake",
     EXISTS (
       SELECT 1
       FROM org_domain d
       WHERE d.domain = :domain AND d.is_proved AND d.org_id <> :orgId
     ) AS "isAtDomainOfAnother",
     :isHuman::boolean AND (
       (scope.name = '' AND EXISTS (
         SELECT 1
         FROM user_account u
         WHERE :domain <> '' AND u.email_key = :nameKey AND u.email_verified AND u.id <> :exceptId
           AND (u.email_proof = 'owner' OR NOT :isToBeProved::boolean)
           AND (u.org_id = :orgId OR NOT EXISTS (
             SELECT 1 FROM org_domain d WHERE d.domain = :domain AND d.is_proved AND d.org_id = :orgId))
       ))
       OR (scope.name = '' AND EXISTS (
         SELECT 1
         FROM user_account u
         WHERE :phone <> '' AND u.phone = :phone AND u.phone_verified AND u.id <> :exceptId
       ))
       OR EXISTS (
         SELECT 1
         FROM org_domain d
         JOIN user_account u ON u.email_key = :nameKey || '@' || d.domain
         WHERE d.org_id = :orgId AND d.is_verified AND NOT d.is_proved
           AND u.email_verified AND u.id <> :exceptId
           AND (u.email_proof IN ('owner', 'import') OR NOT (u.org_id = :orgId OR :isToBeProved::boolean))
       )
     ) AS "isAddressOfAnother"
   FROM (SELECT CASE WHEN :isHuman::boolean AND ${mustBeDomain(':orgId')} THEN :orgId ELSE '' END AS name) AS scope`,
).rows<NameFacts>();

const NEW_PROPERTIES = [
  'id',
  'orgId',
  'kind',
  'state',
  'userName',
  'userNameKey',
  'reservedScope',
  'creationDate',
  'changeDate',
] as const;
const NEW_HUMAN_PROPERTIES = [
  ...NEW_PROPERTIES,
  ...PROFILE_MEMBERS,
  'email',
  'emailKey',
  'emailVerified',
  'emailProof',
  'emailVerifiedAt',
  'phone',
  'phoneVerified',
  'phoneVerifiedAt',
  'passwordHash',
  'passwordChangedAt',
  'passwordChangeRequired',
] as const;
const NEW_SERVICE_PROPERTIES = [
  ...NEW_PROPERTIES,
  'serviceName',
  'description',
  'accessTokenType',
  'accessTokenHeaderType',
] as const;

type NewHumanRow = ValuesOf<User, (typeof NEW_HUMAN_PROPERTIES)[number]> & { readonly kind: 'human' };
type NewServiceRow = ValuesOf<User, (typeof NEW_SERVICE_PROPERTIES)[number]> & { readonly kind: 'service' };
export type NewUserRow = NewHumanRow | NewServiceRow;

/** How the journal records that a user was added. */
export interface AddedBy {
  readonly eventType: string;
  readonly editorId: string;
}

/**
 * A user with the first event, in one statement: each wait for the server costs as much as what it does. Each raise of
 * the epoch has its event, so a user who gets the id of a removed one starts above all of that one's tokens.
 */
function insertUser<Row extends NewUserRow>(
  name: string,
  properties: ReadonlyArray<keyof Row & keyof User>,
): Statement<Row & AddedBy, { sequence: string }> {
  return statement<Row & AddedBy>(
    name,
    `WITH numbered AS MATERIALIZED (SELECT ${lastSequenceSql(`'user'`, ':id')} AS last),
     added AS (
       ${insertForEach(User, properties, 'numbered', { tokenEpoch: 'numbered.last', sequence: 'numbered.last + 1' })}
       RETURNING sequence),
     recorded AS (
       ${journalSql(
         {
           aggregateType: `'user'`,
           aggregateId: ':id',
           type: ':eventType',
           orgId: ':orgId',
           editorId: ':editorId',
           at: ':creationDate',
           payload: `jsonb_build_object('userName', :userName::text)`,
         },
         'added',
       )})
     SELECT sequence FROM added`,
  ).rows<{ sequence: string }>();
}

const INSERT_HUMAN = insertUser<NewHumanRow>('user.insert_human', NEW_HUMAN_PROPERTIES);
const INSERT_SERVICE = insertUser<NewServiceRow>('user.insert_service', NEW_SERVICE_PROPERTIES);

type ServiceRow = Omit<ServiceUserAccount, 'keys'> & { keys: Array<{ id: string; publicKey: JWK; expiresAt: string }> };

const SERVICE_PROPERTIES = [
  'id',
  'orgId',
  'userName',
  'accessTokenType',
  'accessTokenHeaderType',
  'tokenEpoch',
  'secretHash',
] as const;

/** An exact match of the id takes precedence over names that differ in case. */
const FIND_SERVICE = statement(
  'user.service',
  `SELECT ${columnsOf(User, 'u', SERVICE_PROPERTIES)},
     (SELECT coalesce(
        json_agg(json_build_object('id', k.id, 'publicKey', k.public_key, 'expiresAt', k.expires_at)), '[]')
      FROM machine_key k
      WHERE k.user_id = u.id) AS keys
   FROM user_account u
   JOIN org o ON o.id = u.org_id AND o.state = 'active'
   WHERE ${isOfKind('u', 'service')} AND ${isInState('u', 'active')}
     AND (u.id = :nameOrId OR (u.user_name_key = :nameKey AND u.name_scope = ''))
   ORDER BY u.id <> :nameOrId
   LIMIT 1`,
).rows<ServiceRow>();

export interface NameQuestion extends Pick<User, 'kind' | 'orgId' | 'userName'> {
  readonly id?: string;
  /** See `NAME_FACTS`. */
  readonly isToBeProved?: boolean;
}

/** What a name meets among the names that exist. */
export interface NameFacts {
  /** The scope in which the name must be unique: empty for the instance, or the id of the organization. */
  readonly nameScope: string;
  /** Whether a user has exactly that name where it must be unique. */
  readonly isTaken: boolean;
  /** Whether another user has it reserved in the instance, which need not be necessary. */
  readonly isReserved: boolean;
  /**
   * Whether another user has the login name in another form: it would be ambiguous, and one user could shut out the
   * other.
   */
  readonly hasNamesake: boolean;
  /** Whether the part after the last @ is a domain that another organization has proved. */
  readonly isAtDomainOfAnother: boolean;
  /**
   * Whether a login name that comes with it is the verified address, or phone number, of another user, who would no
   * longer sign in by it. At domains that the organization has not proved, only addresses count that their owners have
   * proved, or that were imported: by vouching for some, another organization could refuse names here.
   */
  readonly isAddressOfAnother: boolean;
}

@Injectable()
export class UserRepository {
  constructor(private readonly database: Database) {}

  /** The user with that login name; undefined if it is ambiguous. `orgId` empty: in any organization. */
  async findByLoginName(typed: string, orgId: string): Promise<SignInAccount | undefined> {
    return soleOf(await this.database.query(FIND_BY_LOGIN_NAME, toLoginNameQuestion(typed, orgId)));
  }

  /**
   * What stands in the way of a user's new name. It is read after the locks, and does not change until the transaction
   * ends: the policy, the domains and all names that begin alike are locked.
   */
  async nameFacts(
    tx: Queryable,
    { kind, orgId, userName, id = '', isToBeProved = false }: NameQuestion,
  ): Promise<NameFacts> {
    const { nameKey, localKey, domain } = parseLoginName(userName);
    await shareLocksAndTake(tx, 'nameScope', {
      shared: [scopeLockOf(orgId), ...(domain === '' ? [] : [domainLockOf(domain)])],
      text: `user-name:${nameKey.split('@', 1)[0] ?? ''}`,
    });
    const isHuman = kind === 'human';
    const [facts] = await tx.query(NAME_FACTS, {
      isHuman,
      nameKey,
      localKey,
      domain,
      phone: toPhoneNumber(userName) ?? '',
      orgId,
      exceptId: id,
      isToBeProved,
    });
    return facts!;
  }

  /** Inserts a user with the first event, and returns its number. */
  async insert(tx: Queryable, user: NewUserRow, by: AddedBy): Promise<bigint> {
    const [row] =
      user.kind === 'human'
        ? await tx.query(INSERT_HUMAN, { ...user, ...by })
        : await tx.query(INSERT_SERVICE, { ...user, ...by });
    return BigInt(row!.sequence);
  }

  async findService(nameOrId: string): Promise<ServiceUserAccount | undefined> {
    const [row] = await this.database.query(FIND_SERVICE, { nameOrId, nameKey: parseLoginName(nameOrId).nameKey });
    return row && { ...row, keys: row.keys.map((key) => ({ ...key, expiresAt: new Date(key.expiresAt) })) };
  }
}
