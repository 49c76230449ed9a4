import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

/** Which name a certificate must have: RFC 8705 §2.1.2, of which a client has exactly one. */
export const CERTIFICATE_NAME_KINDS = ['subject_dn', 'san_dns', 'san_uri', 'san_ip', 'san_email'] as const;
export type CertificateNameKind = (typeof CERTIFICATE_NAME_KINDS)[number];

export interface CertificateName {
  readonly kind: CertificateNameKind;
  readonly value: string;
}

/** The kinds as Node names them in `subjectAltName`. */
const SAN_TYPES: Readonly<Record<Exclude<CertificateNameKind, 'subject_dn'>, string>> = {
  san_dns: 'DNS',
  san_uri: 'URI',
  san_ip: 'IP Address',
  san_email: 'email',
};
/** One name; Node puts those with special characters into the quotes of JSON. */
const ALTERNATIVE = /^([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/;
/** Attribute types with several names: RFC 4514 §3, and what OpenSSL calls them. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  e: 'emailaddress',
  email: 'emailaddress',
  '1.2.840.113549.1.9.1': 'emailaddress',
  s: 'st',
  '2.5.4.3': 'cn',
  '2.5.4.5': 'serialnumber',
  '2.5.4.6': 'c',
  '2.5.4.7': 'l',
  '2.5.4.8': 'st',
  '2.5.4.10': 'o',
  '2.5.4.11': 'ou',
  '2.5.4.97': 'organizationidentifier',
  '0.9.2342.19200300.100.1.1': 'uid',
  '0.9.2342.19200300.100.1.25': 'dc',
};

/** What is wrong with a name at registration, or undefined. */
export function certificateNameProblem({ kind, value }: CertificateName): string | undefined {
  switch (kind) {
    case 'subject_dn':
      return parseName(value, ',')
        ? undefined
        : 'must be a distinguished name as in RFC 4514, such as CN=bank,O=Example,C=DE';
    case 'san_dns':
      return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(value) ? undefined : 'must be a DNS name without wildcards';
    case 'san_uri':
      return URL.canParse(value) ? undefined : 'must be a URI';
    case 'san_ip':
      return isIP(value) === 0 ? 'must be an IP address' : undefined;
    case 'san_email':
      return /^[^\s@]+@[^\s@]+$/.test(value) ? undefined : 'must be an e-mail address';
  }
}

/** Whether the certificate has this name (RFC 8705 §2.1). */
export function hasName(x509: X509Certificate, { kind, value }: CertificateName): boolean {
  if (kind === 'subject_dn') {
    const wanted = parseName(value, ',');
    // The certificate begins with the country, the text with the common name (RFC 4514 §2.1).
    return wanted !== undefined && wanted === parseName(x509.subject.split('\n').reverse().join('\n'), '\n');
  }
  const names = alternativesOf(x509).filter(([type]) => type === SAN_TYPES[kind]);
  return names.some(([, name]) => comparable(kind, name) === comparable(kind, value));
}

function alternativesOf({ subjectAltName = '' }: X509Certificate): Array<readonly [type: string, name: string]> {
  const found: Array<readonly [string, string]> = [];
  for (let rest = subjectAltName; rest !== ''; ) {
    const [all, type = '', text = ''] = ALTERNATIVE.exec(rest) ?? [];
    if (all === undefined || all === '') return found;
    found.push([type, text.startsWith('"') ? (JSON.parse(text) as string) : text]);
    rest = rest.slice(all.length);
  }
  return found;
}

function comparable(kind: CertificateNameKind, name: string): string {
  if (kind === 'san_dns') return name.toLowerCase();
  if (kind === 'san_ip') return isIP(name) === 6 ? new URL(`http://[${name}]`).hostname : name;
  return name;
}

/**
 * A distinguished name in one spelling, or undefined: types in lower case by one of their names, values without
 * escapes. Values are compared as they are, which is stricter than X.520 and never admits another name.
 */
function parseName(text: string, separator: ',' | '\n'): string | undefined {
  const parts = splitUnescaped(text, separator);
  const parsed = parts.map((part) => {
    const attributes = splitUnescaped(part, '+').map(parseAttribute);
    return attributes.some((attribute) => attribute === undefined) ? undefined : attributes.sort();
  });
  return parts.length === 0 || parsed.includes(undefined) ? undefined : JSON.stringify(parsed);
}

function parseAttribute(text: string): string | undefined {
  const [, type, value] = /^\s*([A-Za-z][A-Za-z0-9-]*|[0-9]+(?:\.[0-9]+)+)\s*=\s*([\s\S]*)$/.exec(text) ?? [];
  if (type === undefined || value === undefined || value === '') return undefined;
  const known = type.toLowerCase();
  return JSON.stringify([TYPE_NAMES[known] ?? known, unescape(value)]);
}

/** RFC 4514 §2.4: a special character after a backslash, or a byte of UTF-8 in two hexadecimal digits. */
function unescape(value: string): string {
  const bytes: Buffer[] = [];
  const trimmed = value.replace(/(?<!\\) +$/, '');
  for (let at = 0; at < trimmed.length; at += 1) {
    const pair = trimmed.slice(at + 1, at + 3);
    if (trimmed[at] !== '\\') bytes.push(Buffer.from(String.fromCodePoint(trimmed.codePointAt(at)!)));
    else if (/^[0-9A-Fa-f]{2}$/.test(pair)) bytes.push(Buffer.from(pair, 'hex'));
    else bytes.push(Buffer.from(pair.slice(0, 1)));
    if (trimmed[at] === '\\') at += /^[0-9A-Fa-f]{2}$/.test(pair) ? 2 : 1;
    else if (trimmed.codePointAt(at)! > 0xffff) at += 1;
  }
  return Buffer.concat(bytes).toString();
}

function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
