import { describe, expect, it } from '@jest/globals';
import {
  type AccessTokenFacts,
  decodeFacts,
  type ExchangeFacts,
  encodeFacts,
  newTokenId,
  packExchange,
  parseTokenId,
  unpackExchange,
} from './access-token.js';
import { REGISTERED } from './claims/claims-contributor.js';
import { TELLING_CLAIMS, withoutIdTokenClaims } from './token-kind.js';

const facts: AccessTokenFacts = {
  id: '7.0.1.x',
  sessionId: 's',
  clientId: 'web1',
  userId: 'u',
  audience: ['web1', 'p'],
  scopes: ['openid', 'email'],
  userinfoClaims: ['birthdate'],
  issuedAt: 1,
  expiresAt: 2,
};

const exchange: ExchangeFacts = {
  origins: ['7.0.1.x', 'web1 u'],
  since: 1,
  actors: [{ userId: 'a', userEpoch: 2, sessionId: undefined, since: 1, endIds: ['8.2.3.y'] }],
  applications: [{ clientId: 'web1', clientEpoch: '1' }],
};

describe('The facts of an access token', () => {
  it('come back as they were written', () => {
    expect(decodeFacts(encodeFacts(facts))).toEqual(facts);
    const bare = { ...facts, sessionId: undefined, scopes: [], userinfoClaims: [], audience: [] };
    expect(decodeFacts(encodeFacts(bare))).toEqual(bare);
    const direct = { ...facts, isDirect: true };
    expect(decodeFacts(encodeFacts(direct))).toEqual(direct);
    const exchanged = { ...facts, exchange };
    expect(decodeFacts(encodeFacts(exchanged))).toEqual(exchanged);
  });

  it('are read from a token that was exchanged before the applications in a row were recorded', () => {
    const [since, origins, actors] = packExchange(exchange);
    expect(unpackExchange([since, origins, actors])).toEqual({ ...exchange, applications: [] });
  });
});

describe('The claims of an access token', () => {
  it('say how the user signed in only if the service itself says it, whatever an extension asserts [ACC-011]', () => {
    const asserted = { auth_time: 9, acr: '2', amr: ['mfa'], direct: true, azp: 'x', team: 'blue' };
    expect(withoutIdTokenClaims(asserted)).toEqual({ team: 'blue' });
  });
});

describe('A token id', () => {
  it('names its family and the epochs of its user and its client, and never comes twice', () => {
    expect(parseTokenId(newTokenId('7', 3, '5'))).toEqual({ familyId: '7', userEpoch: 3, clientEpoch: '5' });
    expect(parseTokenId(newTokenId(undefined, 0, undefined))).toEqual({ familyId: '', userEpoch: 0, clientEpoch: '0' });
    expect(new Set(Array.from({ length: 10_000 }, () => newTokenId('7', 0, '5'))).size).toBe(10_000);
  });

  it.each([
    '',
    '7',
    '7.0',
    '7.0.r',
    '7.0.5.',
    '7.x.5.r',
    '7.-1.5.r',
    '7.1e3.5.r',
    '7.0.5.r.s',
    '7.9999999999.5.r',
    '7..5.r',
    '7.0..r',
    '7.0.-5.r',
    '7.0.x.r',
    '7.0.9999999999999999999.r',
  ])('is not "%s"', (text) => {
    expect(parseTokenId(text)).toBeUndefined();
  });
});

describe('Claims that tell one kind of token from another', () => {
  it('are none that an extension may make', () => {
    expect(TELLING_CLAIMS.filter((name) => !REGISTERED.has(name))).toEqual([]);
  });
});
