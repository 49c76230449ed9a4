import { isThere } from '../../foundation/database/is-there.js';
import { toSnakeCase } from '../../foundation/database/snake-case.js';
import { isWithinOrg, mustBeDomain } from '../../org/name-scope.js';
import { hasDoubleIn, isApplicationIn } from '../../user/client-ids.js';
import { METADATA_IN_PATH, USER_IN_PATH } from '../../user/in-path.js';
import { PROFILE_MEMBERS, type Profile } from '../../user/profile.js';
import { domainIn, extendsName, isAtDomainIn, isOfKind, isOfOrg, localKeyIn } from '../../user/user-name.js';
import { canBeInPath } from './ids.js';
import { orgStage } from './org.part.js';
import { forEach } from './part.js';
import { type Check, inQuotes, OWN, orgNamed, type Row, refersTo, type Stage, staging } from './stage.js';

/** The columns of a profile, each with its member. */
export const PROFILE_COLUMNS = PROFILE_MEMBERS.map((member) => ({ member, column: toSnakeCase(member) }));

/** A profile as its columns. */
export function toProfileColumns(profile: Readonly<Profile>): Row {
  return Object.fromEntries(PROFILE_COLUMNS.map(({ member, column }) => [column, profile[member]]));
}

const USER_COLUMNS = [
  'org_id',
  'kind',
  'state',
  'awaits_set_up',
  'user_name',
  'user_name_key',
  'name_scope',
  ...PROFILE_COLUMNS.map(({ column }) => column),
  'email',
  'email_key',
  'email_verified',
  'email_proof',
  'email_verified_at',
  'email_may_stay_unverified',
  'phone',
  'phone_verified',
  'phone_verified_at',
  'password_hash',
  'password_change_required',
  'password_changed_at',
  'service_name',
  'description',
  'access_token_type',
  'access_token_header_type',
  'secret_hash',
  'token_epoch',
];

const staged = staging('user_account');
const stagedDomain = staging('org_domain');

/** Whether people of the organization `s` will sign in with its domain: by the document's policy, or else as now. */
const willBeDomain = `coalesce(
    (
      SELECT p.user_login_must_be_domain
      FROM ${staging('domain_policy')} p
      WHERE p.owner_id = s.org_id AND p._verdict IS NULL
      LIMIT 1
    ),
    ${mustBeDomain('s.org_id')}
  )`;

/** A user who is stored or in the document. Each condition is a look-up in an index that both tables have. */
const anyUser = (alias: string, condition: string): string =>
  `(${isThere(`user_account ${alias}`, condition)} OR ${isThere(`${staged} ${alias}`, condition)})`;
/** A verified domain that is stored or in the document. */
const anyDomain = (condition: string): string =>
  `(${isThere('org_domain d', `d.is_verified AND ${condition}`)}
    OR ${isThere(`${stagedDomain} d`, `d.is_verified AND ${condition}`)})`;

/**
 * People who sign in by a whole name, at a domain. For users of the document, whose names are reserved as widely as
 * their policy demands, and for others of their organization.
 */
const hasWholeName = (alias: string): string =>
  `${isOfKind(alias, 'human')} AND ${alias}.name_scope = '' AND ${isAtDomainIn(`${alias}.user_name_key`)}`;
/**
 * An expression, so that the planner cannot use the index by organization: for an organization that was just filled, it
 * expects a single row from it.
 */
const inSameOrg = (alias: string): string => isOfOrg(alias, 's.org_id');

/** Finds others of the organization whose name at one of its domains is the whole name of `s`. */
const isNamedAtDomain = anyUser(
  'n',
  `n.name_scope = ''
     AND n.user_name_key = ${localKeyIn('s.user_name_key')}
     AND ${inSameOrg('n')}
     AND ${isOfKind('n', 'human')}
     AND n.id <> s.id`,
);
/** Finds others of the organization whose whole name is the name of `s` at one of its domains. */
const isNamedWhole = anyUser(
  'w',
  `${hasWholeName('w')}
     AND ${extendsName('w.user_name_key', 's.user_name_key')}
     AND ${inSameOrg('w')}
     AND w.id <> s.id
     AND ${localKeyIn('w.user_name_key')} = s.user_name_key
     AND ${anyDomain(`d.org_id = w.org_id AND d.domain = ${domainIn('w.user_name_key')}`)}`,
);
const LOGIN_NAME_OF_TWO = 'has the login name of another user, once as a whole name and once as a name at a domain';

/**
 * Who has the user name, and the remedies: change the name on either side, or make names unique within the organization
 * only.
 */
const NAMESAKE = `', which the '
  || CASE t.kind WHEN 'human' THEN 'user ' ELSE 'service user ' END
  || t.id || ' of ' || ${orgNamed('t.org_id')} || ' has here. '
  || 'Rename that one, or change user.userName in the document'
  || CASE
       WHEN s.kind = 'human' AND s.name_scope = ''
       THEN ', or add "domainPolicy": {"userLoginMustBeDomain": true} to the organization in the document: '
         || 'its names are then unique within it'
       ELSE ''
     END`;

/** A link with a provider that is not imported is of no use. */
const hasUsableLink = `EXISTS (
    SELECT 1 FROM ${staging('idp_link')} l
    WHERE l.user_id = s.id
      AND (
        ${isThere(`${staging('idp')} i`, 'i.id = l.idp_id AND i._verdict IS NULL')}
        OR ${isThere('idp i', 'i.id = l.idp_id')}
      )
  )`;

/** What passkeys are staged as. */
export const STAGED_PASSKEYS = 'passkey';
/** One of another domain is left out from the beginning. */
const hasUsablePasskey = `EXISTS (
    SELECT 1 FROM ${staging(STAGED_PASSKEYS)} p
    WHERE p.user_id = s.id AND p.kind = 'passkey' AND p._verdict IS NULL
  )`;

/**
 * A user who can already sign in needs no set-up: with a password and a verified address, through a provider, or with a
 * passkey.
 */
const SET_STATE = `UPDATE ${staged} s
  SET state = CASE
    WHEN (s.password_hash IS NOT NULL AND s.email_verified) OR ${hasUsableLink} OR ${hasUsablePasskey} THEN 'active'
    ELSE 'initial'
  END
  WHERE s.state IS NULL AND NOT ${isThere('user_account u', 'u.id = s.id')}`;

/**
 * A user who had the id before was removed, and their tokens must stay invalid: each raise of an epoch has its event
 * (docs/adr/0001).
 */
const SET_EPOCH = `UPDATE ${staged} s
  SET token_epoch = e.last
  FROM (
    SELECT e.aggregate_id AS id, max(e.sequence) AS last
    FROM event e
    JOIN ${staged} d ON d.id = e.aggregate_id
    WHERE e.aggregate_type = 'user'
    GROUP BY 1
  ) e
  WHERE e.id = s.id`;

const SET_NAME_SCOPE = `UPDATE ${staged} s
  SET name_scope = s.org_id
  WHERE s.kind = 'human'
    AND s.org_id IN (
      SELECT s.org_id FROM (SELECT DISTINCT d.org_id FROM ${staged} d) s WHERE ${willBeDomain}
    )`;

/** Users whose name is reserved more widely than their policy demands give way, as in user/name-scope.service.ts. */
const MAKE_WAY = `UPDATE user_account u
  SET name_scope = u.org_id
  WHERE u.id = ANY (ARRAY(
    SELECT t.id
    FROM ${staged} s
    ${forEach(`
      SELECT t.id
      FROM user_account t
      WHERE t.name_scope = ''
        AND t.user_name_key = s.user_name_key
        AND t.id <> s.id
        AND (s.name_scope = '' OR ${inSameOrg('t')})
        AND ${isWithinOrg('t')}`)} t
  ))`;

const AS_SERVICE_USER = { id: 's.id', idKey: 's.id_key', name: 's.user_name' };

export const userStage: Stage = {
  table: 'user_account',
  name: 'a user',
  key: ['id'],
  columns: USER_COLUMNS,
  optional: ['password_hash', 'secret_hash', 'state'],
  uncompared: [
    'email_proof',
    'email_verified_at',
    'phone_verified_at',
    'password_changed_at',
    'name_scope',
    'token_epoch',
  ],
  // The id of a service user as names are compared.
  asides: ['id_key'],
  // The password was imported in this form and rehashed when its owner signed in.
  sameAs: { password_hash: `t.password_origin = sha256(convert_to(s.password_hash, 'UTF8'))` },
  ownerOf: (t) => `${t}.org_id`,
  resolve: () => [SET_NAME_SCOPE, MAKE_WAY],
  prepare: [SET_STATE, SET_EPOCH],
  uniques: [
    {
      columns: ['name_scope', 'user_name_key'],
      says: 'has the user name',
      value: inQuotes('{}.user_name'),
      holder: NAMESAKE,
    },
  ],
  checks: [
    canBeInPath('id', USER_IN_PATH),
    refersTo('org_id', orgStage),
    {
      breaks: () => `s.kind = 'service'
        AND (${isApplicationIn('client', 's.user_name')} OR ${isApplicationIn('client', 's.id')})`,
      says: 'has a name, or id, that is the client id or id of an application',
      verdict: 'conflict',
    },
    {
      // Such an id or name would stand for two service users.
      breaks: () => `s.kind = 'service'
        AND (${hasDoubleIn('user_account', AS_SERVICE_USER)} OR ${hasDoubleIn(staged, AS_SERVICE_USER)})`,
      says: 'has a name, or id, that is the id or name of another service user',
      verdict: 'conflict',
    },
    {
      breaks: () =>
        `${hasWholeName('s')} AND ${anyDomain(`d.domain = ${domainIn('s.user_name_key')} AND d.org_id <> s.org_id`)}`,
      says: 'has a name at a domain that another organization has verified',
      verdict: 'conflict',
    },
    {
      // The name would be of no use: by a typed address its owner is meant (LOG-066).
      breaks: () =>
        `${hasWholeName('s')} AND NOT ${isThere('user_account o', 'o.id = s.id')}
        AND NOT ${isThere('org_domain d', `d.is_proved AND d.org_id = s.org_id AND d.domain = ${domainIn('s.user_name_key')}`)}
        AND ${isThere('user_account e', `e.email_key = s.user_name_key AND e.email_verified AND e.email_proof = 'owner' AND e.id <> s.id`)}`,
      says: 'has a name that is the verified e-mail address of another user',
      verdict: 'conflict',
    },
    // A login name that stands for two users is valid for neither: see user/name-scope.service.ts.
    {
      breaks: () => `${hasWholeName('s')}
        AND ${anyDomain(`d.org_id = s.org_id AND d.domain = ${domainIn('s.user_name_key')}`)}
        AND ${isNamedAtDomain}`,
      says: LOGIN_NAME_OF_TWO,
      verdict: 'conflict',
    },
    {
      breaks: () => `s.kind = 'human' AND s.name_scope = '' AND ${isNamedWhole}`,
      says: LOGIN_NAME_OF_TWO,
      verdict: 'conflict',
    },
  ],
};

/** Rows that belong to a user of the same organization. */
export const OWNED = {
  ownerOf: (t: string) => `(SELECT u.org_id FROM user_account u WHERE u.id = ${t}.user_id)`,
  checks: [refersTo('user_id', userStage, OWN)],
};

/** A means to sign in, or a part of one, is never added to an existing user. */
export const isOfExistingUser = (says: string): Check => ({
  breaks: () => isThere('user_account u', 'u.id = s.user_id'),
  says,
  verdict: 'conflict',
});

/** A second factor is only imported with its user, never added to an existing one. */
export const factorStage: Stage = {
  ...OWNED,
  table: 'auth_factor',
  name: 'a second factor',
  key: ['user_id', 'kind'],
  columns: ['id', 'state', 'secret', 'recovery_hashes', 'created_at'],
  uncompared: ['id', 'created_at'],
  sets: ['recovery_hashes'],
  sealed: [
    {
      column: 'secret',
      place: (row) => ({ table: 'auth_factor', column: 'secret', row: row['user_id']!, owner: row['_org']! }),
    },
  ],
  checks: [...OWNED.checks, isOfExistingUser('is a new second factor of an existing user')],
};

export const metadataStage: Stage = {
  ...OWNED,
  table: 'user_metadata',
  name: 'metadata',
  key: ['user_id', 'key'],
  columns: ['value'],
  checks: [canBeInPath('key', METADATA_IN_PATH), ...OWNED.checks],
};
