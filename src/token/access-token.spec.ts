import { describe, expect, it } from '@jest/globals';
import { decodeFacts, encodeFacts, newTokenId, parseTokenId, type AccessTokenFacts } from './access-token.js';

const facts: AccessTokenFacts = {
  id: '7.0.x', sessionId: 's', clientId: 'web1', userId: 'u', audience: ['web1', 'p'], scopes: ['openid', 'email'], userinfoClaims: ['birthdate'],
  issuedAt: 1, expiresAt: 2,
};

describe('The facts of an access token', () => {
  it('come back as they were written', () => {
    expect(decodeFacts(encodeFacts(facts))).toEqual(facts);
    const bare = { ...facts, sessionId: undefined, scopes: [], userinfoClaims: [], audience: [] };
    expect(decodeFacts(encodeFacts(bare))).toEqual(bare);
  });
});

describe('A token id', () => {
  it('names its family and the epoch of its user, and never comes twice', () => {
    expect(parseTokenId(newTokenId('7', 3))).toEqual({ familyId: '7', userEpoch: 3 });
    expect(parseTokenId(newTokenId(undefined, 0))).toEqual({ familyId: '', userEpoch: 0 });
    expect(new Set(Array.from({ length: 10_000 }, () => newTokenId('7', 0))).size).toBe(10_000);
  });

  it.each(['', '7', '7.0', '7.0.', '7.x.r', '7.-1.r', '7.1e3.r', '7.0.r.s', '7.9999999999.r', '7..r'])('is not "%s"', (text) => {
    expect(parseTokenId(text)).toBeUndefined();
  });
});
