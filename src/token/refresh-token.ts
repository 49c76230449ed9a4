import { TokenSeal } from '../foundation/crypto/token-seal.js';
import type { ExtGrantName } from '../project/client/ext-grant.js';

/** A refresh token is a sealed reference: which family, and which of its generations. */
export interface RefreshToken {
  readonly familyId: string;
  readonly generation: number;
  /** The grant of an extension with which the family began; undefined for those of the product. */
  readonly beganBy?: ExtGrantName | undefined;
}

/** The same family and generation give the same text, so that a lost answer can be repeated. */
export function sealRefreshToken(seal: TokenSeal, { familyId, generation, beganBy }: RefreshToken): string {
  const facts = [familyId, generation, ...(beganBy === undefined ? [] : [beganBy])];
  return seal.sealDeterministically('refresh', Buffer.from(facts.join('.')));
}

export function openRefreshToken(seal: TokenSeal, text: string): RefreshToken | undefined {
  const [familyId, generation, ...grant] = seal.open('refresh', text)?.toString().split('.') ?? [];
  if (!familyId || !generation) return undefined;
  const beganBy = grant.length > 0 ? (grant.join('.') as ExtGrantName) : undefined; // only what we wrote is read
  return { familyId, generation: Number(generation), beganBy };
}
