import { Injectable } from '@nestjs/common';
import { membersOf } from '../../foundation/database/columns.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { grantsOf } from '../../project/user-grant/grants-of-user.js';
import { PROFILE_MEMBERS } from '../../user/profile.js';
import { User } from '../../user/user.entity.js';
import { userNotFound } from '../../user/user.errors.js';

/** Reads what there is little of, by the user, without hashes, seeds, public keys and codes. */
const OWN_DATA = statement(
  'user.own_data',
  `SELECT json_build_object(
     'user', json_build_object(
       'id', u.id,
       'organization', o.name,
       'state', u.state,
       'userName', u.user_name,
       ${membersOf(User, 'u', PROFILE_MEMBERS)},
       'email', u.email,
       'emailVerified', u.email_verified,
       'phone', u.phone,
       'phoneVerified', u.phone_verified,
       'passwordChangedAt', u.password_changed_at,
       'createdAt', u.creation_date,
       'changedAt', u.change_date),
     'newEmail', (SELECT p.email FROM pending_email p WHERE p.user_id = u.id),
     'secondFactors', (
       SELECT coalesce(
         json_agg(json_build_object('kind', f.kind, 'state', f.state, 'createdAt', f.created_at) ORDER BY f.id), '[]')
       FROM auth_factor f
       WHERE f.user_id = u.id),
     'keys', (
       SELECT coalesce(
         json_agg(json_build_object('name', k.name, 'lastUsedAt', k.last_used_at) ORDER BY k.factor_id), '[]')
       FROM auth_factor f
       JOIN auth_key k ON k.factor_id = f.id
       WHERE f.user_id = u.id),
     'linkedAccounts', (
       SELECT coalesce(
         json_agg(json_build_object(
           'provider', i.name,
           'id', l.external_user_id,
           'name', l.display_name,
           'attributes', l.attributes,
           'since', l.creation_date) ORDER BY l.idp_id, l.external_user_id), '[]')
       FROM idp_link l
       JOIN idp i ON i.id = l.idp_id
       WHERE l.user_id = u.id),
     'roles', (
       SELECT coalesce(
         json_agg(json_build_object('project', p.name, 'roles', g.role_keys, 'state', g.state) ORDER BY g.id), '[]')
       FROM ${grantsOf('u.id')} g
       JOIN project p ON p.id = g.project_id),
     'groups', (
       SELECT coalesce(json_agg(ug.name ORDER BY ug.name), '[]')
       FROM user_group_member gm
       JOIN user_group ug ON ug.id = gm.group_id
       WHERE gm.user_id = u.id),
     'managerRoles', (
       SELECT coalesce(json_agg(json_build_object('level', r.level, 'roles', r.roles)), '[]')
       FROM member r
       WHERE r.user_id = u.id)
   ) AS data
   FROM user_account u
   JOIN org o ON o.id = u.org_id
   WHERE u.id = :userId`,
).rows<{ data: Record<string, unknown> }>();

/*
 * What there may be much of is read page by page, each in a transaction of its own: a slow reader holds no connection.
 * What a page contains is chosen before it is made into JSON. A page begins where an index has the last entry of the
 * page before, so that each costs as much as the first.
 */

/** An entry, and what its statement continues with. */
interface PlacedEntry<Place> {
  readonly data: object;
  readonly place: Place;
}

/** Few at once, since a value may have half a megabyte. */
const METADATA_AT_ONCE = 20;

const METADATA = statement(
  'user.own_metadata',
  `SELECT json_build_object('key', m.key, 'base64', encode(m.value, 'base64')) AS data,
     json_build_object('key', m.key) AS place
   FROM user_metadata m
   WHERE m.user_id = :userId AND m.key > :key
   ORDER BY m.key
   LIMIT ${METADATA_AT_ONCE}`,
).rows<PlacedEntry<{ key: string }>>();

const ENTRIES_AT_ONCE = 1_000;

/** A moment with all its digits, which a `Date` does not have, and an id. */
interface Moment {
  readonly at: string;
  readonly id: string;
}

const BEFORE_ALL: Moment = { at: '-infinity', id: '' };

const SESSIONS = statement(
  'user.own_sessions',
  `SELECT json_build_object(
       'createdAt', s.created_at,
       'passwordCheckedAt', s.password_checked_at,
       'providerCheckedAt', s.external_checked_at,
       'providerProvedAt', s.external_proved_at,
       'passkeyCheckedAt', s.passkey_checked_at,
       'secondFactorCheckedAt', s.factor_checked_at,
       'endedAt', s.ended_at,
       'browser', b.agent,
       'system', b.system,
       'network', b.network) AS data,
     json_build_object('at', s.created_at, 'id', s.id) AS place
   FROM (
     SELECT *
     FROM session
     WHERE user_id = :userId AND (created_at, id) > (:at::timestamptz, :id::text)
     ORDER BY created_at, id
     LIMIT ${ENTRIES_AT_ONCE}) s
   LEFT JOIN browser b ON b.id = s.browser_id
   ORDER BY s.created_at, s.id`,
).rows<PlacedEntry<Moment>>();

const APPLICATIONS = statement(
  'user.own_applications',
  `SELECT json_build_object(
       'clientId', t.client_id,
       'scopes', t.scopes,
       'createdAt', t.created_at,
       'lastUsedAt', t.spent_at,
       'expiresAt', t.expires_at,
       'revokedAt', t.revoked_at) AS data,
     json_build_object('at', t.created_at, 'id', t.id) AS place
   FROM token_family t
   WHERE t.user_id = :userId AND (t.created_at, t.id) > (:at::timestamptz, :id::text)
   ORDER BY t.created_at, t.id
   LIMIT ${ENTRIES_AT_ONCE}`,
).rows<PlacedEntry<Moment>>();

const EVENTS = statement<{ userId: string; sequence: string }>(
  'user.own_events',
  `SELECT json_build_object(
       'at', e.created_at,
       'type', e.type,
       'byYourself', e.editor_id = e.aggregate_id,
       'details', e.payload) AS data,
     json_build_object('sequence', e.sequence::text) AS place
   FROM event e
   WHERE (e.aggregate_type || '/' || e.aggregate_id) = 'user/' || :userId::text AND e.sequence > :sequence::bigint
   ORDER BY e.sequence
   LIMIT ${ENTRIES_AT_ONCE}`,
).rows<PlacedEntry<{ sequence: string }>>();

/**
 * Set for the transaction of a page. PostgreSQL plans for a user who has as much as others, and would sort all that
 * somebody with much more has, for each page.
 */
const ONLY_BY_INDEX = statement('user.own_data_by_index', `SELECT set_config('enable_sort', 'off', true)`);

type Pages = AsyncGenerator<ReadonlyArray<{ readonly data: object }>>;

/** Everything that the service holds about a user, for the user (GDPR articles 15 and 20). */
@Injectable()
export class MyData {
  constructor(private readonly database: Database) {}

  /**
   * A JSON document in pieces of at most some megabytes.
   * @throws DomainError NotFound `user.not_found`, before the first piece
   */
  async of(userId: string): Promise<AsyncGenerator<string>> {
    const [row] = await this.database.query(OWN_DATA, { userId });
    if (!row) throw userNotFound();
    return this.pieces(userId, row.data);
  }

  private async *pieces(userId: string, short: Readonly<Record<string, unknown>>): AsyncGenerator<string> {
    const members = Object.entries(short).map(([name, value]) => `\n  "${name}": ${indented(value, 2)}`);
    yield `{${members.join(',')}`;
    yield* list(
      'metadata',
      this.pages({ key: '' }, (tx, last) => tx.query(METADATA, { userId, ...last })),
    );
    yield* list(
      'sessions',
      this.pages(BEFORE_ALL, (tx, last) => tx.query(SESSIONS, { userId, ...last })),
    );
    yield* list(
      'applications',
      this.pages(BEFORE_ALL, (tx, last) => tx.query(APPLICATIONS, { userId, ...last })),
    );
    yield* list(
      'events',
      this.pages({ sequence: '0' }, (tx, last) => tx.query(EVENTS, { userId, ...last })),
    );
    yield '\n}\n';
  }

  /** Yields pages: each begins after the last entry of the one before, and none is empty. */
  private async *pages<Place>(
    start: Place,
    read: (tx: Transaction, last: Place) => Promise<ReadonlyArray<PlacedEntry<Place>>>,
  ): Pages {
    for (let last = start; ; ) {
      const entries = await this.database.transaction(async (tx) => {
        await tx.query(ONLY_BY_INDEX);
        return read(tx, last);
      });
      if (entries.length === 0) return;
      yield entries;
      last = entries.at(-1)!.place;
    }
  }
}

async function* list(name: string, pages: Pages): AsyncGenerator<string> {
  yield `,\n  "${name}": [`;
  let separator = '';
  for await (const entries of pages) {
    yield separator + entries.map(({ data }) => `\n    ${indented(data, 4)}`).join(',');
    separator = ',';
  }
  yield '\n  ]';
}

/** Indents JSON, for people and for programs. */
function indented(value: unknown, spaces: number): string {
  return JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
