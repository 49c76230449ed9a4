import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { defineExtension, type Extension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { PASSWORD_FORM, type PasswordForm } from '../../src/foundation/password/ext-password-form.js';
import { PasswordMixes } from '../../src/user/password-mixes.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const PASSWORD = 'right horse';
const SALT = 'c2FsdHNhbHQ';
const FORM = /^[A-Za-z0-9]{11}\.[a-f0-9]{32}$/;

async function digestOf(salt: string, password: string): Promise<string> {
  return (await promisify<string, string, number, Buffer>(scrypt)(`${password}\0`, salt, 16)).toString('hex');
}

/** What the form of this file does next; usually its work. */
let instead: (() => Promise<unknown>) | undefined;
const asked: string[] = [];

/** The hashes of an older service: a salt, a dot, and a digest of the password with a zero behind it. */
@Injectable()
class LegacyHashes implements PasswordForm {
  readonly name = 'legacy';
  readonly decoy = `${'A'.repeat(11)}.${'0'.repeat(32)}`;

  problemOf(hash: string): string | undefined {
    return FORM.test(hash) ? undefined : 'must be <11 characters of salt>.<32 hexadecimal digits>';
  }

  millisecondsOf(hash: string): number {
    return hash.startsWith('slow') ? 2_900 : 40;
  }

  async verify(hash: string, password: string): Promise<boolean> {
    asked.push(hash);
    if (instead) return (await instead()) as boolean;
    const [salt = '', digest] = hash.split('.');
    return (await digestOf(salt, password)) === digest;
  }
}

@Module({ providers: [LegacyHashes] })
class HrModule {}

const hr = (required?: boolean): Extension =>
  defineExtension({
    id: 'hr',
    version: '1.0.0',
    gatehouse: '>=0.1.0',
    module: HrModule,
    provides: [provide(PASSWORD_FORM, LegacyHashes)],
    ...(required === undefined ? {} : { required }),
  });

let world: World;
let org: TestOrg;
let manager: AdminApi;
let client: RelyingParty;
let hash: string;

beforeAll(async () => {
  world = await startWorld({ extensions: [hr()], loginLimits: 'on' });
  org = await world.add.org('legacy.test');
  manager = (await callerWith(world, org, ['IAM_OWNER'])).api;
  client = new RelyingParty(world, await world.cast.web1);
  hash = `$ext-hr-legacy$${SALT}.${await digestOf(SALT, PASSWORD)}`;
});
afterEach(() => {
  instead = undefined;
  asked.length = 0;
});
afterAll(() => world.close());

const person = (userName: string, value: string): Json => ({
  userName,
  profile: { firstName: 'L', lastName: 'L' },
  email: { email: userName, isEmailVerified: true },
  hashedPassword: { value },
});

async function add(userName: string, value = hash): Promise<string> {
  return (await manager.call<{ userId: string }>('POST', '/management/v1/users/human/_import', person(userName, value)))
    .userId;
}

async function storedOf(id: string): Promise<string | null> {
  const [row] = await world.rows<{ hash: string | null }>(
    'SELECT password_hash AS hash FROM user_account WHERE id = $1',
    [id],
  );
  return row!.hash;
}

/** Whether these sign in. */
async function signsIn(loginName: string, password: string): Promise<boolean> {
  const party = client.elsewhere();
  return (await party.enter(await party.authorize(), { loginName, password })).redirect !== undefined;
}

describe('A hash in a form of an extension', () => {
  it('is imported, refuses a wrong password, admits the right one, and is argon2id from then on', async () => {
    const id = await add('one@legacy.test');
    expect(await storedOf(id)).toBe(hash);
    expect(await signsIn('one@legacy.test', 'wrong')).toBe(false);
    expect(await storedOf(id)).toBe(hash);
    expect(await signsIn('one@legacy.test', PASSWORD)).toBe(true);
    expect(await storedOf(id)).toMatch(/^\$argon2id\$/);
    asked.length = 0;
    expect(await signsIn('one@legacy.test', PASSWORD)).toBe(true);
    expect(asked).toEqual([]);
  });

  it('comes with a document, too', async () => {
    const user = person('document@elsewhere.test', hash);
    const humanUsers = [{ userId: 'of-document', state: 'USER_STATE_ACTIVE', user }];
    const orgs = [{ orgId: 'org-of-legacy', org: { name: 'Legacy' }, humanUsers }];
    expect((await manager.call('POST', '/admin/v1/import', { data_orgs: { orgs } }))['errors']).toEqual([]);
    expect(await storedOf('of-document')).toBe(hash);
    expect(await signsIn('document@elsewhere.test', PASSWORD)).toBe(true);
  });

  it.each([
    ['is malformed', '$ext-hr-legacy$short', /must be <11 characters of salt>/],
    [
      'would take too long to check',
      `$ext-hr-legacy$slowslowslo.${'0'.repeat(32)}`,
      /must not take longer than 1000 ms/,
    ],
    [
      'is of a form that no extension has',
      `$ext-hr-other$${SALT}`,
      /no extension that is loaded checks \$ext-hr-other\$/,
    ],
    ['is too long', `$ext-hr-legacy$${'a'.repeat(490)}`, /./],
  ])('is refused if it %s', async (_, value, description) => {
    const reply = await manager.ask('POST', '/management/v1/users/human/_import', person('bad@legacy.test', value));
    expect(reply.status).toBe(400);
    const [violation] = reply.json<{
      details: Array<{ fieldViolations: Array<{ field: string; description: string }> }>;
    }>().details[0]!.fieldViolations;
    expect(violation).toEqual({ field: 'hashedPassword.value', description: expect.stringMatching(description) });
  });

  it('is no hash of a recovery code', async () => {
    const body = { ...person('codes@legacy.test', hash), recoveryCodes: [{ hash }] };
    expect(await manager.verdict('POST', '/management/v1/users/human/_import', body)).toBe('400 recoveryCodes[0].hash');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['throws', () => Promise.reject(new Error('the library is gone'))],
    ['answers what is not a boolean', () => Promise.resolve('yes')],
    ['answers nothing', () => Promise.resolve(undefined)],
  ])('whose form %s signs nobody in and counts for nothing; the log names the extension', async (_, broken) => {
    const loginName = `broken-${_.length}@legacy.test`;
    await add(loginName);
    instead = broken;
    const lines = world.logText().length;
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const party = client.elsewhere();
      const { page } = await party.authorize();
      const arrival = await party.browser.submit(page!, { loginName });
      // What a browser gets that must not get a 5xx elsewhere.
      await expect(party.browser.submit(arrival.page!, { password: PASSWORD })).rejects.toThrow(
        'POST /ui/login/password answered 503',
      );
    }
    const line = world
      .logText()
      .slice(lines)
      .split('\n')
      .find((text) => text.includes('an extension failed'));
    expect(JSON.parse(line!)).toMatchObject({ extension: 'hr', seam: 'PASSWORD_FORM', part: 'LegacyHashes' });
    instead = undefined;
    expect(await signsIn(loginName, PASSWORD)).toBe(true);
  });

  it('whose form occupies the event loop is checked, and the log names the extension, once', async () => {
    for (const loginName of ['busy-1@legacy.test', 'busy-2@legacy.test']) {
      await add(loginName);
      instead = () => {
        for (const end = performance.now() + 60; performance.now() < end; );
        return Promise.resolve(true);
      };
      expect(await signsIn(loginName, PASSWORD)).toBe(true);
    }
    const lines = world
      .logText()
      .split('\n')
      .filter((text) => text.includes('a password form occupies the event loop'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, extension: 'hr', part: 'LegacyHashes' });
  });

  it('is the decoy of unknown names, where all users have one', async () => {
    const crowd = await world.add.org('crowd.test');
    for (const name of ['one', 'two', 'three']) {
      const { id } = await world.add.person({ orgId: crowd.id, userName: name });
      await world.rows('UPDATE user_account SET password_hash = $2 WHERE id = $1', [id, hash]);
    }
    await world.get(PasswordMixes).count();
    for (const name of ['four', 'five']) expect(await signsIn(`${name}@crowd.test`, PASSWORD)).toBe(false);
    expect(new Set(asked)).toEqual(new Set([new LegacyHashes().decoy]));
  });
});

describe('An extension with a password form', () => {
  it('is required, unless it says otherwise', () => {
    expect(hr().required).toBe(true);
    expect(hr(false).required).toBe(false);
  });

  it.each<[string, Partial<PasswordForm>, string]>([
    ['its name is not of its form', { name: 'Old Hashes' }, 'needs a name of lower-case letters, digits and hyphens.'],
    ['it has no decoy', { decoy: undefined as never }, 'needs a decoy of at most 400 characters'],
    ['its decoy is malformed', { decoy: 'short' }, 'is not of its own form: it must be <11 characters of salt>'],
    ['it expects to take too long', { millisecondsOf: () => 10_000 }, 'at more than 0 and at most 3000 ms.'],
    ['it does not say how long it takes', { millisecondsOf: () => Number.NaN }, 'at more than 0 and at most 3000 ms.'],
    [
      'it throws',
      {
        problemOf: () => {
          throw new Error('no alphabet');
        },
      },
      'cannot read its own decoy: no alphabet',
    ],
  ])('is refused at start if %s', (_, over, message) => {
    const part = Object.assign(new LegacyHashes(), over);
    const mistakes = PASSWORD_FORM.mistakes([{ extension: 'hr', name: 'LegacyHashes', part }]);
    expect(mistakes).toEqual([expect.stringContaining(message)]);
  });

  it('is refused at start if two of its forms have one name', () => {
    const filled = { extension: 'hr', name: 'LegacyHashes', part: new LegacyHashes() };
    expect(PASSWORD_FORM.mistakes([filled, filled])).toEqual([
      'Several password forms have the prefix $ext-hr-legacy$. Give each its own name.',
    ]);
  });
});
