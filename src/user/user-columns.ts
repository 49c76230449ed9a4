import { expressionsOf } from '../foundation/database/columns.js';
import { nameScopeOf } from '../org/name-scope.js';
import { PROFILE_MEMBERS } from './profile.js';
import { User } from './user.entity.js';

const SHARED = [
  'orgId',
  'kind',
  'userName',
  ...PROFILE_MEMBERS,
  'email',
  'emailVerified',
  'phone',
  'phoneVerified',
  'serviceName',
] as const;

/** What both tokens and the directory say of a user. */
export type SharedUserFacts = Pick<User, (typeof SHARED)[number]> & {
  /** Where the user name must be unique: empty for the instance, or the organization's id. */
  readonly nameScope: string;
};

/** The SQL expressions of it, in a SELECT from `user_account u`. */
export const SHARED_USER_COLUMNS: Readonly<Record<keyof SharedUserFacts, string>> = {
  ...expressionsOf(User, 'u', SHARED),
  nameScope: nameScopeOf('u'),
};

/** SQL: a user's display name and preferred login name, in a SELECT from `user_account u`. */
export const NAMES_SHOWN = `CASE u.kind WHEN 'human' THEN u.display_name ELSE u.service_name END AS "displayName",
    CASE WHEN u.user_name LIKE '%@%' OR u.kind = 'service' THEN u.user_name
      ELSE u.user_name || coalesce(
        '@' || (SELECT d.domain FROM org_domain d WHERE d.org_id = u.org_id AND d.is_primary), '')
      END AS "preferredLoginName"`;
