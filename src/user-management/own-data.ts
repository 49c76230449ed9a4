import { Injectable } from '@nestjs/common';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { userNotFound } from '../user/user.errors.js';

/** Each part is found by the user. Hashes, seeds, public keys and codes are not part of it. */
const OWN_DATA = statement(
  'user.own_data',
  `SELECT json_build_object(
     'user', json_build_object(
       'id', u.id,
       'organization', o.name,
       'state', u.state,
       'userName', u.user_name,
       'firstName', u.first_name,
       'lastName', u.last_name,
       'middleName', u.middle_name,
       'nickName', u.nick_name,
       'displayName', u.display_name,
       'preferredLanguage', u.preferred_language,
       'gender', u.gender,
       'profileUrl', u.profile_url,
       'pictureUrl', u.picture_url,
       'website', u.website,
       'birthdate', u.birthdate,
       'zoneinfo', u.zoneinfo,
       'address', u.address,
       'email', u.email,
       'emailVerified', u.email_verified,
       'phone', u.phone,
       'phoneVerified', u.phone_verified,
       'passwordChangedAt', u.password_changed_at,
       'createdAt', u.creation_date,
       'changedAt', u.change_date),
     'newEmail', (SELECT p.email FROM pending_email p WHERE p.user_id = u.id),
     'metadata', (
       SELECT coalesce(
         json_agg(json_build_object('key', m.key, 'base64', encode(m.value, 'base64')) ORDER BY m.key), '[]')
       FROM user_metadata m
       WHERE m.user_id = u.id),
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
           'since', l.creation_date) ORDER BY l.idp_id, l.external_user_id), '[]')
       FROM idp_link l
       JOIN idp i ON i.id = l.idp_id
       WHERE l.user_id = u.id),
     'sessions', (
       SELECT coalesce(
         json_agg(json_build_object(
           'createdAt', s.created_at,
           'passwordCheckedAt', s.password_checked_at,
           'providerCheckedAt', s.external_checked_at,
           'passkeyCheckedAt', s.passkey_checked_at,
           'secondFactorCheckedAt', s.factor_checked_at,
           'endedAt', s.ended_at,
           'browser', b.agent,
           'system', b.system,
           'network', b.network) ORDER BY s.created_at), '[]')
       FROM session s
       LEFT JOIN browser b ON b.id = s.browser_id
       WHERE s.user_id = u.id),
     'applications', (
       SELECT coalesce(
         json_agg(json_build_object(
           'clientId', t.client_id,
           'scopes', t.scopes,
           'createdAt', t.created_at,
           'lastUsedAt', t.spent_at,
           'expiresAt', t.expires_at,
           'revokedAt', t.revoked_at) ORDER BY t.created_at), '[]')
       FROM token_family t
       WHERE t.user_id = u.id),
     'roles', (
       SELECT coalesce(
         json_agg(json_build_object('project', p.name, 'roles', g.role_keys, 'state', g.state) ORDER BY g.id), '[]')
       FROM user_grant g
       JOIN project p ON p.id = g.project_id
       WHERE g.user_id = u.id),
     'managerRoles', (
       SELECT coalesce(json_agg(json_build_object('level', r.level, 'roles', r.roles)), '[]')
       FROM member r
       WHERE r.user_id = u.id),
     'events', (
       SELECT coalesce(
         json_agg(json_build_object(
           'at', e.created_at,
           'type', e.type,
           'byYourself', e.editor_id = u.id,
           'details', e.payload) ORDER BY e.position), '[]')
       FROM event e
       WHERE e.aggregate_id = u.id AND e.aggregate_type = 'user')
   ) AS data
   FROM user_account u
   JOIN org o ON o.id = u.org_id
   WHERE u.id = :userId`,
).rows<{ data: Record<string, unknown> }>();

/** What the service holds about a user, for the user (GDPR articles 15 and 20). */
@Injectable()
export class OwnData {
  constructor(private readonly database: Database) {}

  /** @throws DomainError NotFound `user.not_found` */
  async of(userId: string): Promise<Record<string, unknown>> {
    const [row] = await this.database.query(OWN_DATA, { userId });
    if (!row) throw userNotFound();
    return row.data;
  }
}
