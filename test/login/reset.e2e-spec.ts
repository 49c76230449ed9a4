import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { PasswordHash } from '../../src/foundation/password/password-hash.js';
import { UNHURRIED_MS } from '../../src/login/unhurried.js';
import { paths } from '../../src/org/instance/paths.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { SessionService } from '../../src/session/session.service.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR, type TestOrg, uniqueName } from '../support/builders.js';
import { codeIn, lastMailTo, mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { withApp } from './factor-turns.js';
import { invite, linkTo } from './invited.js';
import { ask, chosen, FORGOT, forgot, NEW, newPerson } from './reset-turns.js';
import { signInElsewhere } from './sign-in-turns.js';
import { beginPassword, errorsOf, pageOf, requestIdOf, setState, untilSomebodyWaits, withoutTokens } from './turns.js';

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

describe('A forgotten password', () => {
  it('is replaced with the link of a mail, which signs in to the application that waits in this browser', async () => {
    const person = await newPerson(world);
    const first = await forgot(web1, person.loginName);
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
    expect((await signInElsewhere(web1, person.loginName, person.password)).redirect).toBeUndefined();
    expect((await mailsTo(world, person.email)).map(({ subject }) => subject)).toEqual([
      'Your password was changed',
      'Choose a new password',
    ]);
  });

  it('is replaced by typing the code, without any link', async () => {
    const person = await newPerson(world);
    const page = await ask(web1, person.userName);
    const code = codeIn(world, await lastMailTo(world, person.email));
    expect(web1.toAnswer(await web1.browser.submit(page, { code, ...chosen })).code).toBeDefined();
    expect((await signInElsewhere(web1, person.userName, NEW)).redirect).toBeDefined();
  });

  it('does not replace a second factor, which is asked for next', async () => {
    const person = await newPerson(world);
    await withApp(world, person);
    await ask(web1, person.loginName);
    const page = pageOf(await web1.browser.get(await linkTo(world, person.email)));
    expect(pageOf(await web1.browser.submit(page, chosen)).heading).toBe('Enter your code');
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBe('interaction_required');
  });

  it('is replaced in another browser as well, with a page that confirms it and does not sign in', async () => {
    const person = await newPerson(world);
    await ask(web1, person.loginName);
    const elsewhere = web1.elsewhere();
    const link = await linkTo(world, person.email);
    for (let n = 0; n < 3; n += 1) await elsewhere.browser.get(link);
    const done = pageOf(await elsewhere.browser.submit(pageOf(await elsewhere.browser.get(link)), chosen));
    expect([done.status, done.title]).toEqual([200, 'Your password is saved · orga.test']);
    expect(done.find('main a')?.getAttribute('href')).toBe(paths.hub);
    expect(elsewhere.toAnswer(await elsewhere.authorize({ prompt: 'none' })).error).toBe('login_required');
  });

  it('ends every session and every token of the person', async () => {
    const person = await newPerson(world);
    const other = web1.elsewhere();
    const before = await other.tokens(person, { scope: 'openid offline_access' });
    await ask(web1, person.loginName);
    await web1.browser.submit(pageOf(await web1.browser.get(await linkTo(world, person.email))), chosen);
    expect((await web1.introspect(before.access_token)).json()).toEqual({ active: false });
    expect((await web1.refresh(before.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
    expect(other.toAnswer(await other.authorize({ prompt: 'none' })).error).toBe('login_required');
  });

  it('takes as long for an unknown name [LOG-027]', async () => {
    for (const loginName of [(await newPerson(world)).loginName, uniqueName('nobody')]) {
      const page = pageOf(await web1.browser.get(paths.passwordReset));
      const begun = performance.now();
      await web1.browser.submit(page, { loginName });
      // A timer of Node may be early by less than a millisecond.
      expect(performance.now() - begun).toBeGreaterThanOrEqual(UNHURRIED_MS - 1);
    }
  });

  it('refuses a sign-in with the old password that was typed before it was replaced, and answered after it', async () => {
    const person = await newPerson(world);
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
    expect((await signInElsewhere(web1, person.loginName, NEW)).redirect).toBeDefined();
  });

  it('is replaced with only the code, at the address of the page', async () => {
    const person = await newPerson(world);
    await ask(web1, person.loginName);
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
    const person = await newPerson(world);
    const page = pageOf(await web1.browser.get(paths.passwordReset));
    expect([page.status, page.title]).toEqual([200, 'Reset your password · Acme']);
    const waiting = pageOf(await web1.browser.submit(page, { loginName: person.loginName }));
    const code = codeIn(world, await lastMailTo(world, person.email));
    expect(pageOf(await web1.browser.submit(waiting, { code, ...chosen })).heading).toBe('Your password is saved');
  });
});

describe('Asking for a mail', () => {
  it('is answered alike for users with and without an account [LOG-027]', async () => {
    const person = await newPerson(world);
    const locked = await newPerson(world);
    await setState(world, locked, 'locked');
    const unproven = await world.add.person({ orgId: orgA.id, emailVerified: false });
    const shapes = [];
    for (const loginName of [person.userName, uniqueName('nobody'), locked.userName, unproven.userName]) {
      const client = web1.elsewhere();
      const page = await forgot(client, loginName);
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
    await ask(web1, userName);
    expect(await subjects()).toEqual(['Set up your account', 'Set up your account']);
  });

  it('accepts the code of that mail from users who have not set up the account, on the page that waits', async () => {
    const { userName, email, id } = await invite(world, orgA.id);
    const page = await ask(web1, userName);
    const code = codeIn(world, await lastMailTo(world, email));
    expect(web1.toAnswer(await web1.browser.submit(page, { code, ...chosen })).code).toBeDefined();
    expect(await world.rows('SELECT state, email_verified FROM user_account WHERE id = $1', [id])).toEqual([
      { state: 'active', email_verified: true },
    ]);
    expect((await signInElsewhere(web1, userName, NEW)).redirect).toBeDefined();
  });

  it('never reaches the mailbox of a user whose name merely looks alike [LOG-049]', async () => {
    const person = await newPerson(world);
    for (const name of [
      person.userName.replace('e', 'е'),
      person.userName.replace('o', 'ο'),
      `${person.userName}\u200b`,
    ])
      await ask(web1, name);
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
    await ask(web1, person.userName);
    expect(await mailsTo(world, person.email)).toEqual([]);
  });

  it('is limited for each person and for each address [LOG-039]', async () => {
    const limited = await startWorld({ replicaOf: world, loginLimits: 'on' });
    try {
      world.clock.advance('2h');
      const person = await newPerson(world);
      web1.browser.at = limited;
      const page = await forgot(web1, person.loginName);
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
    const page = await forgot(web1, 'nobody');
    expect(errorsOf(pageOf(await web1.browser.submit(page, { loginName: ' ' })))).toEqual(['Enter your login name.']);
    expect(errorsOf(pageOf(await web1.browser.submit(page, { loginName: 'x'.repeat(401) })))).toEqual([
      'Enter 400 characters or fewer.',
    ]);
    const waiting = await ask(web1, '<b>nobody</b>');
    expect(errorsOf(pageOf(await web1.browser.submit(waiting, { code: '' })))).toEqual(['Enter the code.']);
    expect(
      errorsOf(
        pageOf(await web1.browser.submit(waiting, { code: 'ABC123', password: 'short', passwordRepeat: 'short' })),
      ),
    ).toHaveLength(1);
    expect(waiting.reply.text).not.toContain('<b>');
  });
});
