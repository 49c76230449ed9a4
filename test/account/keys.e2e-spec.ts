import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { PasskeyService } from '../../src/user/factor/passkey.service.js';
import { setPolicy } from '../login/factor-turns.js';
import { ORIGIN, optionsOf, withKey } from '../login/passkey-turns.js';
import { errorsOf, pageOf } from '../login/turns.js';
import { Authenticator, FLAGS } from '../support/authenticator.js';
import type { Page } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { AccountHolder, sectionsOf, statusOf, tokenFor } from './account-turns.js';

let world: World;
let person: TestPerson;
let holder: AccountHolder;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN });
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  const { id: orgId } = await world.add.org();
  await setPolicy(world, orgId, { secondFactors: ['u2f', 'otp'] });
  person = await world.add.person({ orgId });
  holder = new AccountHolder(world, person);
});

const keysOf = async ({ id }: TestPerson): Promise<string[]> =>
  (await world.get(PasskeyService).list(id)).map(({ kind, name }) => `${kind} ${name}`);
const post = async (fields: Record<string, string>): Promise<Page> =>
  pageOf(await holder.browser.post(paths.accountKeys, { csrf: await tokenFor(holder, paths.accountKeys), ...fields }));
const keyId = async (): Promise<string> => (await world.get(PasskeyService).list(person.id))[0]!.id;

/**
 * Makes the key that the page asks for, gives it a name or leaves the one that it has, and keeps the recovery codes if
 * there are any.
 */
async function make(setUp: Page, device: Authenticator, name?: string): Promise<Page> {
  const naming = pageOf(await holder.browser.submit(setUp, { credential: device.create(optionsOf(setUp)) }));
  const next = pageOf(await holder.browser.submit(naming, name === undefined ? {} : { name }));
  const codes = next.all('.codes code');
  for (const code of codes) world.plant(code.text);
  return codes.length > 0 ? pageOf(await holder.browser.submit(next, { decision: 'kept' })) : next;
}

/** A page that asks for a proof, for a user who has a passkey and uses it. */
async function openWithKey(): Promise<Page> {
  const device = await withKey(world, person);
  const asked = await holder.open(paths.accountPassword);
  expect(asked.heading).toBe('Use your security key');
  return pageOf(await holder.browser.submit(asked, { credential: device.get(optionsOf(asked)) }));
}

describe('Passkeys and security keys of an account', () => {
  it('are added, as many as one has devices, and shown with their names', async () => {
    const page = await holder.open(paths.accountKeys);
    expect([page.heading, page.text]).toEqual([
      'Passkeys and security keys',
      expect.stringContaining('You have no passkeys and no security keys.'),
    ]);
    const first = await make(await post({ decision: 'add-passkey' }), new Authenticator(ORIGIN), 'Phone');
    expect([first.path, first.text, statusOf(first)]).toEqual([
      `${paths.accountKeys}?done=keyAdded`,
      expect.stringContaining('synced between your devices'),
      'Your new key is saved.',
    ]);
    const second = await make(await post({ decision: 'add-passkey' }), new Authenticator(ORIGIN), '<b>Laptop</b>');
    expect(second.text).toContain('<b>Laptop</b>');
    const u2f = new Authenticator(ORIGIN, FLAGS.present);
    await make(await post({ decision: 'add-u2f' }), u2f, 'Blue key');
    expect(await keysOf(person)).toEqual(['passkey Phone', 'passkey <b>Laptop</b>', 'u2f Blue key']);
  });

  it('that stand for both factors are a second step, whose recovery codes are counted and made anew', async () => {
    await setPolicy(world, person.orgId, { secondFactors: [] });
    await openWithKey();
    expect((await holder.open()).text).not.toContain('Add a second step');
    const none = await holder.open(paths.accountSteps);
    expect(none.text).toContain('Codes left: 0');
    const csrf = await tokenFor(holder, paths.accountSteps);
    const sent = { csrf, decision: 'new-codes', confirmed: 'true' };
    const codes = pageOf(await holder.browser.post(paths.accountSteps, sent));
    for (const code of codes.all('.codes code')) world.plant(code.text);
    expect(pageOf(await holder.browser.submit(codes, { decision: 'kept' })).text).toContain('Codes left: 10');
  });

  it('need a new proof, and the page says why it is asked for so soon', async () => {
    await holder.open(paths.accountKeys);
    world.clock.advance('1s');
    const asked = await holder.browser.post(paths.accountKeys, {
      csrf: await tokenFor(holder, paths.accountKeys),
      decision: 'add-passkey',
    });
    const page = pageOf(asked);
    expect([page.heading, page.text]).toEqual([
      'Enter your password',
      expect.stringContaining('You are about to change something.'),
    ]);
    const first = pageOf(await new AccountHolder(world, person).browser.get(paths.accountKeys));
    expect(first.text).not.toContain('You are about to change something');
  });

  it('are not added if their owner turns back', async () => {
    await holder.open(paths.accountKeys);
    const setUp = await post({ decision: 'add-passkey' });
    const back = pageOf(await holder.browser.submit(setUp, { decision: 'back' }));
    expect([back.path, statusOf(back), await keysOf(person)]).toEqual([paths.accountKeys, undefined, []]);
  });

  it('without names are called what they are, with numbers, also if their owner keeps the suggested name', async () => {
    await world.rows("UPDATE user_account SET preferred_language = 'fr' WHERE id = $1", [person.id]);
    await holder.open(paths.accountKeys);
    for (const title of ['Clé d’accès', 'Clé d’accès 2']) {
      const page = await make(await post({ decision: 'add-passkey' }), new Authenticator(ORIGIN));
      expect(page.text).toContain(`${title}Synchronisée entre vos appareils`);
    }
    expect(await keysOf(person)).toEqual(['passkey Passkey', 'passkey Passkey 2']);
  });

  it('get other names, within limits [PKY-024]', async () => {
    await openWithKey();
    const naming = await post({ decision: 'rename', key: await keyId() });
    const wrong = pageOf(await holder.browser.submit(naming, { name: 'x'.repeat(101) }));
    expect(errorsOf(wrong)).toEqual(['Enter a name of 1 to 100 characters.']);
    const done = pageOf(await holder.browser.submit(wrong, { name: 'My phone' }));
    expect([statusOf(done), await keysOf(person)]).toEqual(['The new name is saved.', ['passkey My phone']]);
  });

  it('are removed after a question', async () => {
    await openWithKey();
    const question = await post({ decision: 'remove', key: await keyId() });
    expect([question.heading, await keysOf(person)]).toEqual(['Remove this key?', ['passkey Passkey']]);
    const done = pageOf(await holder.browser.submit(question, { confirmed: 'true' }));
    expect([statusOf(done), await keysOf(person)]).toEqual(['The key is removed.', []]);
  });

  it('stay if there is no other way in [PKY-023]', async () => {
    await openWithKey();
    await world.rows('UPDATE user_account SET password_hash = NULL WHERE id = $1', [person.id]);
    const refused = await post({ decision: 'remove', key: await keyId(), confirmed: 'true' });
    expect(errorsOf(refused)).toEqual(['This is your only way to sign in. Add another one first.']);
    expect(await keysOf(person)).toHaveLength(1);
  });

  it('protect the password as well: it is not changed with the old one alone [ACC-002]', async () => {
    expect((await openWithKey()).heading).toBe('Password');
    world.clock.advance('11m');
    const csrf = await tokenFor(holder, paths.accountPassword);
    const typed = {
      oldPassword: person.password,
      newPassword: 'Sundial-Harbour-31',
      newPasswordRepeat: 'Sundial-Harbour-31',
    };
    const asked = pageOf(await holder.browser.post(paths.accountPassword, { csrf, ...typed }));
    expect(asked.heading).not.toBe('Password');
    expect((await new AccountHolder(world, person).open()).heading).not.toBe('Enter your password');
  });

  it('are told to the password manager of the browser, as far as they work here', async () => {
    const device = await withKey(world, person);
    await withKey(world, person);
    await world.rows("UPDATE auth_key SET rp_id = 'old.test' WHERE credential_id <> $1", [device.credentialId]);
    const page = await holder.open(paths.accountKeys);
    expect(JSON.parse(page.find('[data-signals]')?.getAttribute('data-signals') ?? '')).toEqual({
      rpId: 'id.test',
      accounts: [
        { userId: Buffer.from(person.id).toString('base64url'), allAcceptedCredentialIds: [device.credentialId] },
      ],
      name: person.loginName,
      displayName: expect.any(String),
    });
    expect(page.reply.header('content-security-policy')).toContain("script-src 'self'");
  });

  it('are told by the user handle with which they were made', async () => {
    const [device, other] = [await withKey(world, person), await withKey(world, person)];
    await world.rows("UPDATE auth_key SET user_handle = 'b2xk' WHERE credential_id = $1", [other.credentialId]);
    const page = await holder.open(paths.accountKeys);
    expect(JSON.parse(page.find('[data-signals]')?.getAttribute('data-signals') ?? '')).toMatchObject({
      accounts: [
        { userId: Buffer.from(person.id).toString('base64url'), allAcceptedCredentialIds: [device.credentialId] },
        { userId: 'b2xk', allAcceptedCredentialIds: [other.credentialId] },
      ],
    });
  });

  it('of another domain are marked, and the page says why they no longer work [PKY-026]', async () => {
    await withKey(world, person);
    expect((await holder.open(paths.accountKeys)).text).not.toContain('This service has a new domain');
    await world.rows("UPDATE auth_key SET rp_id = 'old.test'");
    const page = pageOf(await holder.browser.get(paths.accountKeys));
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('No longer works here')]);
    expect(page.text).toContain('browsers use a key only at the domain where it was created.');
  });

  it('of other users are as unknown as ids that never were [ACC-003]', async () => {
    const other = await world.add.person({ orgId: person.orgId });
    await withKey(world, other);
    const [theirs] = await world.get(PasskeyService).list(other.id);
    await holder.open(paths.accountKeys);
    const csrf = await tokenFor(holder, paths.accountKeys);
    for (const key of [theirs!.id, '1', ''])
      for (const decision of ['rename', 'remove']) {
        const fields = { csrf, key, decision, name: 'Mine', confirmed: 'true' };
        expect((await holder.browser.request('POST', paths.accountKeys, fields)).status).toBe(404);
      }
    expect(await keysOf(other)).toEqual(['passkey Passkey']);
  });

  it('need a new proof after ten minutes [ACC-002]', async () => {
    await withKey(world, person);
    await holder.open(paths.accountKeys);
    world.clock.advance('11m');
    const asked = await post({ decision: 'remove', key: await keyId(), confirmed: 'true' });
    expect(asked.heading).toBe('Enter your password');
    expect(await keysOf(person)).toHaveLength(1);
  });

  it('cannot be added where the policy allows none, but removed', async () => {
    await withKey(world, person);
    await setPolicy(world, person.orgId, { passwordlessType: 'not_allowed', secondFactors: [] });
    const page = await holder.open(paths.accountKeys);
    expect(page.all('button').map(({ text }) => text)).not.toContain('Create a passkey');
    expect(errorsOf(await post({ decision: 'add-passkey' }))).toHaveLength(1);
    await post({ decision: 'remove', key: await keyId(), confirmed: 'true' });
    expect(await keysOf(person)).toEqual([]);
    expect(sectionsOf(await holder.open())).not.toContain('Passkeys and security keys');
  });
});
