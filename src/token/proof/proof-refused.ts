import { DomainError } from '../../foundation/error/domain-error.js';

/**
 * What is wrong with a proof, with what the caller may know: nothing here depends on a secret. ASCII without quotes.
 */
const FLAWS = {
  missing: 'A DPoP proof is required: send it in the DPoP header.',
  repeated: 'Send one DPoP header with one proof.',
  malformed: 'The DPoP proof is not a JWT in the compact serialization.',
  typ: 'The typ of the DPoP proof must be dpop+jwt.',
  alg: 'The alg of the DPoP proof must be one of dpop_signing_alg_values_supported, and fit its jwk.',
  jwk: 'The jwk of the DPoP proof must be a public key: RSA of 2048 to 8192 bits, P-256 or Ed25519.',
  jti: 'The DPoP proof must have a jti of 1 to 128 characters.',
  htm: 'The htm of the DPoP proof must be the method of the request.',
  htu: 'The htu of the DPoP proof must be the public URL of the request, without query and fragment.',
  iat: 'The iat of the DPoP proof must be within 60 seconds of the time of this service.',
  ath: 'The ath of the DPoP proof must be the SHA-256 of the access token in base64url.',
  nonce: 'The DPoP proof must have the nonce in the DPoP-Nonce header of this response.',
  signature: 'The signature of the DPoP proof is not valid.',
  used: 'The DPoP proof was used before: make a new one for each request.',
  'other-key': 'The DPoP proof is of another key than the one that the authorization request named.',
} as const;

export type ProofFlaw = keyof typeof FLAWS;

/** A request whose proof of a key does not hold (RFC 9449 §4.3, §5, §8). */
export class ProofRefused extends DomainError {
  constructor(
    readonly flaw: ProofFlaw,
    /** What the next proof must contain, if nonces are required. */
    readonly freshNonce?: string,
    cause?: unknown,
  ) {
    super('Unauthenticated', `proof.${flaw.replaceAll('-', '_')}`, FLAWS[flaw], { cause });
  }

  /** The code of RFC 9449 §5 and §8. */
  get error(): 'invalid_dpop_proof' | 'use_dpop_nonce' {
    return this.flaw === 'nonce' ? 'use_dpop_nonce' : 'invalid_dpop_proof';
  }
}
