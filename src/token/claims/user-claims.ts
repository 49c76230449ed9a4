import type { Address } from '../../user/user.entity.js';
import { loginNameOf } from '../../user/user-name.js';
import type { Subject } from '../subject.js';
import type { Urn } from '../urn.js';

export type Claims = Record<string, unknown>;

/** The members of each scope, as OIDC Core §5.4 lists them. */
const SCOPE_CLAIMS: Readonly<Record<string, readonly string[]>> = {
  profile: [
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
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
};

/** Every claim about a user that we can issue (OIDC Core §5.1), as in the discovery document. */
export const USER_CLAIMS: readonly string[] = Object.values(SCOPE_CLAIMS).flat();

/** The user's claims for the granted scopes, and those requested by name (OIDC Core §5.5). Never null, never blank. */
export function userClaims(subject: Subject, scopes: readonly string[], byName: readonly string[]): Claims {
  const names = new Set([...scopes.flatMap((scope) => SCOPE_CLAIMS[scope] ?? []), ...byName]);
  return Object.fromEntries(
    Object.entries(allClaims(subject)).filter(([name, value]) => names.has(name) && isPresent(value)),
  );
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
  return Object.fromEntries(claims);
}

function allClaims(subject: Subject): Claims {
  const common = {
    preferred_username: loginNameOf(subject),
    updated_at: subject.updatedAt,
  };
  if (subject.kind === 'service') return { ...common, name: subject.serviceName };
  return {
    ...common,
    name: subject.displayName,
    given_name: subject.firstName,
    family_name: subject.lastName,
    middle_name: subject.middleName,
    nickname: subject.nickName,
    profile: subject.profileUrl,
    picture: subject.pictureUrl,
    website: subject.website,
    gender: subject.gender,
    birthdate: subject.birthdate,
    zoneinfo: subject.zoneinfo,
    locale: subject.preferredLanguage,
    email: subject.email,
    email_verified: subject.email === '' ? undefined : subject.emailVerified,
    phone_number: subject.phone,
    phone_number_verified: subject.phone === '' ? undefined : subject.phoneVerified,
    address: toAddressClaim(subject.address),
  };
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

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** PostgreSQL breaks base64 into lines. */
function toBase64Url(base64: string): string {
  return Buffer.from(base64, 'base64').toString('base64url');
}
