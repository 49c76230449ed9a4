import { nameScopeOf } from '../org/name-scope.js';

/** The SQL expressions of what both tokens and the directory say of a user, in a SELECT from `user_account u`. */
export const SHARED_USER_COLUMNS = {
  orgId: 'u.org_id',
  kind: 'u.kind',
  userName: 'u.user_name',
  nameScope: nameScopeOf('u'),
  firstName: 'u.first_name',
  lastName: 'u.last_name',
  middleName: 'u.middle_name',
  nickName: 'u.nick_name',
  displayName: 'u.display_name',
  preferredLanguage: 'u.preferred_language',
  gender: 'u.gender',
  profileUrl: 'u.profile_url',
  pictureUrl: 'u.picture_url',
  website: 'u.website',
  birthdate: 'u.birthdate',
  zoneinfo: 'u.zoneinfo',
  address: 'u.address',
  email: 'u.email',
  emailVerified: 'u.email_verified',
  phone: 'u.phone',
  phoneVerified: 'u.phone_verified',
  serviceName: 'u.service_name',
} as const;
