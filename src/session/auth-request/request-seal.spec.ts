import { beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../../foundation/config/secret.js';
import { MasterKeys } from '../../foundation/crypto/master-key.js';
import { TokenSeal } from '../../foundation/crypto/token-seal.js';
import { beginRequest } from './auth-request.js';
import { RequestSeal } from './request-seal.js';

const sealUnder = async (key: string): Promise<RequestSeal> =>
  new RequestSeal(new TokenSeal(await MasterKeys.from(new Secret(key), [])));

const at = new Date('2026-01-01T12:00:00.123Z');
const request = beginRequest(
  {
    clientId: 'c1',
    redirectUri: 'https://rp.test/cb',
    responseType: 'code',
    responseMode: 'query',
    scopes: ['openid'],
    state: 'é"<\u0000',
    nonce: undefined,
    codeChallenge: undefined,
    prompts: ['login'],
    maxAgeSeconds: 0,
    loginHint: undefined,
    uiLocales: [],
    acrValues: [],
    secondFactorRequired: false,
    claims: undefined,
    requiredOrgId: undefined,
    requiredUserId: undefined,
  },
  { id: 'r1', browserId: 'b1', createdAt: at, expiresAt: at },
);

let seal: RequestSeal;
beforeAll(async () => {
  seal = await sealUnder('the master key');
});

describe('A sealed request', () => {
  it('opens as it was, times included', () => {
    const learned = { ...request, externalProvedAt: at, passwordExpiresAt: at };
    expect(seal.open(seal.seal(request))).toEqual(request);
    expect(seal.open(seal.seal(learned))).toEqual(learned);
  });

  it('shows nothing of what is in it', () => {
    expect(Buffer.from(seal.seal(request), 'base64url').toString('latin1')).not.toContain('rp.test');
  });

  it('does not open changed, cut, lengthened, or under another key', async () => {
    const value = seal.seal(request);
    const bent = value.slice(0, -2) + (value.endsWith('AA') ? 'BB' : 'AA');
    for (const wrong of ['', 'r1', value.slice(1), value.slice(0, -1), `${value}A`, bent, ` ${value}`, 'gtq_'])
      expect(seal.open(wrong)).toBeUndefined();
    expect((await sealUnder('another master key')).open(value)).toBeUndefined();
  });

  it.each(['s', '語', '😀'])(
    'with the longest state, nonce and redirect URI that are taken still opens: %s',
    (letter) => {
      const value = letter.repeat(4_096 / letter.length);
      const long = { ...request, state: value, nonce: value, redirectUri: `https://rp.test/${'x'.repeat(2_000)}` };
      expect(seal.isTooLong(long)).toBe(false);
      const learned = { ...long, loginName: '😀'.repeat(400) };
      expect(seal.open(seal.seal(learned))).toEqual(learned);
    },
  );

  it('is too long if no form could carry it', () => {
    const value = '\u0001'.repeat(4_096);
    expect(seal.isTooLong({ ...request, state: value, nonce: value })).toBe(true);
  });
});
