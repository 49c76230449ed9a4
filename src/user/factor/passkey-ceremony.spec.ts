import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { PasskeyConfig } from '../../foundation/config/config.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { parseAssertion } from './ceremony-answer.js';
import { type ChallengeCheck, PasskeyCeremony, type UsableKey } from './passkey-ceremony.js';
// Made by another implementation: see test/support/passkey-vectors.py.
import vectors from './passkey-vectors.json' with { type: 'json' };

const { rpId, origin, challenge: ours, userId } = vectors;
const config: PasskeyConfig = { rpId, origin };
const ceremony = new PasskeyCeremony(config);
const expiresAt = new Date('2030-01-01');
const challenge: ChallengeCheck = (value) => (value === ours ? { value, expiresAt } : undefined);

/** The reason of the refusal, or `accepted`. Anything but a refusal fails the test. */
async function verdictOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.reason;
  }
}

interface Vector {
  readonly title: string;
  readonly answer: string;
  readonly expected: string;
  readonly key?: { readonly id: string; readonly publicKey: string; readonly backupEligible?: boolean };
}

const assert = async ({ answer, key }: Vector, mustVerifyUser = true, over: Partial<UsableKey> = {}) => {
  const parsed = parseAssertion(answer);
  const stored = {
    credentialId: key!.id,
    userHandle: null,
    publicKey: Buffer.from(key!.publicKey, 'base64url'),
    rpId,
    backupEligible: key!.backupEligible ?? true,
    ...over,
  };
  return ceremony.verifyAssertion(parsed, stored, { challenge, mustVerifyUser, ownerId: userId, isNamed: false });
};

describe('The answer to a registration [PKY-003, PKY-004, PKY-005, PKY-009, PKY-010, PKY-011, PKY-013]', () => {
  const fetched = jest.spyOn(globalThis, 'fetch');
  beforeEach(() => {
    fetched.mockReset();
    fetched.mockRejectedValue(new Error('no request may leave'));
  });
  afterEach(() => expect(fetched).not.toHaveBeenCalled());

  it.each(vectors.created as Vector[])('$title → $expected', async ({ answer, expected }) => {
    expect(await verdictOf(() => ceremony.verifyAttestation(answer, { challenge, mustVerifyUser: true }))).toBe(
      expected,
    );
  });

  it('is refused when it is longer than 16 KiB, before it is read [PKY-011]', async () => {
    const answer = JSON.stringify({ id: 'A'.repeat(1_000_000) });
    expect(await verdictOf(() => ceremony.verifyAttestation(answer, { challenge, mustVerifyUser: true }))).toBe(
      'passkey.refused',
    );
  });

  it('keeps what the next use is compared with, and transports that are known', async () => {
    const { answer } = (vectors.created as Vector[])[0]!;
    const { key } = await ceremony.verifyAttestation(answer, { challenge, mustVerifyUser: true });
    expect(key).toMatchObject({ rpId, signCount: '0', transports: ['internal'], backupEligible: true, backedUp: true });
  });

  it('is too late when its challenge is', async () => {
    const { answer } = (vectors.created as Vector[])[0]!;
    const late = { challenge: () => 'expired' as const, mustVerifyUser: true };
    expect(await verdictOf(() => ceremony.verifyAttestation(answer, late))).toBe('passkey.challenge_expired');
  });
});

describe('The answer of a key [PKY-003, PKY-004, PKY-005, PKY-006, PKY-007, PKY-011, PKY-013]', () => {
  it.each(vectors.used as Vector[])('$title → $expected', async (vector) => {
    expect(await verdictOf(() => assert(vector))).toBe(vector.expected);
  });

  it('need not verify its user as a second factor, and says whether it did', async () => {
    const unverified = (vectors.used as Vector[]).find(({ title }) => title === 'UV 0 [PKY-005]')!;
    expect(await assert(unverified, false)).toMatchObject({ isUserVerified: false });
  });

  it('says whether the key is synchronized now [PKY-013]', async () => {
    const unsynced = (vectors.used as Vector[]).find(({ title }) => title === 'BS 0 with BE 1 [PKY-013]')!;
    expect(await assert(unsynced)).toMatchObject({ backedUp: false });
  });

  it.each<[string, Partial<UsableKey>, string]>([
    ['that was made with another one', { userHandle: 'b2xkLWhhbmRsZQ' }, 'passkey.refused'],
    ['that was made with this one', { userHandle: Buffer.from(userId).toString('base64url') }, 'accepted'],
  ])(
    'has the handle of the key, which is not always the id of the owner: of a key %s [PKY-007]',
    async (_, over, verdict) => {
      const [good] = vectors.used as Vector[];
      expect(await verdictOf(() => assert(good!, true, over))).toBe(verdict);
    },
  );

  it('says whether the key can be synchronized, where nobody has said it before [PKY-013]', async () => {
    const [good] = vectors.used as Vector[];
    expect(await assert(good!, true, { backupEligible: null })).toMatchObject({ backupEligible: true });
  });

  it('is refused for a key that was made for another domain [PKY-026]', async () => {
    const [good] = vectors.used as Vector[];
    const key = {
      credentialId: good!.key!.id,
      userHandle: null,
      publicKey: Buffer.alloc(1),
      rpId: 'old.test',
      backupEligible: true,
    };
    const expected = { challenge, mustVerifyUser: true, ownerId: userId, isNamed: false };
    expect(await verdictOf(() => ceremony.verifyAssertion(parseAssertion(good!.answer), key, expected))).toBe(
      'passkey.refused',
    );
  });
});

describe('What a browser is asked for', () => {
  it('is a passkey that verifies its user, or a security key that asks for no PIN', () => {
    const existing = [{ credentialId: 'AQ', transports: ['usb' as const] }];
    const user = { id: 'u1', name: 'alice', displayName: 'Alice' };
    const passkey = ceremony.creationOptions('Y2g', { kind: 'passkey', user, brand: 'Acme', existing });
    expect(passkey).toMatchObject({
      rp: { id: rpId, name: 'Acme' },
      user: { id: 'dTE' },
      pubKeyCredParams: [{ alg: -8 }, { alg: -7 }, { alg: -257 }],
      excludeCredentials: [{ id: 'AQ', transports: ['usb'] }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    expect(passkey.authenticatorSelection).not.toHaveProperty('authenticatorAttachment');
    expect(ceremony.creationOptions('Y2g', { kind: 'u2f', user, brand: 'Acme', existing: [] })).toMatchObject({
      authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
    });
    expect(ceremony.requestOptions('Y2g', { mustVerifyUser: true })).toMatchObject({
      rpId,
      allowCredentials: [],
      userVerification: 'required',
    });
  });

  it('is nothing where the service has no domain', () => {
    const addressed = new PasskeyCeremony({ rpId: undefined, origin: 'http://127.0.0.1:3000' });
    expect(addressed.isPossible).toBe(false);
    expect(() => addressed.requestOptions('Y2g', { mustVerifyUser: true })).toThrow('Passkeys need a domain');
  });
});
