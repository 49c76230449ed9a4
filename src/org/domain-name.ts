import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';

const MAX_DOMAIN = 253;
const MAX_LABEL = 63;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** RFC 2181 §11: a domain may have any characters; it is hosts that may not have underscores. */
const LOOSE_LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Characters that no domain contains. `domainToASCII` uses the URL host parser, which would decode an escape and take a
 * slash for the end of the name.
 */
const FOREIGN = /[^A-Za-z0-9._\u0080-\u{10ffff}-]/u;

/**
 * A domain as it is stored: ASCII (RFC 5891), lower case, without a trailing dot; undefined unless it has two labels or
 * more.
 */
export function parseDomain(text: string): string | undefined {
  return parse(text, LABEL);
}

/** Like `parseDomain`, for an imported domain, which may contain underscores. */
export function parseForeignDomain(text: string): string | undefined {
  return parse(text, LOOSE_LABEL);
}

/**
 * The domain of an e-mail address, which may have a single label (`root@localhost`) and, as mail servers take it,
 * underscores.
 */
export function parseMailDomain(text: string): string | undefined {
  return toAscii(text, LOOSE_LABEL);
}

/** The form in which to look a domain up: as it is stored, or unchanged if it is not valid. */
export function toDomainKey(text: string): string {
  return toAscii(text, LOOSE_LABEL) ?? text.toLowerCase();
}

function parse(text: string, form: RegExp): string | undefined {
  const ascii = toAscii(text.trim().replace(/\.$/, ''), form);
  return ascii?.includes('.') ? ascii : undefined;
}

/**
 * UTS 46, as `domainToASCII` processes it, with the limits of RFC 1035 §2.3.4; undefined for numbers, which are
 * addresses of hosts.
 */
function toAscii(text: string, form: RegExp): string | undefined {
  if (FOREIGN.test(text)) return undefined;
  const ascii = domainToASCII(text).toLowerCase();
  if (ascii.length > MAX_DOMAIN || isIP(ascii) !== 0) return undefined;
  return ascii.split('.').every((label) => form.test(label) && !isBrokenLabel(label)) ? ascii : undefined;
}

/** An A-label that stands for no U-label (RFC 5890 §2.3.2.1). `domainToASCII` lets those pass. */
function isBrokenLabel(label: string): boolean {
  return label.startsWith('xn--') && domainToUnicode(label) === label;
}

/**
 * The domain derived from an organization's name: `Acme Inc.` at `id.example.com` becomes `acme-inc.id.example.com`;
 * below `localhost` if the service itself has no name (RFC 6761 §6.3: it never resolves to another machine).
 */
export function toDefaultDomain(orgName: string, publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  const host = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost';
  const label = orgName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX_LABEL)
    .replace(/-+$/, '');
  return `${label || 'org'}.${host}`;
}
