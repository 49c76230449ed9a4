import { type KeyObject, X509Certificate } from 'node:crypto';
import { SamlRefusal } from '../refusal.js';

/**
 * A certificate of a partner or of ours. In SAML it carries a key: who has issued it and until when it is valid says
 * nothing about signatures (SAML V2.0 Metadata Interoperability Profile §2.5), since metadata is what is trusted.
 */
export interface Certificate {
  /** DER in base64, in one line. */
  readonly base64: string;
  readonly publicKey: KeyObject;
  /** SHA-256 over the DER, in lower case without colons. */
  readonly fingerprint: string;
  readonly notAfter: Date;
}

/** NIST SP 800-131A: shorter ones sign nothing that should be believed. */
const MIN_RSA_BITS = 2048;
const CURVES = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

const PEM = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Of the content of `ds:X509Certificate`, or of a PEM file with one certificate.
 * @throws SamlRefusal `certificate_unusable`
 */
export function readCertificate(text: string): Certificate {
  const trimmed = text.trim();
  const base64 = (PEM.exec(trimmed)?.[1] ?? trimmed).replace(/\s/g, '');
  const certificate = BASE64.test(base64) ? parse(Buffer.from(base64, 'base64')) : undefined;
  if (!certificate) throw new SamlRefusal('certificate_unusable', 'not a certificate');
  if (!isStrong(certificate.publicKey)) throw new SamlRefusal('certificate_unusable', 'the kind or size of its key');
  return {
    base64: certificate.raw.toString('base64'),
    publicKey: certificate.publicKey,
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    notAfter: certificate.validToDate,
  };
}

export function toPem({ base64 }: Certificate): string {
  const lines = base64.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** Undefined if it is none, or more than one. */
function parse(der: Buffer): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(der);
    return certificate.raw.equals(der) ? certificate : undefined;
  } catch {
    return undefined;
  }
}

function isStrong({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'rsa') return (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS;
  return asymmetricKeyType === 'ec' && CURVES.has(asymmetricKeyDetails?.namedCurve ?? '');
}
