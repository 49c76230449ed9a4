import type { Address } from '../../user/user.entity.js';
import { loginNameOf } from '../../user/user-name.js';
import type { Subject } from './subject.js';
import type { Urn } from './urn.js';

export type Claims = Record<string, unknown>;

/** The scope, and the claim that it gives: the names of the user's groups. */
export const GROUPS = 'groups';

/** The members of each scope, as OIDC Core §5.4 lists them. */
const SCOPE_CLAIMS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'profile',
    [
      'name',
      'family_name',
      'given_name',
      'middle_name',
      'nickname',
      'preferred_username',
      'profile',
      'picture',
      'website',
      'gender',
      'birthdate',
      'zoneinfo',
      'locale',
      'updated_at',
    ],
  ],
  ['email', ['email', 'email_verified']],
  ['address', ['address']],
  ['phone', ['phone_number', 'phone_number_verified']],
]);

/** Every claim about a user that we can issue (OIDC Core §5.1), as in the discovery document. */
export const USER_CLAIMS: readonly string[] = [...SCOPE_CLAIMS.values()].flat();

/** The scope that would give the claim away if it were not asked for by name (OIDC Core §5.4). */
export function scopeOfClaim(name: string): string | undefined {
  for (const [scope, claims] of SCOPE_CLAIMS) if (claims.includes(name)) return scope;
  return undefined;
}

type ClaimOf = (subject: Subject) => unknown;

const OF_EVERYBODY: Readonly<Record<string, ClaimOf>> = {
  preferred_username: loginNameOf,
  updated_at: ({ updatedAt }) => updatedAt,
};

const OF_SERVICE_USERS = toMap({ ...OF_EVERYBODY, name: ({ serviceName }) => serviceName });

const OF_HUMANS = toMap({
  ...OF_EVERYBODY,
  name: ({ displayName }) => displayName,
  given_name: ({ firstName }) => firstName,
  family_name: ({ lastName }) => lastName,
  middle_name: ({ middleName }) => middleName,
  nickname: ({ nickName }) => nickName,
  profile: ({ profileUrl }) => profileUrl,
  picture: ({ pictureUrl }) => pictureUrl,
  website: ({ website }) => website,
  gender: ({ gender }) => gender,
  birthdate: ({ birthdate }) => birthdate,
  zoneinfo: ({ zoneinfo }) => zoneinfo,
  locale: ({ preferredLanguage }) => preferredLanguage,
  email: ({ email }) => email,
  email_verified: ({ email, emailVerified }) => (email === '' ? undefined : emailVerified),
  phone_number: ({ phone }) => phone,
  phone_number_verified: ({ phone, phoneVerified }) => (phone === '' ? undefined : phoneVerified),
  address: ({ address }) => toAddressClaim(address),
});

/** The user's claims for the granted scopes, and those requested by name (OIDC Core §5.5). Never null, never blank. */
export function userClaims(subject: Subject, scopes: readonly string[], byName: readonly string[]): Claims {
  const known = subject.kind === 'service' ? OF_SERVICE_USERS : OF_HUMANS;
  const claims: Claims = {};
  const add = (name: string): void => {
    const value = known.get(name)?.(subject);
    if (isPresent(value)) claims[name] = value;
  };
  for (const scope of scopes) SCOPE_CLAIMS.get(scope)?.forEach(add);
  byName.forEach(add);
  return claims;
}

/** Claims of our own scopes, which appear wherever the token's claims do. */
export function reservedClaims(subject: Subject, scopes: readonly string[], urn: Urn): Claims {
  const claims = new Map<string, unknown>();
  const ownerAsked = scopes.some((scope) => urn.orgIdOf(scope) !== undefined || urn.orgDomainOf(scope) !== undefined);
  if (ownerAsked || scopes.includes(urn.resourceOwner)) {
    claims.set(urn.resourceOwnerClaim('id'), subject.orgId);
    claims.set(urn.resourceOwnerClaim('name'), subject.orgName);
    if (subject.orgDomain) claims.set(urn.resourceOwnerClaim('primary_domain'), subject.orgDomain);
  }
  for (const scope of scopes) {
    const orgId = urn.orgIdOf(scope);
    const domain = urn.orgDomainOf(scope);
    // A request proves nothing: only the user's own organization is asserted.
    if (orgId === subject.orgId) claims.set(urn.orgIdClaim, subject.orgId);
    if (domain !== undefined && domain.toLowerCase() === subject.orgDomain)
      claims.set(urn.orgDomainClaim, subject.orgDomain);
  }
  if (scopes.includes(urn.metadata) && subject.metadata) {
    const values = Object.entries(subject.metadata).map(([key, value]) => [key, toBase64Url(value)]);
    if (values.length > 0) claims.set(urn.metadataClaim, Object.fromEntries(values));
  }
  if (scopes.includes(GROUPS) && subject.groups) claims.set(GROUPS, subject.groups);
  return Object.fromEntries(claims);
}

/** OIDC Core §5.1.1. */
function toAddressClaim(address: Address): Claims | undefined {
  const members = Object.entries({
    formatted: address.formatted,
    street_address: address.streetAddress,
    locality: address.locality,
    region: address.region,
    postal_code: address.postalCode,
    country: address.country,
  }).filter(([, value]) => isPresent(value));
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

function toMap(claims: Readonly<Record<string, ClaimOf>>): ReadonlyMap<string, ClaimOf> {
  return new Map(Object.entries(claims));
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** PostgreSQL breaks base64 into lines. */
function toBase64Url(base64: string): string {
  return Buffer.from(base64, 'base64').toString('base64url');
}
