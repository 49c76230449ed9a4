import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { PasswordHash } from '../../src/foundation/password/password-hash.js';
import { paths } from '../../src/org/instance/paths.js';
import { UserService } from '../../src/user/user.service.js';
import type { Page } from '../support/browser.js';
import { EDITOR, PASSWORD, type TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { beginPassword, errorsOf, pageOf, untilSomebodyWaits } from './turns.js';

const NEW = 'Another-Horse-8';

let world: World;
let orgId: string;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ loginLimits: 'on' });
  orgId = (await world.cast.orgA).id;
  world.plant(NEW);
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1h');
  web1 = new RelyingParty(world, await world.cast.web1);
});

/** As far as the page that asks for a new password. */
async function toChange(person: TestPerson): Promise<Page> {
  const page = pageOf(
    await web1.browser.submit(await beginPassword(web1, person.loginName), { password: person.password }),
  );
  expect(page.title).toBe('Choose a new password · orga.test');
  return page;
}

async function change(
  page: Page,
  oldPassword: string | undefined,
  newPassword: string,
  newPasswordRepeat = newPassword,
): Promise<string> {
  const arrival = await web1.browser.submit(page, { newPassword, newPasswordRepeat, oldPassword: oldPassword ?? '' });
  return arrival.page ? `${arrival.page.status} ${errorsOf(arrival.page).join()}` : 'signed in';
}

const newPerson = (): Promise<TestPerson> => world.add.person({ orgId, passwordChangeRequired: true });

describe('A password that must be changed', () => {
  it('is changed before the application is answered, once', async () => {
    const person = await newPerson();
    const page = await toChange(person);
    expect(
      web1.toAnswer(
        await web1.browser.submit(page, { oldPassword: person.password, newPassword: NEW, newPasswordRepeat: NEW }),
      ).code,
    ).toBeDefined();
    const later = web1.elsewhere();
    const stale = pageOf(
      await later.browser.submit(await beginPassword(later, person.loginName), { password: person.password }),
    );
    expect(errorsOf(stale)).toEqual(['The login name or the password is not correct.']);
    expect((await later.signIn({ ...person, password: NEW })).code).toBeDefined();
  });

  it('needs the old one, and a new one within the rules [LOG-045]', async () => {
    const person = await newPerson();
    const page = await toChange(person);
    expect(await change(page, undefined, NEW)).toBe('400 Enter your password.');
    expect(await change(page, 'Wrong-Password-1', NEW)).toBe('400 The current password is not correct.');
    expect(await change(page, PASSWORD, 'short')).toBe('400 Choose a password that meets all the rules listed here.');
    expect(await change(page, PASSWORD, '')).toBe('400 Choose a password.');
    expect(await change(page, PASSWORD, NEW, `${NEW}x`)).toBe('400 The two passwords are not the same.');
    expect(await change(page, PASSWORD, PASSWORD)).toBe('400 Choose a password that differs from the current one.');
    expect(await change(page, PASSWORD, `Aa1-${'x'.repeat(197)}`)).toBe(
      '400 Choose a password of 200 characters or fewer.',
    );
    expect(await change(page, PASSWORD, NEW)).toBe('signed in');
  });

  it('ends every other session and every token, while this session continues [LOG-045]', async () => {
    const person = await world.add.person({ orgId });
    const other = web1.elsewhere();
    const before = await other.tokens(person, { scope: 'openid offline_access' });
    await world.add.newPassword(person.id, PASSWORD, { changeRequired: true });
    const page = await toChange(person);
    const { code } = web1.toAnswer(
      await web1.browser.submit(page, { oldPassword: PASSWORD, newPassword: NEW, newPasswordRepeat: NEW }),
    );
    const tokens = (await web1.redeem(code!)).json<{ access_token: string }>();
    expect((await web1.introspect(tokens.access_token)).json()).toMatchObject({
      active: true,
      username: person.loginName,
    });
    expect((await web1.introspect(before.access_token)).json()).toEqual({ active: false });
    expect((await web1.refresh(before.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
    expect(other.toAnswer(await other.authorize({ prompt: 'none' })).error).toBe('login_required');
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
  });

  it('counts wrong old ones like wrong passwords, and stops [LOG-033]', async () => {
    const person = await newPerson();
    const page = await toChange(person);
    const answers: string[] = [];
    for (let n = 0; n < 11; n += 1) answers.push(await change(page, `Wrong-Password-${n}`, NEW));
    expect(new Set(answers.slice(0, 10))).toEqual(new Set(['400 The current password is not correct.']));
    expect(answers[10]).toBe('429 Too many attempts. Try again in 15 minutes.');
    expect(await change(page, person.password, NEW)).toBe('429 Too many attempts. Try again in 15 minutes.');
  });

  it('stays as a reset has left it, which came between looking at the old one and storing the new one', async () => {
    const RESET = 'Reset-Horse-9';
    const person = await newPerson();
    const page = await toChange(person);
    const hash = await world.get(PasswordHash).hash(new Secret(RESET));
    const inFlight = await world.transaction(async (tx) => {
      await world.get(UserService).setPassword(tx, person.id, hash, { changeRequired: false }, EDITOR);
      const sending = change(page, person.password, NEW);
      await Promise.race([sending, untilSomebodyWaits(world, '%"User_id"%')]);
      return { sending };
    });
    // Nothing is missing any more, since the reset has not asked for another password.
    expect(await inFlight.sending).toBe('signed in');
    const later = web1.elsewhere();
    expect(
      errorsOf(pageOf(await later.browser.submit(await beginPassword(later, person.loginName), { password: NEW }))),
    ).toHaveLength(1);
    expect((await later.signIn({ ...person, password: RESET })).code).toBeDefined();
  });

  it('cannot be changed without signing in for this request', async () => {
    const person = await newPerson();
    const { authRequestID, csrf } = (await beginPassword(web1, person.loginName)).forms[0]!.fields;
    const page = pageOf(
      await web1.browser.post(paths.passwordChange, {
        authRequestID,
        csrf,
        oldPassword: person.password,
        newPassword: NEW,
        newPasswordRepeat: NEW,
      }),
    );
    expect(page.title).toBe('Enter your password · orga.test');
    await toChange(person);
  });
});
