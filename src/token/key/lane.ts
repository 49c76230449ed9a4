import type { Instance } from '../../org/instance/instance.entity.js';
import type { SigningKey } from './signing-key.entity.js';

/** What keys take turns in: one of each lane is active. */
export type Lane = Readonly<Pick<SigningKey, 'purpose' | 'algorithm'>>;

export function generalLane({ signingAlgorithm }: Pick<Instance, 'signingAlgorithm'>): Lane {
  return { purpose: 'general', algorithm: signingAlgorithm };
}

/** What is signed for applications that are held to FAPI 2.0, where the instance has RS256 (FAPI 2.0 §5.4.1). */
export const STRICT_LANE: Lane = { purpose: 'strict', algorithm: 'ES256' };
