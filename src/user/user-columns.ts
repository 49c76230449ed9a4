import { expressionsOf } from '../foundation/database/columns.js';
import { nameScopeOf } from '../org/name-scope.js';
import { User } from './user.entity.js';

/** The SQL expressions of what both tokens and the directory say of a user, in a SELECT from `user_account u`. */
export const SHARED_USER_COLUMNS = {
  ...expressionsOf(User, 'u', [
    'orgId',
    'kind',
    'userName',
    'firstName',
    'lastName',
    'middleName',
    'nickName',
    'displayName',
    'preferredLanguage',
    'gender',
    'profileUrl',
    'pictureUrl',
    'website',
    'birthdate',
    'zoneinfo',
    'address',
    'email',
    'emailVerified',
    'phone',
    'phoneVerified',
    'serviceName',
  ]),
  nameScope: nameScopeOf('u'),
} as const;
