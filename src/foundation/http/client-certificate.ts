import { createHash, X509Certificate } from 'node:crypto';
import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction, RequestHandler } from 'express';
import type { HttpConfig } from '../config/config.js';
import type { Logger } from '../log/logger.js';
import type { Clock } from '../time/clock.js';
import { type CertificateFlaw, readCertificate } from './certificate-header.js';
import { isFromTrustedProxy } from './trusted-proxy.js';

/** The certificate that a client has shown in the TLS handshake with a proxy that is trusted. */
export interface ClientCertificate {
  /** `x5t#S256`: SHA-256 of the certificate in base64url (RFC 8705 §3.1). */
  readonly thumbprint: string;
  readonly x509: X509Certificate;
  /** The proxy says that it has verified the chain of the certificate. */
  readonly isVerified: boolean;
}

/** Words of nginx and HAProxy for a certificate whose chain they have verified. */
const VERIFIED = ['SUCCESS', '0'];

const certificates = new WeakMap<ExpressRequest, () => ClientCertificate | undefined>();

/**
 * Keeps the client's certificate; must come first, while the sender is still there. What the header of
 * `CLIENT_CERT_HEADER` says is believed of the proxies in `TRUSTED_PROXIES` alone: any other sender has shown no
 * certificate (RFC 8705 §6.5). It is read when something asks for it.
 */
export function keepCertificate(config: HttpConfig, clock: Clock, log: Logger): RequestHandler {
  const { certificateHeader, certificateVerdictHeader } = config;
  return (request: ExpressRequest, _response: ExpressResponse, next: NextFunction): void => {
    const values = certificateHeader === undefined ? undefined : request.headersDistinct[certificateHeader];
    if (values !== undefined && isFromTrustedProxy(request)) {
      const verdicts = certificateVerdictHeader === undefined ? [] : request.headersDistinct[certificateVerdictHeader];
      certificates.set(
        request,
        once(() => read(values, verdicts ?? [], clock.now(), log)),
      );
    }
    next();
  };
}

/** The certificate of the client; undefined without one, and for one that cannot be used, which the log explains. */
export function certificateOf(request: object): ClientCertificate | undefined {
  return certificates.get(request as ExpressRequest)?.();
}

function read(
  values: readonly string[],
  verdicts: readonly string[],
  now: Date,
  log: Logger,
): ClientCertificate | undefined {
  const found = values.length > 1 || verdicts.length > 1 ? 'repeated' : readCertificate(values[0] ?? '', now);
  if (found === undefined) return undefined;
  if (!(found instanceof X509Certificate)) {
    log.warn({ reason: `certificate.${found satisfies CertificateFlaw}` }, 'the certificate of a client is not used');
    return undefined;
  }
  const [verdict] = verdicts;
  return {
    thumbprint: createHash('sha256').update(found.raw).digest('base64url'),
    x509: found,
    isVerified: verdict !== undefined && VERIFIED.includes(verdict),
  };
}

function once<T>(work: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => (result ??= { value: work() }).value;
}
