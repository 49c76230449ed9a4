import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import type { ChallengePlace } from '../../src/user/factor/challenge.js';
import type { KeyKind } from '../../src/user/factor/factor.entity.js';
import { PasskeyService } from '../../src/user/factor/passkey.service.js';
import { Authenticator } from '../support/authenticator.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { mailsTo } from '../support/mails.js';
import { startWorld, type World } from '../support/world.js';

const ORIGIN = 'https://id.test';

let world: World;
let keys: PasskeyService;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN });
  keys = world.get(PasskeyService);
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  person = await world.add.person({ orgId: (await world.cast.orgA).id });
});

const placeOf = (kind: KeyKind, { id }: TestPerson): ChallengePlace => ({
  purpose: kind === 'passkey' ? 'register-passkey' : 'register-u2f',
  browserId: 'browser',
  about: 'request',
  userId: id,
});

const optionsFor = (kind: KeyKind, { id, loginName }: TestPerson): Promise<string> =>
  keys.creationOptions(placeOf(kind, person), {
    kind,
    user: { id, name: loginName, displayName: loginName },
    brand: 'Acme',
  });

async function store(kind: KeyKind, owner: TestPerson, answer: string): Promise<string> {
  const checked = await keys.checkNew(kind, answer, placeOf(kind, person), 600);
  return world.transaction((tx) => keys.add(tx, { kind, owner: { userId: owner.id, orgId: owner.orgId } }, checked));
}

async function register(
  kind: KeyKind,
  device = new Authenticator(ORIGIN),
): Promise<{ id: string; device: Authenticator }> {
  return { device, id: await store(kind, person, device.create(await optionsFor(kind, person))) };
}

async function use(device: Authenticator, over: Parameters<Authenticator['get']>[1] = {}): Promise<void> {
  const place: ChallengePlace = { purpose: 'second-factor', browserId: 'browser', about: 's1', userId: person.id };
  const kinds: KeyKind[] = ['passkey', 'u2f'];
  const answer = device.get(await keys.requestOptions(place, kinds, person.id), over);
  const used = await keys.check(person.id, kinds, answer, place, 600);
  await world.transaction((tx) => keys.spend(tx, used));
}

/** What the owner was told of keys, oldest first. */
async function noticesTo({ email }: TestPerson): Promise<string[]> {
  const mails = (await mailsTo(world, email)).filter(({ subject }) => subject === 'Your account was changed');
  return mails.map(({ text }) => /^(?:A passkey|A security key|A sign-in) [^.]+\./m.exec(text)?.[0] ?? text).reverse();
}

const eventsOf = async ({ id }: TestPerson): Promise<string[]> =>
  (await world.rows<{ type: string }>('SELECT type FROM event WHERE aggregate_id = $1 ORDER BY sequence', [id])).map(
    ({ type }) => type,
  );

describe('Passkeys and security keys of a user', () => {
  it('are listed with their names, oldest first, and are journaled', async () => {
    const first = await register('passkey');
    world.clock.advance('1s');
    const second = await register('passkey');
    world.clock.advance('1s');
    const third = await register('u2f');
    const list = await keys.list(person.id);
    expect(list.map(({ id, kind, name }) => [id, kind, name])).toEqual([
      [first.id, 'passkey', 'Passkey'],
      [second.id, 'passkey', 'Passkey 2'],
      [third.id, 'u2f', 'Security key'],
    ]);
    expect(list[0]).toMatchObject({ backupEligible: true, backedUp: true, rpId: 'id.test', lastUsedAt: null });
    expect(await eventsOf(person)).toEqual(
      expect.arrayContaining(['user.human.passwordless.token.added', 'user.human.mfa.u2f.token.added']),
    );
  });

  it('are all named to the browser, so that no authenticator gets two', async () => {
    const { device } = await register('passkey');
    const { excludeCredentials } = JSON.parse(await optionsFor('u2f', person)) as { excludeCredentials: object[] };
    expect(excludeCredentials).toEqual([
      { id: device.credentialId, type: 'public-key', transports: ['hybrid', 'internal'] },
    ]);
  });

  it('are refused with an id that another key has, whosever it is [PKY-008]', async () => {
    const { device } = await register('passkey');
    await expect(register('passkey', device)).rejects.toMatchObject({ reason: 'passkey.exists' });
    const owner = person;
    person = await world.add.person({ orgId: owner.orgId });
    const before = await world.contents();
    await expect(register('u2f', device)).rejects.toMatchObject({ reason: 'passkey.exists' });
    expect(await world.contents()).toBe(before);
  });

  it('are refused when the challenge was made for another user or kind [PKY-002]', async () => {
    const answer = new Authenticator(ORIGIN).create(await optionsFor('passkey', person));
    await expect(store('u2f', person, answer)).rejects.toMatchObject({ reason: 'passkey.refused' });
    person = await world.add.person({ orgId: person.orgId });
    await expect(store('passkey', person, answer)).rejects.toMatchObject({ reason: 'passkey.refused' });
  });

  it('are registered once by one answer, also by 5 at once [PKY-001]', async () => {
    const answer = new Authenticator(ORIGIN).create(await optionsFor('passkey', person));
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => store('passkey', person, answer)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await keys.list(person.id)).toHaveLength(1);
    await expect(store('passkey', person, answer)).rejects.toMatchObject({ reason: 'passkey.challenge_spent' });
  });

  it('are 20 at most', async () => {
    for (let count = 0; count < 20; count += 1) await register('passkey');
    await expect(register('passkey')).rejects.toMatchObject({ reason: 'passkey.too_many' });
  });

  it('are renamed by their owner alone, within limits [PKY-024]', async () => {
    const { id } = await register('passkey');
    await world.transaction((tx) => keys.rename(tx, person.id, id, ' <script>名前 '));
    expect((await keys.list(person.id))[0]?.name).toBe('<script>名前');
    for (const name of ['', 'x'.repeat(300), 'a\u0000', 'a\u202Eb'])
      await expect(world.transaction((tx) => keys.rename(tx, person.id, id, name))).rejects.toMatchObject({
        kind: 'InvalidArgument',
      });
    const stranger = await world.add.person({ orgId: person.orgId });
    await expect(world.transaction((tx) => keys.rename(tx, stranger.id, id, 'x'))).rejects.toMatchObject({
      reason: 'passkey.not_found',
    });
  });

  it('are removed, with the recovery codes when nothing else is left', async () => {
    const { id } = await register('u2f');
    await world.transaction((tx) => keys.remove(tx, person.id, id, 'u2f', EDITOR));
    expect(await world.rows('SELECT 1 FROM auth_factor WHERE user_id = $1', [person.id])).toEqual([]);
    await expect(world.transaction((tx) => keys.remove(tx, person.id, id, 'u2f', EDITOR))).rejects.toMatchObject({
      reason: 'passkey.not_found',
    });
  });

  it('stay when the last one is the only way to sign in [PKY-023]', async () => {
    await world.rows('UPDATE user_account SET password_hash = NULL WHERE id = $1', [person.id]);
    const [first, second] = [await register('passkey'), await register('passkey')];
    const removals = [first, second].map(({ id }) =>
      world.transaction((tx) => keys.removeOwn(tx, person.id, id, 'passkey')),
    );
    const outcomes = await Promise.allSettled(removals);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { reason: 'passkey.last_way_in' },
    });
    expect(await keys.list(person.id)).toHaveLength(1);
  });
});

describe('The owner of keys', () => {
  it.each<[KeyKind, string, string, string]>([
    ['passkey', 'Blue', 'A passkey was added', 'A passkey was removed'],
    ['u2f', 'Blue', 'A security key was set up as a second step', 'A security key was removed as a second step'],
  ])('is told by mail when a key is added, and when a manager removes it: %s', async (kind, name, added, removed) => {
    const { id } = await register(kind);
    // It has no name yet, and what it is stands in the sentence.
    expect(await noticesTo(person)).toEqual([`${added}.`]);
    world.clock.advance('1s');
    await world.transaction((tx) => keys.rename(tx, person.id, id, name));
    await world.transaction((tx) => keys.remove(tx, person.id, id, kind, EDITOR));
    expect(await noticesTo(person)).toEqual([`${added}.`, `${removed}: ${name}.`]);
  });

  it('is told nothing of a key that stays, or was refused [PKY-023]', async () => {
    await world.rows('UPDATE user_account SET password_hash = NULL WHERE id = $1', [person.id]);
    const { device, id } = await register('passkey');
    await expect(register('passkey', device)).rejects.toMatchObject({ reason: 'passkey.exists' });
    await expect(world.transaction((tx) => keys.removeOwn(tx, person.id, id, 'passkey'))).rejects.toMatchObject({
      reason: 'passkey.last_way_in',
    });
    expect(await noticesTo(person)).toEqual(['A passkey was added.']);
  });

  it('is told nothing at an address that may be another person’s', async () => {
    await world.rows('UPDATE user_account SET email_verified = false WHERE id = $1', [person.id]);
    await register('passkey');
    expect(await noticesTo(person)).toEqual([]);
  });

  it('is told which key seems to have been copied, unless it was removed meanwhile [PKY-012]', async () => {
    const { id } = await register('u2f');
    world.clock.advance('1s');
    await keys.recordCopied(person.id, { id, kind: 'u2f' });
    const told = await noticesTo(person);
    expect(told.slice(1)).toEqual(['A sign-in was refused, because this key seems to have been copied.']);
    await world.transaction((tx) => keys.remove(tx, person.id, id, 'u2f', EDITOR));
    await keys.recordCopied(person.id, { id, kind: 'u2f' });
    expect((await noticesTo(person)).filter((notice) => notice.includes('copied'))).toHaveLength(1);
  });
});

describe('The counter of a key', () => {
  it.each([
    [9, 5],
    [9, 9],
    [9, 0],
  ])('may not be followed from %i by %i [PKY-012]', async (stored, next) => {
    const { device, id } = await register('u2f');
    await use(device, { counter: stored });
    await expect(use(device, { counter: next })).rejects.toMatchObject({ reason: 'passkey.counter_back' });
    const [row] = await world.rows<{ count: string }>('SELECT sign_count AS count FROM auth_key WHERE factor_id = $1', [
      id,
    ]);
    expect(row?.count).toBe(String(stored));
  });

  it('may stay at 0, and may grow [PKY-012]', async () => {
    const { device } = await register('passkey');
    for (const counter of [0, 0, 1, 4_294_967_295]) await use(device, { counter });
    expect((await keys.list(person.id))[0]?.lastUsedAt).toEqual(world.clock.now());
  });

  it('comes with whether the key is synchronized now [PKY-013]', async () => {
    const { device } = await register('passkey');
    await use(device, { flags: 0x0d });
    expect((await keys.list(person.id))[0]).toMatchObject({ backupEligible: true, backedUp: false });
    await use(device, { flags: 0x1d });
    expect((await keys.list(person.id))[0]).toMatchObject({ backedUp: true });
  });
});

describe('An answered challenge', () => {
  it('is remembered for as long as it would be valid', async () => {
    const { device } = await register('u2f');
    await use(device);
    const count = async (): Promise<number> => (await world.rows('SELECT 1 FROM spent_challenge')).length;
    const before = await count();
    await world.get(HousekeepingService).run();
    expect(await count()).toBeLessThanOrEqual(before);
    expect(await count()).toBeGreaterThan(0);
    world.clock.advance('11m');
    await world.get(HousekeepingService).run();
    expect(await count()).toBe(0);
  });
});

describe('Another domain of the service', () => {
  it('makes keys useless, which the start says, and asks for none of them [PKY-026]', async () => {
    const { device } = await register('passkey');
    const elsewhere = await startWorld({ replicaOf: world, env: { PUBLIC_URL: 'https://other.test' } });
    try {
      const place = placeOf('passkey', person);
      const options = await elsewhere.get(PasskeyService).requestOptions(place, ['passkey'], person.id);
      expect(JSON.parse(options)).toMatchObject({ rpId: 'other.test', allowCredentials: [] });
      expect(elsewhere.logText()).toContain('passkeys and security keys of another domain no longer work');
      expect(options).not.toContain(device.credentialId);
    } finally {
      await elsewhere.close();
    }
  });
});
