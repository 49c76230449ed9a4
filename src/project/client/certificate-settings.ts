import type { JWK } from 'jose';
import { certificateNameProblem } from '../../foundation/crypto/certificate-names.js';
import type { FieldViolation } from '../../foundation/error/domain-error.js';
import type { ClientAuthMethod, ClientRow } from './client.entity.js';

type CertificateSettings = Pick<ClientRow, 'authMethod'> &
  Partial<Pick<ClientRow, 'tlsClientNameType' | 'tlsClientName' | 'jwks' | 'jwksUri'>>;

/** Whether the client shows a certificate in the TLS handshake (RFC 8705 §2). */
export function usesCertificate(authMethod: ClientAuthMethod): boolean {
  return authMethod === 'tls_client_auth' || authMethod === 'self_signed_tls_client_auth';
}

/** The certificate of a key: base64, not base64url, of its DER (RFC 7517 §4.7, RFC 8705 §2.2.2). */
export function certificateIn({ x5c }: JWK): string | undefined {
  const first: unknown = Array.isArray(x5c) ? x5c[0] : undefined;
  return typeof first === 'string' ? first : undefined;
}

/** Whether nobody could authenticate with a certificate of its own (RFC 8705 §2.2). */
export function lacksCertificate({
  authMethod,
  jwks = null,
  jwksUri = '',
}: Pick<CertificateSettings, 'authMethod' | 'jwks' | 'jwksUri'>): boolean {
  if (authMethod !== 'self_signed_tls_client_auth' || jwksUri !== '') return false;
  return jwks?.keys.some((key) => certificateIn(key) !== undefined) !== true;
}

/** Every setting without which nobody could authenticate by certificate, by its name in the administrative API. */
export function certificateViolations(settings: CertificateSettings): FieldViolation[] {
  const { authMethod, tlsClientNameType = 'unspecified', tlsClientName = '' } = settings;
  const violations: FieldViolation[] = [];
  const refuse = (field: string, description: string): void => void violations.push({ field, description });
  if (authMethod === 'tls_client_auth' && tlsClientNameType === 'unspecified')
    refuse('tlsClientNameType', 'must say which name the certificate must have, for tls_client_auth');
  const problem =
    tlsClientNameType === 'unspecified'
      ? undefined
      : certificateNameProblem({ kind: tlsClientNameType, value: tlsClientName });
  if (problem !== undefined) refuse('tlsClientName', problem);
  if (tlsClientNameType === 'unspecified' && tlsClientName !== '')
    refuse('tlsClientNameType', 'must say which name of the certificate tlsClientName is');
  if (lacksCertificate(settings))
    refuse('jwks', 'must contain a certificate (x5c) for self_signed_tls_client_auth, or jwksUri must be set');
  return violations;
}
