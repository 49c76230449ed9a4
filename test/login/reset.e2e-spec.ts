import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PasswordHash } from '../../src/foundation/crypto/password-hash.js';
import { Secret } from '../../src/foundation/crypto/secret.js';
import { paths } from '../../src/foundation/page/paths.js';
import { UNHURRIED_MS } from '../../src/login/unhurried.js';
import { PolicyService } from '../../src/policy/policy.service.js';
import { SessionService } from '../../src/session/session.service.js';
import { UserService } from '../../src/user/user.service.js';
import { UserCodes } from '../../src/user/user-codes.js';
import type { Arrival, Page } from '../support/browser.js';
import { EDITOR, PASSWORD, type TestOrg, type TestPerson, uniqueName } from '../support/builders.js';
import { codeIn, lastMailTo, linkIn, mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { withApp } from './factor-turns.js';
import { invite, linkTo } from './invited.js';
import {
  begin,
  beginPassword,
  errorsOf,
  expectRefused,
  pageOf,
  requestIdOf,
  setState,
  untilSomebodyWaits,
  withoutTokens,
} from './turns.js';

const NEW = 'Another-Horse-8';
const chosen = { password: NEW, passwordRepeat: NEW };
const WRONG = 'This code is not correct, or it does not work any more.';
const FORGOT = 'Forgot your password?';

let world: World;
let orgA: TestOrg;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  orgA = await world.cast.orgA;
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});

const newPerson = (): Promise<TestPerson> => world.add.person({ orgId: orgA.id });

/** From the password page to the one that asks for the name, which stands there already. */
async function forgot(loginName: string, client = web1): Promise<Page> {
  return pageOf(await client.browser.press(await beginPassword(client, loginName), FORGOT));
}

/** As far as the page that waits for the code. */
async function ask(loginName: string, client = web1): Promise<Page> {
  return pageOf(await client.browser.submit(await forgot(loginName, client), { loginName }));
}

async function signInWith(loginName: string, password: string): Promise<Arrival> {
  const client = web1.elsewhere();
  return client.browser.submit(await beginPassword(client, loginName), { password });
}

describe('A forgotten password', () => {
  it('is replaced with the link of a mail, which signs in to the application that waits in this browser', async () => {
    const person = await newPerson();
    const first = await forgot(person.loginName);
    expect([first.title, first.forms[0]!.fields['loginName']]).toEqual([
      'Reset your password · orga.test',
      person.loginName,
    ]);
    const waiting = pageOf(await web1.browser.submit(first, { loginName: person.loginName }));
    expect([waiting.status, waiting.title]).toEqual([200, 'Choose a new password · orga.test']);
    const page = pageOf(await web1.browser.get(await linkTo(world, person.email)));
    // The code is in the link: there is nothing to type but the password, and nothing else is asked afterwards.
    expect(page.find('input[name="code"]')?.getAttribute('type')).toBe('hidden');
    expect(page.text).toContain(`Choose a new password for ${person.loginName}.`);
    expect(web1.toAnswer(await web1.browser.submit(page, chosen)).code).toBeDefined();
    expect((await signInWith(person.loginName, person.password)).redirect).toBeUndefined();
    expect((await mailsTo(world, person.email)).map(({ subject }) => subject)).toEqual([
      'Your password was changed',
      'Choose a new password',
    ]);
  });

  it('is replaced by typing the code, without any link', async () => {
    const person = await newPerson();
    const page = await ask(person.userName);
    const code = codeIn(world, await lastMailTo(world, person.email));
    expect(web1.toAnswer(await web1.browser.submit(page, { code, ...chosen })).code).toBeDefined();
    expect((await signInWith(person.userName, NEW)).redirect).toBeDefined();
  });

  it('does not replace a second factor, which is asked for next', async () => {
    const person = await newPerson();
    await withApp(world, person);
    await ask(person.loginName);
    const page = pageOf(await web1.browser.get(await linkTo(world, person.email)));
    expect(pageOf(await web1.browser.submit(page, chosen)).heading).toBe('Enter your code');
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBe('interaction_required');
  });

  it('is replaced in another browser as well, with a page that confirms it and does not sign in', async () => {
    const person = await newPerson();
    await ask(person.loginName);
    const elsewhere = web1.elsewhere();
    const link = await linkTo(world, person.email);
    for (let n = 0; n < 3; n += 1) await elsewhere.browser.get(link);
    const done = pageOf(await elsewhere.browser.submit(pageOf(await elsewhere.browser.get(link)), chosen));
    expect([done.status, done.title]).toEqual([200, 'Your password is saved · orga.test']);
    expect(done.find('main a')?.getAttribute('href')).toBe(paths.hub);
    expect(elsewhere.toAnswer(await elsewhere.authorize({ prompt: 'none' })).error).toBe('login_required');
  });

  it('ends every session and every token of the person', async () => {
    const person = await newPerson();
    const other = web1.elsewhere();
    const before = await other.tokens(person, { scope: 'openid offline_access' });
    await ask(person.loginName);
    await web1.browser.submit(pageOf(await web1.browser.get(await linkTo(world, person.email))), chosen);
    expect((await web1.introspect(before.access_token)).json()).toEqual({ active: false });
    expect((await web1.refresh(before.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
    expect(other.toAnswer(await other.authorize({ prompt: 'none' })).error).toBe('login_required');
  });

  it('takes as long for an unknown name [LOG-027]', async () => {
    for (const loginName of [(await newPerson()).loginName, uniqueName('nobody')]) {
      const page = pageOf(await web1.browser.get(paths.passwordReset));
      const begun = performance.now();
      await web1.browser.submit(page, { loginName });
      // A timer of Node may be early by less than a millisecond.
      expect(performance.now() - begun).toBeGreaterThanOrEqual(UNHURRIED_MS - 1);
    }
  });

  it('refuses a sign-in with the old password that was typed before it was replaced, and answered after it', async () => {
    const person = await newPerson();
    const other = web1.elsewhere();
    const page = await beginPassword(other, person.loginName);
    const hash = await world.get(PasswordHash).hash(new Secret(NEW));
    const inFlight = await world.transaction(async (tx) => {
      await world.get(UserService).setPassword(tx, person.id, hash, { changeRequired: false }, EDITOR);
      await world.get(SessionService).endOthersOf(tx, person.id, '');
      const sending = other.browser.submit(page, { password: person.password });
      await Promise.race([sending, untilSomebodyWaits(world, '%browser AS b%')]);
      return { sending };
    });
    expect(errorsOf(pageOf(await inFlight.sending))).toEqual(['The login name or the password is not correct.']);
    expect(other.toAnswer(await other.authorize({ prompt: 'none' })).error).toBe('login_required');
    expect((await signInWith(person.loginName, NEW)).redirect).toBeDefined();
  });

  it('is replaced with only the code, at the address of the page', async () => {
    const person = await newPerson();
    await ask(person.loginName);
    const page = pageOf(await web1.elsewhere().browser.get(paths.passwordInit));
    expect(page.find('#loginName')).not.toBeNull();
    const elsewhere = web1.elsewhere();
    const form = pageOf(await elsewhere.browser.get(paths.passwordInit));
    const code = codeIn(world, await lastMailTo(world, person.email));
    expect(pageOf(await elsewhere.browser.submit(form, { loginName: person.userName, code, ...chosen })).heading).toBe(
      'Your password is saved',
    );
  });

  it('can also be requested without an application', async () => {
    const person = await newPerson();
    const page = pageOf(await web1.browser.get(paths.passwordReset));
    expect([page.status, page.title]).toEqual([200, 'Reset your password · Acme']);
    const waiting = pageOf(await web1.browser.submit(page, { loginName: person.loginName }));
    const code = codeIn(world, await lastMailTo(world, person.email));
    expect(pageOf(await web1.browser.submit(waiting, { code, ...chosen })).heading).toBe('Your password is saved');
  });
});

describe('Asking for a mail', () => {
  it('is answered alike for users with and without an account [LOG-027]', async () => {
    const person = await newPerson();
    const locked = await newPerson();
    await setState(world, locked, 'locked');
    const unproven = await world.add.person({ orgId: orgA.id, emailVerified: false });
    const shapes = [];
    for (const loginName of [person.userName, uniqueName('nobody'), locked.userName, unproven.userName]) {
      const client = web1.elsewhere();
      const page = await forgot(loginName, client);
      const replies = [await client.browser.submitOnce(page, { loginName })];
      const waiting = pageOf(await client.browser.submit(page, { loginName }));
      replies.push(
        await client.browser.submitOnce(waiting, { code: 'WRONG1', ...chosen }),
        await client.browser.submitOnce(waiting, { action: 'resend' }),
      );
      shapes.push(
        replies.map((reply) => ({
          status: reply.status,
          headers: Object.keys(reply.headers).sort(),
          body: withoutTokens(reply).replaceAll(loginName, 'NAME'),
        })),
      );
    }
    for (const shape of shapes) expect(shape).toEqual(shapes[0]);
    expect(await mailsTo(world, locked.email)).toEqual([]);
    expect(await mailsTo(world, unproven.email)).toEqual([]);
  });

  it('sends users who have not set up the account the code for that', async () => {
    const { userName, email } = await invite(world, orgA.id);
    const subjects = async (): Promise<string[]> => (await mailsTo(world, email)).map(({ subject }) => subject);
    // A mail that has not left is withdrawn when a newer code replaces its own.
    expect(await subjects()).toEqual(['Set up your account']);
    await ask(userName);
    expect(await subjects()).toEqual(['Set up your account', 'Set up your account']);
  });

  it('accepts the code of that mail from users who have not set up the account, on the page that waits', async () => {
    const { userName, email, id } = await invite(world, orgA.id);
    const page = await ask(userName);
    const code = codeIn(world, await lastMailTo(world, email));
    expect(web1.toAnswer(await web1.browser.submit(page, { code, ...chosen })).code).toBeDefined();
    expect(await world.rows('SELECT state, email_verified FROM user_account WHERE id = $1', [id])).toEqual([
      { state: 'active', email_verified: true },
    ]);
    expect((await signInWith(userName, NEW)).redirect).toBeDefined();
  });

  it('never reaches the mailbox of a user whose name merely looks alike [LOG-049]', async () => {
    const person = await newPerson();
    for (const name of [
      person.userName.replace('e', 'е'),
      person.userName.replace('o', 'ο'),
      `${person.userName}\u200b`,
    ])
      await ask(name);
    expect(await mailsTo(world, person.email)).toEqual([]);
  });

  it('is neither offered nor accepted if the policy forbids it', async () => {
    const org = await world.add.org();
    const person = await world.add.person({ orgId: org.id });
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'login', org.id, { hidePasswordReset: true }, EDITOR),
    );
    const page = await beginPassword(web1, person.loginName);
    expect(page.text).not.toContain(FORGOT);
    const authRequestID = requestIdOf(page);
    const shut = pageOf(await web1.browser.get(`${paths.passwordReset}?authRequestID=${authRequestID}`));
    expect([shut.status, shut.heading, shut.find('main form')]).toEqual([403, 'Passwords cannot be reset here', null]);
    // The page of another organization does not help either.
    await ask(person.userName);
    expect(await mailsTo(world, person.email)).toEqual([]);
  });

  it('is limited for each person and for each address [LOG-039]', async () => {
    const limited = await startWorld({ replicaOf: world, loginLimits: 'on' });
    try {
      world.clock.advance('2h');
      const person = await newPerson();
      web1.browser.at = limited;
      const page = await forgot(person.loginName);
      const asking = async (): Promise<number> =>
        (await web1.browser.submitOnce(page, { loginName: person.loginName })).status;
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1) statuses.push(await asking()); // one more than there are mails for a person
      statuses.push(...(await Promise.all(Array.from({ length: 44 }, asking)))); // each takes its time, whoever asks
      expect([statuses.length, new Set(statuses), await asking()]).toEqual([50, new Set([200]), 429]);
      expect(await mailsTo(world, person.email)).toHaveLength(5);
    } finally {
      await limited.close();
    }
  });

  it('keeps what was typed, and says what is missing', async () => {
    const page = await forgot('nobody');
    expect(errorsOf(pageOf(await web1.browser.submit(page, { loginName: ' ' })))).toEqual(['Enter your login name.']);
    expect(errorsOf(pageOf(await web1.browser.submit(page, { loginName: 'x'.repeat(401) })))).toEqual([
      'Enter 400 characters or fewer.',
    ]);
    const waiting = await ask('<b>nobody</b>');
    expect(errorsOf(pageOf(await web1.browser.submit(waiting, { code: '' })))).toEqual(['Enter the code.']);
    expect(
      errorsOf(
        pageOf(await web1.browser.submit(waiting, { code: 'ABC123', password: 'short', passwordRepeat: 'short' })),
      ),
    ).toHaveLength(1);
    expect(waiting.reply.text).not.toContain('<b>');
  });
});

describe('A code for a new password', () => {
  async function attempt(link: string): Promise<string> {
    const page = pageOf(await web1.browser.get(link));
    const arrival = await web1.browser.submit(page, chosen);
    return arrival.page ? `${arrival.page.status} ${arrival.page.heading}` : 'signed in';
  }
  const REFUSED = '400 Error: Choose a new password';

  it.each<[string, (person: TestPerson) => Promise<string>]>([
    ['of another user', async ({ email }) => linkTo(world, email, { userID: (await newPerson()).id })],
    ['of another organization', async ({ email }) => linkTo(world, email, { orgID: (await world.cast.orgB).id })],
    [
      'of another kind',
      async ({ id, email }) =>
        linkTo(world, email, {
          code: (await world.transaction((tx) => world.get(UserCodes).issue(tx, id, 'email'))).reveal(),
        }),
    ],
    [
      'of before the newest mail',
      async ({ loginName, email }) => {
        const link = await linkTo(world, email);
        await ask(loginName, web1.elsewhere());
        return link;
      },
    ],
    [
      'that is an hour and a second old',
      async ({ email }) => {
        const link = await linkTo(world, email);
        world.clock.advance('1h');
        world.clock.advance('1s');
        return link;
      },
    ],
    [
      'of an account that is locked',
      async (person) => {
        await setState(world, person, 'locked');
        return linkTo(world, person.email);
      },
    ],
    [
      'that was used',
      async ({ email }) => {
        const link = await linkTo(world, email);
        expect(await attempt(link)).toBe('signed in');
        await world.add.newPassword(
          (await world.rows<{ id: string }>('SELECT id FROM user_account WHERE email = $1', [email]))[0]!.id,
          PASSWORD,
        );
        return link;
      },
    ],
  ])('is refused when it is one %s [LOG-038]', async (_, toLink) => {
    const person = await newPerson();
    await ask(person.loginName);
    expect(await attempt(await toLink(person))).toBe(REFUSED);
    expect((await signInWith(person.loginName, NEW)).redirect).toBeUndefined();
  });

  it('works once of two times at once', async () => {
    const person = await newPerson();
    await ask(person.loginName);
    const link = await linkTo(world, person.email);
    const clients = [web1.elsewhere(), web1.elsewhere()];
    const pages = await Promise.all(clients.map(async (client) => pageOf(await client.browser.get(link))));
    const statuses = await Promise.all(
      clients.map(async (client, n) => pageOf(await client.browser.submit(pages[n]!, chosen)).status),
    );
    expect(statuses.sort()).toEqual([200, 400]);
  });

  it('is dead after ten wrong attempts by name, and the page says the same as ever [LOG-037]', async () => {
    const person = await newPerson();
    const page = await ask(person.userName);
    const code = codeIn(world, await lastMailTo(world, person.email));
    for (let n = 0; n < 10; n += 1)
      expect(errorsOf(pageOf(await web1.browser.submit(page, { code: 'WRONG1', ...chosen })))).toEqual([WRONG]);
    expect(errorsOf(pageOf(await web1.browser.submit(page, { code, ...chosen })))).toEqual([WRONG]);
  });

  it('lets its owner sign in whom the guesses of others had locked out [LOG-034]', async () => {
    const limited = await startWorld({ replicaOf: world, loginLimits: 'on', env: { TRUSTED_PROXIES: '127.0.0.1' } });
    try {
      world.clock.advance('2h');
      const person = await newPerson();
      const attacker = web1.elsewhere();
      attacker.browser.at = limited;
      attacker.browser.headers = { 'X-Forwarded-For': '198.51.100.1' };
      const guess = await beginPassword(attacker, person.loginName);
      for (let n = 0; n < 12; n += 1) await attacker.browser.submitOnce(guess, { password: 'Wrong-Password-1' });
      web1.browser.at = limited;
      web1.browser.headers = { 'X-Forwarded-For': '198.51.100.2' };
      expect(
        pageOf(await web1.browser.submit(await beginPassword(web1, person.loginName), { password: person.password }))
          .status,
      ).toBe(429);
      await ask(person.loginName);
      const page = pageOf(await web1.browser.get(await linkTo(world, person.email)));
      expect(web1.toAnswer(await web1.browser.submit(page, chosen)).code).toBeDefined();
      expect((await signInWith(person.loginName, NEW)).redirect).toBeDefined();
    } finally {
      await limited.close();
    }
  });

  it('is only on the page of its own link, and in no log', async () => {
    const person = await newPerson();
    const page = await ask(person.loginName);
    const code = linkIn(await lastMailTo(world, person.email)).searchParams.get('code')!;
    expect(page.reply.text).not.toContain(code);
    await web1.browser.get(await linkTo(world, person.email));
    expect(world.logText()).not.toContain(code);
    expectRefused(await web1.browser.request('PUT', paths.passwordInit), 405);
    expect((await begin(web1)).status).toBe(200);
  });
});
