import { pbkdf2Sync, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { passwordFormContract } from '../../../src/extension/testing/contract/password-form.contract.js';
import { defineExtension } from '../../../src/foundation/extension/extension.js';
import { provide } from '../../../src/foundation/extension/seam.js';
import { PASSWORD_FORM, type PasswordForm } from '../../../src/foundation/password/ext-password-form.js';
import { HashLane } from '../../../src/foundation/password/hash-lane.js';
import { HashThread } from '../../../src/foundation/password/hash-thread.js';
import { importedHashProblem, workOf } from '../../../src/foundation/password/password-form.js';
import { startWorld } from '../../support/world.js';
import { brokenIn } from './broken.js';

const FORM = /^[a-f0-9]{16}\.[a-f0-9]{32}$/;

async function hashOf(salt: string, password: string): Promise<string> {
  return `${salt}.${(await promisify<string, string, number, Buffer>(scrypt)(password, salt, 16)).toString('hex')}`;
}

/** The hashes of an older service; `does` breaks it. */
@Injectable()
class LegacyHashes implements PasswordForm {
  static does: Partial<PasswordForm> = {};
  readonly name: string = 'legacy';
  readonly decoy = `${'0'.repeat(16)}.${'0'.repeat(32)}`;

  problemOf(hash: string): string | undefined {
    if (LegacyHashes.does.problemOf) return LegacyHashes.does.problemOf(hash);
    return FORM.test(hash) && !hash.endsWith('\n') ? undefined : 'must be <16 hexadecimal digits of salt>.<32 more>';
  }

  millisecondsOf(hash: string): number {
    return LegacyHashes.does.millisecondsOf?.(hash) ?? 40;
  }

  async verify(hash: string, password: string, signal: AbortSignal): Promise<boolean> {
    if (LegacyHashes.does.verify) return LegacyHashes.does.verify(hash, password, signal);
    const [salt = ''] = hash.split('.');
    return timingSafeEqual(Buffer.from(await hashOf(salt, password)), Buffer.from(hash));
  }
}

@Injectable()
class HangingHashes extends LegacyHashes {
  override readonly name = 'hanging';

  override verify(): Promise<boolean> {
    return new Promise(() => undefined);
  }
}

@Injectable()
class SlowHashes extends LegacyHashes {
  override readonly name = 'slow';

  override verify(): Promise<boolean> {
    return new Promise((resolve) => setTimeout(resolve, 3_050, false));
  }
}

/** The product's own form, SHA-512-crypt, filling the seam as an extension would. */
@Injectable()
class ShaCrypt implements PasswordForm {
  readonly name = 'sha512';
  readonly decoy = `$6$rounds=5000$saltsaltsaltsalt$${'.'.repeat(86)}`;
  private readonly lane = new HashLane(1);
  private readonly thread = new HashThread();

  problemOf(hash: string): string | undefined {
    return hash.startsWith('$6$') ? importedHashProblem(hash) : 'must begin with $6$';
  }

  millisecondsOf(): number {
    return 10;
  }

  async verify(hash: string, password: string): Promise<boolean> {
    return this.lane.run(
      { from: 'here', name: 'one' },
      async () => (await this.thread.check(workOf(hash)!, password)).isRight,
    );
  }
}

@Module({ providers: [LegacyHashes, HangingHashes, SlowHashes, ShaCrypt] })
class LegacyModule {}

const legacy = defineExtension({
  id: 'hr',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: LegacyModule,
  provides: [LegacyHashes, HangingHashes, SlowHashes, ShaCrypt].map((form) => provide(PASSWORD_FORM, form)),
});

const world = await startWorld({ extensions: [legacy] });
afterAll(() => world.close());

const vectors = await Promise.all(
  ['right horse', 'another Zebra 7'].map(async (password, index) => ({
    hash: await hashOf(`0123456789abcde${index}`, password),
    password,
  })),
);
const ofLegacy = { form: 'legacy', vectors };

describe('A form of an older service keeps the contract', () => {
  for (const { name, run } of passwordFormContract(world, ofLegacy)) it(name, run);
});

describe("The product's own form keeps the contract", () => {
  const ofProduct = {
    form: 'sha512',
    vectors: [
      // openssl passwd -6 -salt saltsaltsaltsalt
      {
        password: 'right horse',
        hash: '$6$saltsaltsaltsalt$Xlrh4Vzk1Y6kNhrT5SSaxLpw.6tJg5y83ogVjMiBYpbt974LNZumLr7H4c3haJgHdDzPA4y4oV1fOR8IEZvR8/',
      },
      {
        password: 'another Zebra 7',
        hash: '$6$saltsaltsaltsalt$/X0GohDCVl3WAlzOlukjGAtI1HE5pzVMXGNVcTusfcUv1AYmSqpTHfQZHNgs4CZz2k1y1qZi8ik9zpnBIurbs/',
      },
    ],
  };
  for (const { name, run } of passwordFormContract(() => world, ofProduct)) it(name, run);
});

describe('The contract tells what is wrong with a form', () => {
  afterEach(() => {
    LegacyHashes.does = {};
  });
  const digestOf = (hash: string, password: string): boolean => {
    // Longer than the contract lets anything occupy the event loop, however quick the machine is.
    for (const end = process.threadCpuUsage().user + 40_000; process.threadCpuUsage().user < end; )
      pbkdf2Sync(password, 'salt', 10_000, 32, 'sha512');
    return vectors.some((one) => one.hash === hash && one.password === password);
  };

  it.each<[string, Partial<PasswordForm>, RegExp, RegExp]>([
    [
      'admits everybody',
      { verify: async () => true },
      /no others do/,
      /^LegacyHashes admits "right horsex" for a hash of "right horse"\.$/,
    ],
    ['admits nobody', { verify: async () => false }, /no others do/, /^LegacyHashes refuses the password of "0123/],
    [
      'throws',
      { verify: () => Promise.reject(new Error('no library')) },
      /no others do/,
      /^LegacyHashes\.verify throws: Error: no library$/,
    ],
    [
      'answers a number',
      { verify: async () => 1 as never },
      /no others do/,
      /^LegacyHashes\.verify answers 1 instead of true or false\.$/,
    ],
    [
      'compares what is left of a truncated hash',
      {
        problemOf: (hash) => (/^[a-f0-9]{16}\.[a-f0-9]*$/.test(hash) ? undefined : 'must be a hash'),
        verify: async (hash, password) => (await hashOf(hash.slice(0, 16), password)).startsWith(hash),
      },
      /cut, changed/,
      /^LegacyHashes admits the password for "0123456789abcde0\.[a-f0-9]{0,31}", which is not its hash/,
    ],
    [
      'takes anything for a hash',
      { problemOf: () => undefined },
      /whatever is no hash/,
      /^LegacyHashes takes "" for a hash: problemOf must say what is wrong with it\.$/,
    ],
    [
      'fails for what is no hash',
      {
        problemOf: () => {
          throw new Error('no salt');
        },
      },
      /whatever is no hash/,
      /^LegacyHashes\.problemOf throws for "": Error: no salt$/,
    ],
    [
      'computes on the event loop',
      { verify: async (hash, password) => digestOf(hash, password) },
      /event loop/,
      /^LegacyHashes occupies the event loop for \d+ ms/,
    ],
    [
      'says nothing about its cost',
      { millisecondsOf: () => Number.NaN },
      /the cost/,
      /^LegacyHashes says that .* takes NaN ms\./,
    ],
    [
      'has a decoy that is checked at once',
      {
        verify: async (hash) => {
          if (!hash.startsWith('0000')) await new Promise((resolve) => setTimeout(resolve, 80));
          return false;
        },
      },
      /the decoy/,
      /unknown names can be told from known ones\.$/,
    ],
  ])('that %s', async (_, does, only, message) => {
    LegacyHashes.does = does;
    const found = await brokenIn(passwordFormContract(world, ofLegacy), only);
    expect(Object.values(found)).toEqual([expect.stringMatching(message)]);
  });

  // Each waits for a limit of the contract, and so they do beside one another.
  it.concurrent.each([
    ['hangs', 'hanging', /no others do/, /^HangingHashes\.verify takes longer than 6000 ms\.$/],
    [
      'takes longer than a sign-in waits',
      'slow',
      /the cost/,
      /^SlowHashes takes 3\d{3} ms for "0000.*; a sign-in waits for 3000 ms\.$/,
    ],
  ])('that %s', async (_, form, only, message) => {
    const found = await brokenIn(passwordFormContract(world, { ...ofLegacy, form }), only);
    expect(Object.values(found)).toEqual([expect.stringMatching(message)]);
  });

  it('that mixes up checks at the same time', async () => {
    let last = '';
    LegacyHashes.does = {
      verify: async (hash, password) => {
        last = password; // a field of the part, in place of a variable of the check
        await new Promise((resolve) => setTimeout(resolve, 5));
        return vectors.some((one) => one.hash === hash && one.password === last);
      },
    };
    const found = await brokenIn(passwordFormContract(world, ofLegacy), /at the same time/);
    expect(Object.values(found)).toEqual([
      expect.stringMatching(/^While others are checked, whether LegacyHashes admits /),
    ]);
  });
});
