import type { Client } from '../../client/client.js';
import type { ReadProof } from '../../token/proof/dpop-proof.js';
import { ProofRefused } from '../../token/proof/proof-refused.js';

/** What a request has that applications may demand. */
export interface Fulfilled {
  /** The proof of a key that it has. */
  readonly proof: ReadProof | undefined;
}

/**
 * What the operator demands of every request of an application, whatever it asks for: in one place, so that no grant
 * forgets one.
 * @throws ProofRefused `missing` for a request without proof where access tokens must be bound (RFC 9449 §5.2); `alg` for
 *   an algorithm that the profile of the application excludes
 */
export function checkSwitches(client: Client, { proof }: Fulfilled): void {
  if (client.mustBindTokens && !proof) throw new ProofRefused('missing');
  checkAlgorithm(client, proof);
}

/** @throws ProofRefused `alg` */
export function checkAlgorithm(client: Client, proof: ReadProof | undefined): void {
  if (proof && !client.takesAlgorithm(proof.algorithm)) throw new ProofRefused('alg');
}
