import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

const MAX_DOMAIN = 253;
const MAX_LABEL = 63;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** RFC 2181 §11: a domain may have any characters; it is hosts that may not have underscores. */
const LOOSE_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A domain as it is stored: ASCII (RFC 5891), lower case, without a dot at its end; undefined for what is no domain of two labels or more. */
export function parseDomain(text: string): string | undefined {
  return parse(text, LABEL);
}

/** The same for a domain that another service has given to an organization, perhaps with underscores. */
export function parseForeignDomain(text: string): string | undefined {
  return parse(text, LOOSE_LABEL);
}

function parse(text: string, form: RegExp): string | undefined {
  const ascii = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase();
  const labels = ascii.split('.');
  if (ascii.length > MAX_DOMAIN || labels.length < 2 || isIP(ascii) !== 0) return undefined;
  return labels.every((label) => form.test(label)) ? ascii : undefined;
}

/**
 * The domain that an organization gets with its name: `Acme Inc.` at `id.example.com` becomes `acme-inc.id.example.com`;
 * below `localhost` where the service itself has no name (RFC 6761 §6.3: nobody else can be reached under it).
 */
export function toDefaultDomain(orgName: string, publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  const host = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost';
  const label = orgName.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+/, '').slice(0, MAX_LABEL).replace(/-+$/, '');
  return `${label || 'org'}.${host}`;
}
