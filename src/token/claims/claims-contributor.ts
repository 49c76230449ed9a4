import { type Filled, Seam } from '../../foundation/extension/seam.js';

/** A value as JSON has it. @public */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** Where claims appear. @public */
export type ClaimsPlace = 'id_token' | 'access_token' | 'userinfo' | 'introspection';

/** About whom claims are made, for whom, and why. Members may be added in a minor version. @public */
export interface ClaimsQuestion {
  readonly place: ClaimsPlace;
  readonly userId: string;
  readonly orgId: string;
  readonly kind: 'human' | 'service';
  /** Undefined for a service user, who acts for itself. */
  readonly client: { readonly id: string; readonly projectId: string } | undefined;
  /** The granted scopes. */
  readonly scopes: readonly string[];
  /** Claims of this contributor that were requested by name (OIDC Core §5.5). */
  readonly claimNames: readonly string[];
}

/**
 * Adds claims to ID tokens, userinfo and, if it says so, access tokens and introspection. It is asked only if one of
 * its scopes was granted, or one of its claims was requested by name; several are asked at the same time. It can
 * replace no claim of the product, and what it answers beyond `claims` is dropped.
 * @public
 */
export interface ClaimsContributor {
  /** Scopes that it adds. Applications may request them; discovery lists them. */
  readonly scopes: readonly string[];
  /** Every claim that it can make: a URI, or a name that no specification registers. */
  readonly claims: readonly string[];
  /** By default `id_token` and `userinfo`. */
  readonly places?: readonly ClaimsPlace[];
  /** 50 to 2000; by default 300. */
  readonly timeoutMs?: number;
  /** If it fails or is late: `omit` leaves its claims out (default), `refuse` answers `temporarily_unavailable`. */
  readonly onFailure?: 'omit' | 'refuse';
  /** The claims of this user, 4 kB at most. Read-only: it may be asked several times, or in vain. */
  contribute(question: ClaimsQuestion, signal: AbortSignal): Promise<Readonly<Record<string, JsonValue>>>;
}

/** @public */
export const CLAIMS: Seam<ClaimsContributor> = new Seam<ClaimsContributor>('CLAIMS', 'many', {
  mistakes: claimsMistakes,
});

const LEAST_MS = 50;
const MOST_MS = 2_000;

/** RFC 6749 §3.3: the characters of one scope. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;
const STANDARD_SCOPES: ReadonlySet<string> = new Set([
  'openid',
  'profile',
  'email',
  'phone',
  'address',
  'offline_access',
  'groups',
]);
const RESERVED = /^urn:[^:]*:iam:/i;

/** Claims of RFC 7519, OIDC Core, RFC 7662, RFC 7800, RFC 8693, RFC 9068, OIDC logout, and of the product. */
export const REGISTERED: ReadonlySet<string> = new Set(
  (
    'iss sub aud exp nbf iat jti name given_name family_name middle_name nickname preferred_username profile picture ' +
    'website email email_verified gender birthdate zoneinfo locale phone_number phone_number_verified address ' +
    'updated_at azp nonce auth_time at_hash c_hash s_hash acr amr direct sub_jwk cnf sid events act scope client_id may_act exchanged_from ' +
    'active username token_type groups roles entitlements _claim_names _claim_sources userinfo_claims'
  ).split(' '),
);

/** What is wrong with the contributors, each in a sentence with its remedy. */
function claimsMistakes(filled: ReadonlyArray<Filled<ClaimsContributor>>): string[] {
  const mistakes = filled.flatMap((one) => contributorMistakes(one));
  const names = filled.flatMap(({ part }) => [...new Set(part.claims ?? [])]);
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  return [
    ...mistakes,
    ...repeated.map((name) => `Several contributors make the claim ${name}. Let one of them make it.`),
  ];
}

function contributorMistakes({
  extension,
  name: part,
  part: { scopes, claims, timeoutMs },
}: Filled<ClaimsContributor>): string[] {
  if (!isListOfTexts(scopes) || !isListOfTexts(claims) || claims.length === 0)
    return [`${part} of the extension ${extension} must list its scopes and at least one claim, as texts.`];
  const isNoTime = timeoutMs !== undefined && !(timeoutMs >= LEAST_MS && timeoutMs <= MOST_MS);
  return [
    ...scopes
      .filter((scope) => !SCOPE.test(scope) || STANDARD_SCOPES.has(scope) || RESERVED.test(scope))
      .map(
        (scope) =>
          `The extension ${extension} may not add the scope ${scope}. Choose a word that is not the product's.`,
      ),
    ...claims
      .filter((claim) => claim === '' || REGISTERED.has(claim) || RESERVED.test(claim))
      .map(
        (claim) =>
          `The extension ${extension} may not make the claim ${claim}: its meaning is fixed. Choose a URI of your own.`,
      ),
    ...(isNoTime
      ? [`${part} of the extension ${extension} has a timeoutMs that is not from ${LEAST_MS} to ${MOST_MS}.`]
      : []),
  ];
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
