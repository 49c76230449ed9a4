import { nameScopeOf } from '../org/name-scope.js';
import { isInState, isOfKind } from '../user/user-name.js';
import { BrowserSession, type BrowserSessionFacts } from './browser-session.js';
import type { HeldFactorFacts, SecondFactorFacts } from './session-factor.js';

/** A known browser and its sessions (active users of active organizations only). */
export interface KnownBrowser {
  readonly id: string;
  readonly sessions: readonly BrowserSession[];
}

/**
 * One session as JSON, with the primary domain `domain` of its user's organization. Without a row of `session s`, it is
 * what a session of `user_account u` would be.
 */
export function sessionJson(domain: string): string {
  return `json_build_object(
  'id', s.id,
  'userId', u.id,
  'orgId', u.org_id,
  'orgDomain', ${domain},
  'userName', u.user_name,
  'nameScope', ${nameScopeOf('u')},
  'displayName', u.display_name,
  'preferredLanguage', u.preferred_language,
  'passwordChangeRequired', u.password_change_required,
  'email', u.email,
  'emailVerified', u.email_verified,
  'emailMayStayUnverified', u.email_may_stay_unverified,
  'userEpoch', u.token_epoch,
  'createdAt', s.created_at,
  'passwordCheckedAt', s.password_checked_at,
  'passwordCheckLifetimeSeconds',
    coalesce(op.password_check_lifetime_seconds, ip.password_check_lifetime_seconds, 864000),
  'hasPassword',
    u.password_hash IS NOT NULL AND coalesce(op.allow_username_password, ip.allow_username_password, true),
  'externalCheckedAt', s.external_checked_at,
  'externalProvedAt', s.external_proved_at,
  'externalIdpId', s.external_idp_id,
  'externalCheckLifetimeSeconds',
    coalesce(op.external_login_check_lifetime_seconds, ip.external_login_check_lifetime_seconds, 864000),
  'passkeyCheckedAt', s.passkey_checked_at,
  'passkeyCheckLifetimeSeconds',
    coalesce(op.multi_factor_check_lifetime_seconds, ip.multi_factor_check_lifetime_seconds, 43200),
  'secondFactor', json_build_object(
    'checkedAt', s.factor_checked_at,
    'isKey', s.factor_kind IS NOT NULL,
    'arePasskeysAllowed', coalesce(op.passwordless_type, ip.passwordless_type, 'allowed') = 'allowed',
    'isPasskeyEnough', 'u2f_with_verification' = ANY (coalesce(op.multi_factors, ip.multi_factors, '{}')),
    'declinedAt', u.factor_skipped_at,
    'accountSince', u.creation_date,
    'hasVerifiedEmail', u.email_verified AND u.email <> '',
    'held', (
      SELECT coalesce(
        json_agg(
          json_build_object(
            'kind', f.kind,
            'isReady', f.state = 'ready',
            'rpId', k.rp_id,
            'isNew', k.rp_id IS NOT NULL AND f.session_id = s.id)),
        '[]')
      FROM auth_factor f
      LEFT JOIN auth_key k ON k.factor_id = f.id
      WHERE f.user_id = u.id AND (f.state = 'ready' OR f.session_id = s.id OR f.kind = 'recovery_codes')
        AND NOT (f.kind = 'recovery_codes' AND f.state = 'ready' AND cardinality(f.recovery_hashes) = 0)),
    'listed', coalesce(op.second_factors, ip.second_factors, '{}'),
    'isForced', coalesce(op.force_mfa, ip.force_mfa, false),
    'isForcedLocally', coalesce(op.force_mfa_local_only, ip.force_mfa_local_only, false),
    'checkLifetimeSeconds',
      coalesce(op.second_factor_check_lifetime_seconds, ip.second_factor_check_lifetime_seconds, 64800),
    'offerPauseSeconds', coalesce(op.mfa_init_skip_lifetime_seconds, ip.mfa_init_skip_lifetime_seconds, 0)))`;
}

/** One session as the column `session`; null for a browser without sessions. */
export const SESSION_COLUMN = `CASE WHEN s.id IS NOT NULL THEN ${sessionJson('d.domain')} END AS session`;

/** The valid sessions of `browser b`, a row for each; `instanceId` is the placeholder of the instance's id. */
export function sessionJoins(instanceId: string): string {
  return `LEFT JOIN (session s
     JOIN user_account u ON u.id = s.user_id AND ${isInState('u', 'active')} AND ${isOfKind('u', 'human')}
     JOIN org o ON o.id = u.org_id AND o.state = 'active'
     LEFT JOIN org_domain d ON d.org_id = u.org_id AND d.is_primary
     LEFT JOIN login_policy op ON op.owner_id = u.org_id
     LEFT JOIN login_policy ip ON ip.owner_id = ${instanceId}
   ) ON s.browser_id = b.id AND s.ended_at IS NULL`;
}

export type SessionJson = Omit<
  BrowserSessionFacts,
  'createdAt' | 'passwordCheckedAt' | 'externalCheckedAt' | 'externalProvedAt' | 'passkeyCheckedAt' | 'secondFactor'
> & {
  readonly createdAt: string;
  readonly passwordCheckedAt: string | null;
  readonly externalCheckedAt: string | null;
  readonly externalProvedAt: string | null;
  readonly passkeyCheckedAt: string | null;
  readonly secondFactor: Omit<
    SecondFactorFacts,
    'held' | 'hasKeysElsewhere' | 'checkedAt' | 'declinedAt' | 'accountSince'
  > & {
    /** `rpId`: of a key, the domain that it was made for. */
    readonly held: ReadonlyArray<HeldFactorFacts & { readonly rpId: string | null }>;
    readonly checkedAt: string | null;
    readonly declinedAt: string | null;
    readonly accountSince: string;
  };
};

export interface BrowserRow {
  readonly browserId: string;
  readonly session: SessionJson | null;
}

/** The browser in the rows of one query; undefined if there are none. `rpId`: as in `toSession`. */
export function toKnownBrowser(rows: readonly BrowserRow[], rpId: string | undefined): KnownBrowser | undefined {
  const [first] = rows;
  if (!first) return undefined;
  return { id: first.browserId, sessions: rows.flatMap(({ session }) => (session ? [toSession(session, rpId)] : [])) };
}

/** `rpId`: the domain of keys here; undefined if there are none. Keys of another domain do not count. */
export function toSession(json: SessionJson, rpId: string | undefined): BrowserSession {
  const {
    createdAt,
    passwordCheckedAt,
    externalCheckedAt,
    externalProvedAt,
    passkeyCheckedAt,
    secondFactor,
    ...facts
  } = json;
  const { held, listed, arePasskeysAllowed } = secondFactor;
  return new BrowserSession({
    ...facts,
    createdAt: new Date(createdAt),
    passwordCheckedAt: toMoment(passwordCheckedAt),
    externalCheckedAt: toMoment(externalCheckedAt),
    externalProvedAt: toMoment(externalProvedAt),
    passkeyCheckedAt: toMoment(passkeyCheckedAt),
    secondFactor: {
      ...secondFactor,
      held: held.filter((factor) => factor.rpId === null || factor.rpId === rpId),
      hasKeysElsewhere: held.some((factor) => factor.rpId !== null && factor.rpId !== rpId),
      listed: rpId === undefined ? listed.filter((kind) => kind !== 'u2f') : listed,
      arePasskeysAllowed: arePasskeysAllowed && rpId !== undefined,
      checkedAt: toMoment(secondFactor.checkedAt),
      declinedAt: toMoment(secondFactor.declinedAt),
      accountSince: new Date(secondFactor.accountSince),
    },
  });
}

function toMoment(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
