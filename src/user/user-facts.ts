import type { Address, Gender, User, UserKind } from './user.entity.js';

/**
 * What tokens and claims say about a user, read by whoever asks the one question whether a token is alive: the columns
 * for a SELECT from `user_account u` joined with `USER_JOINS`.
 */
export const USER_COLUMNS = `u.id AS "userId", u.org_id AS "orgId", u.kind, u.user_name AS "userName",
  u.first_name AS "firstName", u.last_name AS "lastName", u.middle_name AS "middleName", u.nick_name AS "nickName",
  u.display_name AS "displayName", u.preferred_language AS "preferredLanguage", u.gender,
  u.profile_url AS "profileUrl", u.picture_url AS "pictureUrl", u.website, u.birthdate, u.zoneinfo, u.address,
  u.email, u.email_verified AS "emailVerified", u.phone, u.phone_verified AS "phoneVerified",
  u.service_name AS "serviceName", u.change_date AS "changeDate", u.token_epoch AS "userEpoch",
  uo.name AS "orgName", ud.domain AS "orgDomain"`;

/** The user's organization, which must be active, and its primary domain. */
export const USER_JOINS = `JOIN org uo ON uo.id = u.org_id AND uo.state = 'active'
  LEFT JOIN org_domain ud ON ud.org_id = u.org_id AND ud.is_primary`;

export interface UserFacts
  extends Pick<
    User,
    | 'orgId' | 'userName' | 'firstName' | 'lastName' | 'middleName' | 'nickName' | 'displayName' | 'preferredLanguage'
    | 'profileUrl' | 'pictureUrl' | 'website' | 'birthdate' | 'zoneinfo' | 'email' | 'emailVerified' | 'phone'
    | 'phoneVerified' | 'serviceName' | 'changeDate'
  > {
  readonly userId: string;
  readonly kind: UserKind;
  readonly gender: Gender | '';
  readonly address: Address;
  readonly userEpoch: number;
  readonly orgName: string;
  readonly orgDomain: string | null;
}
