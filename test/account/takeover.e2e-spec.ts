import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import type { LoginPolicy } from '../../src/org/policy/login-policy.entity.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { UserSessions } from '../../src/session/user-sessions.js';
import { FactorService } from '../../src/user/factor/factor.service.js';
import { PasskeyService } from '../../src/user/factor/passkey.service.js';
import { RecoveryCodes } from '../../src/user/factor/recovery-codes.js';
import { UserService } from '../../src/user/user.service.js';
import { App, afterPassword, setPolicy, withApp } from '../login/factor-turns.js';
import { ORIGIN, optionsOf, withKey } from '../login/passkey-turns.js';
import { begin, errorsOf, pageOf, untilSomebodyWaits } from '../login/turns.js';
import { Authenticator } from '../support/authenticator.js';
import type { Arrival, Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import type { Parameters } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { AccountHolder, statusOf, tokenFor } from './account-turns.js';

let world: World;
let person: TestPerson;
let holder: AccountHolder;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN });
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1h');
  const { id: orgId } = await world.add.org();
  await setPolicy(world, orgId, { secondFactors: ['otp', 'u2f'] });
  person = await world.add.person({ orgId });
  holder = new AccountHolder(world, person);
});

const factorsOf = async ({ id }: TestPerson): Promise<string[]> =>
  (await world.get(FactorService).list(id)).map(({ kind, state }) => `${kind} ${state}`);
const keyIds = async ({ id }: TestPerson): Promise<string[]> =>
  (await world.get(PasskeyService).list(id)).map((key) => key.id);
const post = async (path: string, fields: Parameters, of = holder): Promise<Page> =>
  pageOf(await of.browser.post(path, { csrf: await tokenFor(of, path), ...fields }));
const appOn = (page: Page): App => new App(world, page.find('code')!.text.replaceAll(' ', ''));

/** What belongs to a user, as far as a form could change it. */
const stateOf = async ({ id }: TestPerson): Promise<unknown[]> =>
  world.rows(
    `SELECT u.state, u.phone, u.email, u.first_name, u.password_hash,
       (SELECT count(*) FROM pending_email p WHERE p.user_id = u.id) AS pending,
       (SELECT json_agg(json_build_object('kind', f.kind, 'state', f.state, 'name', k.name) ORDER BY f.id)
        FROM auth_factor f
        LEFT JOIN auth_key k ON k.factor_id = f.id
        WHERE f.user_id = u.id) AS factors
     FROM user_account u
     WHERE u.id = $1`,
    [id],
  );

/** Signs the person out everywhere while the form waits for the same user, and answers what the form did. */
async function overtaken<T>(send: () => Promise<T>): Promise<T> {
  let sent: Promise<T> | undefined;
  await world.transaction(async (tx) => {
    await world.get(UserService).endTokens(tx, person.id, EDITOR);
    sent ??= send();
    await untilSomebodyWaits(world, '%user_account%');
    await world.get(UserSessions).endAll(tx, person.id, EDITOR);
  });
  return sent!;
}

describe('A session that ends while a form of it waits [ACC-015]', () => {
  const STALE = ['This page was out of date. Please send the form again.'];

  it.each<[string, string, Parameters]>([
    ['the name', paths.accountProfile, { firstName: 'Eve', lastName: 'Thief', language: 'en', gender: 'female' }],
    ['the phone number', paths.accountContact, { decision: 'phone', phone: '+49301234567' }],
    ['the e-mail address', paths.accountContact, { decision: 'email', email: 'thief@mail.test' }],
    ['the second steps', paths.accountSteps, { decision: 'add', factor: 'otp' }],
    [
      'the password',
      paths.accountPassword,
      { newPassword: 'Sundial-Harbour-31', newPasswordRepeat: 'Sundial-Harbour-31' },
    ],
  ])('does not change %s', async (_, path, fields) => {
    await holder.open(path);
    const own = path === paths.accountPassword ? { oldPassword: person.password } : {};
    const before = await stateOf(person);
    const answered = await overtaken(() => post(path, { ...fields, ...own }));
    expect([answered.status, errorsOf(answered)]).toEqual([400, STALE]);
    expect(await stateOf(person)).toEqual(before);
    expect((await holder.browser.get(path)).page?.heading).toBe('Sign in');
  });

  it.each<[string, Parameters]>([
    ['removes no key', { decision: 'remove', confirmed: 'true' }],
    ['renames no key', { decision: 'rename', name: 'Mine' }],
  ])('%s', async (_, fields) => {
    await withKey(world, person, 'passkey');
    const [key = ''] = await keyIds(person);
    const device = await withKey(world, person, 'u2f');
    const asked = await holder.open(paths.accountKeys);
    await holder.browser.submit(asked, { credential: device.get(optionsOf(asked)) });
    const before = await stateOf(person);
    expect(errorsOf(await overtaken(() => post(paths.accountKeys, { key, ...fields })))).toEqual(STALE);
    expect(await stateOf(person)).toEqual(before);
  });

  it('deletes no account, also where nothing but the session has ended', async () => {
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'selfService', person.orgId, { deleteAccount: true }, EDITOR),
    );
    await world.changesToArrive();
    const page = await holder.open(paths.accountDeletion);
    let sent: Promise<Arrival> | undefined;
    await world.transaction(async (tx) => {
      await world.get(UserService).getOf(tx, person.orgId, person.id);
      sent ??= holder.browser.submit(page, { loginName: person.loginName });
      await untilSomebodyWaits(world, '%user_account%');
      await world.get(UserSessions).endAll(tx, person.id, EDITOR);
    });
    const answered = pageOf(await sent!);
    expect([answered.status, errorsOf(answered)]).toEqual([400, STALE]);
    expect(await world.rows('SELECT state FROM user_account WHERE id = $1', [person.id])).toEqual([
      { state: 'active' },
    ]);
  });

  it('adds no key', async () => {
    await holder.open(paths.accountKeys);
    const setUp = await post(paths.accountKeys, { decision: 'add-passkey' });
    const credential = new Authenticator(ORIGIN).create(optionsOf(setUp));
    const next = pageOf(await overtaken(() => holder.browser.submit(setUp, { credential })));
    expect([next.heading, await factorsOf(person)]).toEqual(['Enter your password', []]);
  });

  it('sets up no app', async () => {
    await holder.open(paths.accountSteps);
    const setUp = await post(paths.accountSteps, { decision: 'add', factor: 'otp' });
    const app = appOn(setUp);
    await overtaken(() => holder.browser.submit(setUp, { code: app.code() }));
    expect(await factorsOf(person)).toEqual(['otp pending']);
  });

  it('keeps no recovery codes that a thief has seen', async () => {
    await holder.open(paths.accountSteps);
    const setUp = await post(paths.accountSteps, { decision: 'add', factor: 'otp' });
    const codes = pageOf(await holder.browser.submit(setUp, { code: appOn(setUp).code() }));
    await overtaken(() => holder.browser.submit(codes, { decision: 'kept' }));
    expect(await factorsOf(person)).toEqual(['otp ready', 'recovery_codes pending']);
  });
});

describe('A stolen password of a user who has a passkey [PKY-027]', () => {
  let web1: RelyingParty;
  let device: Authenticator;

  beforeEach(async () => {
    web1 = new RelyingParty(world, await world.cast.web1);
    device = await withKey(world, person);
  });

  it('sets up no other factor at the wish of a request', async () => {
    const arrival = await web1.enter(await web1.authorize({ acr_values: '2' }), person);
    expect(web1.toAnswer(arrival).code).toBeDefined();
  });

  it('sets up no other factor where one is forced, and the policy lists no security keys', async () => {
    await setPolicy(world, person.orgId, { forceMfa: true, secondFactors: ['otp'] });
    const page = await afterPassword(web1, person);
    expect(page.heading).toBe('Use your security key');
    const arrival = await web1.browser.submit(page, { credential: device.get(optionsOf(page)) });
    expect(web1.toAnswer(arrival).code).toBeDefined();
  });

  it('removes no passkey, although the policy lists no security keys', async () => {
    await setPolicy(world, person.orgId, { secondFactors: [] });
    await holder.open();
    const [key = ''] = await keyIds(person);
    const asked = await post(paths.accountKeys, { decision: 'remove', key, confirmed: 'true' });
    expect([asked.heading, await keyIds(person)]).toEqual(['Use your security key', [key]]);
  });

  it('is not shown the recovery codes that its owner has not saved yet', async () => {
    const owner = { userId: person.id, orgId: person.orgId };
    await world.transaction((tx) => world.get(RecoveryCodes).begin(tx, owner));
    expect(web1.toAnswer(await web1.enter(await web1.authorize(), person)).code).toBeDefined();
    const own = web1.elsewhere();
    const page = await begin(own);
    const codes = pageOf(await own.browser.submit(page, { credential: device.get(optionsOf(page)) }));
    expect(codes.heading).toBe('Keep your recovery codes');
  });
});

describe('Recovery codes', () => {
  /** An account with an app, and its page that shows new codes. */
  async function renewed(app: App, code = app.code()): Promise<Page> {
    await holder.prove(pageOf(await holder.browser.get(paths.accountSteps)), () => code);
    const page = await post(paths.accountSteps, { decision: 'new-codes', confirmed: 'true' });
    for (const each of page.all('.codes code')) world.plant(each.text);
    return page;
  }

  it('of a page that was left open do not come back after others have replaced them [ACC-016]', async () => {
    const app = await withApp(world, person);
    const first = await renewed(app);
    await holder.browser.submit(first, { decision: 'kept' });
    const second = await renewed(app);
    await holder.browser.submit(first, { decision: 'kept' });
    expect(await factorsOf(person)).toEqual(['otp ready', 'recovery_codes pending']);
    await holder.browser.submit(second, { decision: 'kept' });
    const elsewhere = new AccountHolder(world, person);
    const asked = await elsewhere.open();
    const page = pageOf(await elsewhere.browser.press(asked, 'Use a recovery code'));
    const old = pageOf(await elsewhere.browser.submit(page, { code: first.find('.codes code')!.text }));
    expect(errorsOf(old)).toHaveLength(1);
    const right = pageOf(await elsewhere.browser.submit(old, { code: second.find('.codes code')!.text }));
    expect(right.heading).toBe('Your account');
  });

  it('that are used up are no way to go on, and the owner learns of it', async () => {
    await withApp(world, person, ['AAAAA-BBBBB']);
    const asked = await holder.open();
    const typed = pageOf(await holder.browser.press(asked, 'Use a recovery code'));
    const overview = pageOf(await holder.browser.submit(typed, { code: 'AAAAA-BBBBB' }));
    expect(overview.text).toContain('You have no recovery codes left');
    const elsewhere = await new AccountHolder(world, person).open();
    expect(elsewhere.ways.map(({ text }) => text)).not.toContain('Use a recovery code');
  });

  it('let in one of two browsers that use the same one at once', async () => {
    await withApp(world, person, ['AAAAA-BBBBB']);
    const both = [holder, new AccountHolder(world, person)];
    const pages: Page[] = [];
    for (const each of both) pages.push(pageOf(await each.browser.press(await each.open(), 'Use a recovery code')));
    const answers = await Promise.all(
      both.map(async ({ browser }, n) => pageOf(await browser.submit(pages[n]!, { code: 'AAAAA-BBBBB' }))),
    );
    expect(answers.map(({ heading }) => heading === 'Your account').sort()).toEqual([false, true]);
  });
});

describe('Keys at the same moment', () => {
  it('belong to one account, if two register the same one', async () => {
    const device = new Authenticator(ORIGIN);
    const other = new AccountHolder(world, await world.add.person({ orgId: person.orgId }));
    const pages: Page[] = [];
    for (const each of [holder, other]) {
      await each.open(paths.accountKeys);
      pages.push(await post(paths.accountKeys, { decision: 'add-passkey' }, each));
    }
    const answers = await Promise.all(
      [holder, other].map(async ({ browser }, n) =>
        pageOf(await browser.submit(pages[n]!, { credential: device.create(optionsOf(pages[n]!)) })),
      ),
    );
    expect(answers.map(({ heading }) => heading).sort()).toEqual(['Error: Create a passkey', 'Passkey created']);
    expect([...(await keyIds(person)), ...(await keyIds(other.person))]).toHaveLength(1);
  });

  it('sign in or are removed, whichever comes first, and leave no session of a removed key behind a refusal', async () => {
    for (let round = 0; round < 5; round += 1) {
      const device = await withKey(world, person);
      const web1 = new RelyingParty(world, await world.cast.web1);
      const page = await begin(web1);
      const [id = ''] = await keyIds(person);
      const [reply] = await Promise.all([
        web1.browser.submitOnce(page, { credential: device.get(optionsOf(page)) }),
        world.transaction((tx) => world.get(PasskeyService).removeOwn(tx, person.id, id, 'passkey')),
      ]);
      expect([303, 400]).toContain(reply.status);
      expect(await keyIds(person)).toEqual([]);
      const sessions = await world.rows('SELECT 1 FROM session WHERE user_id = $1', [person.id]);
      expect(sessions).toHaveLength(reply.status === 303 ? 1 : 0);
      await world.rows('DELETE FROM session WHERE user_id = $1', [person.id]);
    }
  });

  it('leave one second step that the policy requires, if the last two are removed at once [ACC-006]', async () => {
    await setPolicy(world, person.orgId, { forceMfa: true, secondFactors: ['otp', 'u2f'] });
    await withApp(world, person);
    const key = await withKey(world, person, 'u2f');
    const asked = await holder.open(paths.accountSteps);
    await holder.browser.submit(asked, { credential: key.get(optionsOf(asked)) });
    const [id = ''] = await keyIds(person);
    const sent = [
      post(paths.accountSteps, { decision: 'remove', factor: 'otp', confirmed: 'true' }),
      post(paths.accountKeys, { decision: 'remove', key: id, confirmed: 'true' }),
    ];
    const answers = await Promise.all(sent);
    expect(answers.flatMap(errorsOf)).toEqual(['Your organization requires a second step. Set up another one first.']);
    expect(await factorsOf(person)).toHaveLength(1);
  });

  it('take their recovery codes with them when the last two are removed at once', async () => {
    await withKey(world, person, 'u2f');
    await withKey(world, person, 'u2f');
    const owner = { userId: person.id, orgId: person.orgId };
    await world.transaction((tx) => world.get(RecoveryCodes).importHashes(tx, owner, [], EDITOR));
    await Promise.all(
      (await keyIds(person)).map((id) =>
        world.transaction((tx) => world.get(PasskeyService).remove(tx, person.id, id, 'u2f', EDITOR)),
      ),
    );
    expect(await factorsOf(person)).toEqual([]);
  });
});

describe('The last way in', () => {
  const remove = async (key: string): Promise<Page> =>
    post(paths.accountKeys, { decision: 'remove', key, confirmed: 'true' });

  beforeEach(async () => {
    await withKey(world, person);
    const second = await withKey(world, person);
    const asked = await holder.open(paths.accountPassword);
    await holder.browser.submit(asked, { credential: second.get(optionsOf(asked)) });
    await world.rows('UPDATE user_account SET password_hash = NULL WHERE id = $1', [person.id]);
  });

  it('is not another passkey that was made for another domain [PKY-023, PKY-026]', async () => {
    const [key = '', other] = await keyIds(person);
    await world.rows("UPDATE auth_key SET rp_id = 'old.test' WHERE factor_id = $1", [other]);
    expect(errorsOf(await remove(key))).toEqual(['This is your only way to sign in. Add another one first.']);
    expect(await keyIds(person)).toHaveLength(2);
  });

  it('is another passkey otherwise', async () => {
    const [key = ''] = await keyIds(person);
    expect(statusOf(await remove(key))).toBe('The key is removed.');
  });
});

describe('A policy that changes while a page is open', () => {
  it('lets nobody in by a passkey that it no longer allows', async () => {
    const device = await withKey(world, person);
    const web1 = new RelyingParty(world, await world.cast.web1);
    const page = await begin(web1);
    await setPolicy(world, person.orgId, { passwordlessType: 'not_allowed' });
    const refused = pageOf(await web1.browser.submit(page, { credential: device.get(optionsOf(page)) }));
    expect([refused.status, await world.rows('SELECT 1 FROM session WHERE user_id = $1', [person.id])]).toEqual([
      400,
      [],
    ]);
  });

  it.each<[string, string, Partial<LoginPolicy>]>([
    ['passkey', 'add-passkey', { passwordlessType: 'not_allowed' }],
    ['security key', 'add-u2f', { secondFactors: ['otp'] }],
  ])('stores no %s that it no longer allows', async (_, decision, policy) => {
    await holder.open(paths.accountKeys);
    const setUp = await post(paths.accountKeys, { decision });
    await setPolicy(world, person.orgId, policy);
    await holder.browser.submit(setUp, { credential: new Authenticator(ORIGIN).create(optionsOf(setUp)) });
    expect(await keyIds(person)).toEqual([]);
  });
});
