import type { JWK } from 'jose';
import type { SigningAlgorithm } from '../../org/instance/instance.entity.js';
import type { JwsVerifier } from './jws-verifier.js';
import type { JwtSigner } from './jwt-signer.js';
import type { SigningKeyPurpose } from './signing-key.entity.js';

export interface PublishedKey {
  readonly id: string;
  readonly algorithm: SigningAlgorithm;
  readonly publicKey: JWK;
  readonly verifier: JwsVerifier;
}

/** The keys at one moment: those that sign, and all published ones. Replaced as a whole. */
export class KeyRing {
  private readonly byId: ReadonlyMap<string, PublishedKey>;

  constructor(
    private readonly signers: Readonly<Partial<Record<SigningKeyPurpose, JwtSigner>>>,
    published: readonly PublishedKey[],
  ) {
    this.byId = new Map(published.map((key) => [key.id, key]));
  }

  /** The active key. */
  signerFor(purpose: SigningKeyPurpose): JwtSigner | undefined {
    return this.signers[purpose];
  }

  find(keyId: string): PublishedKey | undefined {
    return this.byId.get(keyId);
  }

  /** RFC 7517 §5: public members only, each key with a `kid` of its own. */
  toJwks(): { keys: JWK[] } {
    return { keys: [...this.byId.values()].map((key) => key.publicKey) };
  }

  /** The algorithms of the active keys; `strict` is used only while the other is RS256 (see `KeyService.signer`). */
  signingAlgorithms(): SigningAlgorithm[] {
    const { general, strict } = this.signers;
    const used = general?.algorithm === 'RS256' ? [general, strict] : [general];
    return used.flatMap((signer) => signer?.algorithm ?? []);
  }

  /** The algorithms of all published keys, by which tokens may be signed that are still valid. */
  algorithms(): SigningAlgorithm[] {
    return [...new Set([...this.byId.values()].map((key) => key.algorithm))];
  }
}
