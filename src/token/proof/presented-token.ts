import { Injectable } from '@nestjs/common';
import type { SentAccessToken } from '../../foundation/http/access-token-header.js';
import { certificateOf } from '../../foundation/http/client-certificate.js';
import { ProofRefused } from './proof-refused.js';
import { type ProofOfKey, ProofsOfKeys, type SentProof } from './proofs-of-keys.js';

/**
 * What an access token is bound to: only who has this key, or this certificate, may use it (RFC 9449 §6.1, RFC 8705
 * §3).
 */
export interface Confirmation {
  /** The thumbprint of the key, as in `cnf` (RFC 7800 §3.1). */
  readonly jkt?: string;
  /** SHA-256 of the certificate without which the token cannot be used (RFC 8705 §3.1). */
  readonly 'x5t#S256'?: string;
}

/** An access token that a caller uses, with the key that the request has proved. */
export interface PresentedToken {
  readonly token: string;
  /** Undefined under the scheme `Bearer`. */
  readonly proof: ProofOfKey | undefined;
  /** The thumbprint of the certificate that the caller has shown in the TLS handshake. */
  readonly certificate: string | undefined;
}

/** Reads how a request uses its access token: the same at every protected resource of ours. */
@Injectable()
export class PresentedTokens {
  constructor(private readonly proofs: ProofsOfKeys) {}

  /** @throws ProofRefused for the scheme `DPoP` without a valid proof for this token (RFC 9449 §7.1) */
  async present({ scheme, token }: SentAccessToken, request: SentProof): Promise<PresentedToken> {
    const certificate = certificateOf(request)?.thumbprint;
    if (scheme === 'Bearer') return { token, proof: undefined, certificate };
    const proof = this.proofs.read(request, token);
    if (!proof) throw new ProofRefused('missing');
    return { token, proof: await this.proofs.verify(proof), certificate };
  }
}

/**
 * Whether the token is used as it must be: a bound one with its key, and one that is not bound without (RFC 9449 §7.1,
 * §7.2). A bound token that is sent as a bearer token was stolen, or its client does not know what it has.
 */
export function isUsedAsBound(confirmation: Confirmation | undefined, { proof, certificate }: PresentedToken): boolean {
  const boundTo = confirmation?.['x5t#S256'];
  return confirmation?.jkt === proof?.thumbprint && (boundTo === undefined || boundTo === certificate);
}
