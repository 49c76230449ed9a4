import { IdpAnswerRefused, type JsonObject } from 'gatehouse';
import type { TextRules } from 'gatehouse/admin';
import { textOf } from '../answer/json-answer.js';
import { DOMAIN } from '../settings-forms.js';

type TextForm = NonNullable<TextRules['form']>;

const GLOBAL_CLOUD = 'https://login.microsoftonline.com';
/** The tenant of those who have an account of their own instead of an organization's. */
const PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad';
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const TEMPLATE = '{tenantid}';
/** In place of a list: users of every tenant, without and with those who have a personal account. */
const AUDIENCES = ['organizations', 'common'];

export const TENANT: TextForm = {
  fits: (text) => ID.test(text) || AUDIENCES.includes(text),
  says: 'must be the ID of a tenant in lower case, as the overview of Microsoft Entra ID shows it, or organizations or common',
};

export const VERIFIED_DOMAIN: TextForm = {
  fits: (text) => {
    const [tenant = '', domain = '', ...rest] = text.split('/');
    return ID.test(tenant) && DOMAIN.fits(domain) && rest.length === 0;
  },
  says: 'must be the ID of a tenant, a slash, and a domain in lower case',
};

export interface EntraPlace {
  readonly base: string;
  /** The IDs of the tenants that are allowed. */
  readonly tenants: readonly string[];
}

/** The page where users sign in, and the issuer that its document names. @throws Error if no tenant is allowed */
export function authorityOf({ base, tenants }: EntraPlace): { readonly authority: string; readonly issuer: string } {
  const [only, ...others] = tenants;
  if (only === undefined) throw new Error('The settings name no tenant. Enter the ID of one at least.');
  const cloud = base === '' ? GLOBAL_CLOUD : base;
  if (others.length === 0) {
    const issuer = `${cloud}/${AUDIENCES.includes(only) ? TEMPLATE : only}/v2.0`;
    return { authority: `${cloud}/${only}`, issuer };
  }
  const audience = tenants.includes(PERSONAL) ? 'common' : 'organizations';
  return { authority: `${cloud}/${audience}`, issuer: `${cloud}/${TEMPLATE}/v2.0` };
}

/**
 * The tenant of a token. Anybody can make a tenant, so the list decides.
 * @throws IdpAnswerRefused for one that is not allowed
 */
export function tenantOf(claims: JsonObject, tenants: readonly string[]): string {
  const tenant = textOf(claims, 'tid')?.toLowerCase();
  if (tenant === undefined || !ID.test(tenant) || !isAllowed(tenant, tenants))
    throw new IdpAnswerRefused('tenant_not_allowed');
  return tenant;
}

function isAllowed(tenant: string, tenants: readonly string[]): boolean {
  if (tenants.length > 1) return tenants.includes(tenant);
  const [only] = tenants;
  return only === tenant || only === 'common' || (only === 'organizations' && tenant !== PERSONAL);
}

/** The issuer of that tenant's tokens. */
export function issuerFor(issuer: string, tenant: string): string {
  return issuer.replace(TEMPLATE, tenant);
}

/**
 * What identifies the user for ever: `oid` within the tenant. `sub` is another one for each application, and names are
 * given anew.
 * @throws Error if the token has none
 */
export function subjectOf(claims: JsonObject, tenant: string): string {
  const object = textOf(claims, 'oid')?.toLowerCase() ?? '';
  if (!ID.test(object)) throw new Error('The token of Entra has no oid.');
  return `${tenant}.${object}`;
}

/**
 * Whether the address is the user's. Administrators of tenants write what they like into it, so that alone it proves
 * nothing: Entra must say that the owner of its domain is verified, or it is in a domain that the settings give to this
 * very tenant.
 */
export function isAddressVerified(claims: JsonObject, tenant: string, verifiedDomains: readonly string[]): boolean {
  const { xms_edov: isOwnerVerified } = claims;
  if (isOwnerVerified === true || isOwnerVerified === 1 || isOwnerVerified === '1') return true;
  const domain = /@([^@]+)$/.exec(textOf(claims, 'email')?.toLowerCase() ?? '')?.[1];
  return domain !== undefined && verifiedDomains.includes(`${tenant}/${domain}`);
}
