import { X509Certificate } from 'node:crypto';

/** Why the certificate in a header is not used. */
export type CertificateFlaw = 'repeated' | 'too_long' | 'malformed' | 'not_yet_valid' | 'expired';

/** A certificate with a key of 8192 bits and long names takes less; several in one header more. */
const MAX_CHARACTERS = 12_000;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** RFC 9440 §2.1: a byte sequence of structured fields (RFC 8941 §3.3.5). */
const BYTE_SEQUENCE = /^:([A-Za-z0-9+/]+={0,2}):$/;
const PEM = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----\s*$/;
const ESCAPED_PEM = /^-----BEGIN(?:%20| )CERTIFICATE-----/;
/** A pair in Envoy's `x-forwarded-client-cert`. Semicolons separate pairs; values may be in quotes. */
const PAIR = /^([A-Za-z]+)=("(?:[^"\\]|\\.)*"|[^;,"]*)(;|$)/;

/**
 * The certificate in a header that a proxy has written, in whichever way it does so: RFC 9440 (`Client-Cert`), PEM in
 * percent-encoding (nginx, `$ssl_client_escaped_cert`), DER in base64 (HAProxy, Caddy), or a list of pairs (Envoy).
 * Undefined for an empty value, with which proxies say that there is none. One certificate, that of the client: what
 * holds several is refused, since proxies that were put in a row would each add theirs.
 */
export function readCertificate(value: string, now: Date): X509Certificate | CertificateFlaw | undefined {
  if (value === '') return undefined;
  if (value.length > MAX_CHARACTERS) return 'too_long';
  const der = derIn(value);
  const x509 = der && parse(der);
  if (!x509) return 'malformed';
  if (x509.validFromDate > now) return 'not_yet_valid';
  return x509.validToDate <= now ? 'expired' : x509;
}

function derIn(value: string): Buffer | undefined {
  const sequence = BYTE_SEQUENCE.exec(value)?.[1];
  if (sequence !== undefined) return Buffer.from(sequence, 'base64');
  if (BASE64.test(value)) return Buffer.from(value, 'base64');
  if (ESCAPED_PEM.test(value)) return derInPem(value);
  const escaped = certificateIn(value);
  return escaped === undefined ? undefined : derInPem(escaped);
}

function derInPem(escaped: string): Buffer | undefined {
  try {
    const base64 = PEM.exec(decodeURIComponent(escaped))?.[1];
    return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** The one `Cert` among Envoy's pairs; undefined if there is none, or more than one element. */
function certificateIn(pairs: string): string | undefined {
  const found: string[] = [];
  for (let rest = pairs; rest !== ''; ) {
    const [all, name = '', value = ''] = PAIR.exec(rest) ?? [];
    if (all === undefined) return undefined;
    if (name.toLowerCase() === 'cert') found.push(value.replace(/^"|"$/g, ''));
    rest = rest.slice(all.length);
  }
  return found.length === 1 ? found[0] : undefined;
}

/** Nothing may follow the certificate: two that are joined are one to some parsers. */
function parse(der: Buffer): X509Certificate | undefined {
  try {
    const x509 = new X509Certificate(der);
    return x509.raw.equals(der) ? x509 : undefined;
  } catch {
    return undefined; // not a certificate
  }
}
