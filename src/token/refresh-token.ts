import { TokenSeal } from '../foundation/crypto/token-seal.js';

/** A refresh token is a sealed reference: which family, and which of its generations. */
export interface RefreshToken {
  readonly familyId: string;
  readonly generation: number;
}

/** The same family and generation give the same text, so that a lost answer can be repeated. */
export function sealRefreshToken(seal: TokenSeal, token: RefreshToken): string {
  return seal.sealDeterministically('refresh', Buffer.from(`${token.familyId}.${token.generation}`));
}

export function openRefreshToken(seal: TokenSeal, text: string): RefreshToken | undefined {
  const [familyId, generation] = seal.open('refresh', text)?.toString().split('.') ?? [];
  return familyId && generation ? { familyId, generation: Number(generation) } : undefined;
}
