import type { Client } from '../../client/client.js';
import { ProofRefused } from '../../token/proof/proof-refused.js';

/** What a request has that applications may demand. */
export interface Fulfilled {
  /** Whether it has a proof of a key. */
  readonly isProved: boolean;
}

/**
 * What the operator demands of every request of an application, whatever it asks for: in one place, so that no grant
 * forgets one.
 * @throws ProofRefused `missing` for a request without proof where access tokens must be bound (RFC 9449 §5.2)
 */
export function checkSwitches({ settings }: Client, { isProved }: Fulfilled): void {
  if (settings.dpopBoundAccessTokens && !isProved) throw new ProofRefused('missing');
}
