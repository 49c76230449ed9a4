import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { type Browser, Page } from '../support/browser.js';
import { PASSWORD, type TestPerson } from '../support/builders.js';
import type { Parameters, Reply } from '../support/http.js';
import { answerOf, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { begin, beginPassword, enterCode, expectRefused, pageOf } from './turns.js';

const COOKIE = 'gatehouse';

let world: World;
let web1: RelyingParty;
let orgId: string;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  orgId = (await world.cast.orgA).id;
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
  person = await world.add.person({ orgId });
});

/** One form, sent twice with the same cookie: the second click comes before the browser has seen the first answer. */
async function sendTwice(page: Page, fields: Parameters): Promise<{ first: Reply; second: Reply; late: Browser }> {
  const late = web1.browser.copy();
  const first = await web1.browser.submitOnce(page, fields);
  const second = await late.submitOnce(page, fields);
  return { first, second, late };
}

const codeIn = (reply: Reply): string | undefined => answerOf(reply.location!)['code'];

const cookieOf = (browser: Browser): string | undefined => browser.cookies.get(COOKIE);

describe('A second click on "Sign in"', () => {
  it('leads on like the first, whichever answer the browser keeps', async () => {
    for (const kept of ['first', 'second'] as const) {
      web1 = web1.elsewhere();
      const page = await beginPassword(web1, person.loginName);
      const old = cookieOf(web1.browser);
      const { late, ...replies } = await sendTwice(page, { password: PASSWORD });
      expect([replies.first.status, replies.second.status]).toEqual([303, 303]);
      expect(cookieOf(late)).toBe(cookieOf(web1.browser));
      expect(cookieOf(late)).not.toBe(old);
      expect((await web1.redeem(codeIn(replies[kept])!)).status).toBe(200);
    }
  });

  it('does so when both forms are checked at the same time', async () => {
    const page = await beginPassword(web1, person.loginName);
    const late = web1.browser.copy();
    const replies = await Promise.all(
      [web1.browser, late].map((browser) => browser.submitOnce(page, { password: PASSWORD })),
    );
    expect(replies.map(({ status }) => status)).toEqual([303, 303]);
    expect(cookieOf(late)).toBe(cookieOf(web1.browser));
    expect((await web1.redeem(codeIn(replies[1]!)!)).status).toBe(200);
  });

  it('signs no one out: neither the other accounts of the browser nor the one that has just signed in', async () => {
    const other = await world.add.person({ orgId });
    await web1.signIn(other);
    const { late, second } = await sendTwice(await begin(web1, { login_hint: person.loginName }), {
      password: PASSWORD,
    });
    expect(codeIn(second)).toBeDefined();
    const chooser = pageOf(await late.get(web1.authorizePath({ prompt: 'select_account' })));
    expect(chooser.text).toContain(other.loginName);
    expect(chooser.text).toContain(person.loginName);
    const sessions = await world.rows('SELECT 1 FROM session WHERE user_id = $1 AND ended_at IS NULL', [person.id]);
    expect(sessions).toHaveLength(1);
  });

  it('on the registration makes one account, and leads on too', async () => {
    const fields = {
      email: `new.${person.userName}@mail.test`,
      firstName: 'New',
      lastName: 'Person',
      password: PASSWORD,
      passwordRepeat: PASSWORD,
    };
    const { late, first, second } = await sendTwice(await begin(web1, { prompt: 'create' }), fields);
    expect([first.status, second.status]).toEqual([200, 200]);
    web1.browser.cookies.clear();
    for (const [name, value] of late.cookies) web1.browser.cookies.set(name, value);
    const confirm = new Page(second, paths.register);
    expect(web1.toAnswer(await enterCode(world, web1, confirm, fields.email)).code).toBeDefined();
    expect(await world.rows('SELECT 1 FROM user_account WHERE email = $1', [fields.email])).toHaveLength(1);
  });
});

describe('The cookie value that a sign-in has replaced', () => {
  it('is worth nothing ten seconds later', async () => {
    const page = await beginPassword(web1, person.loginName);
    const late = web1.browser.copy();
    await web1.browser.submitOnce(page, { password: PASSWORD });
    world.clock.advance('10s');
    expectRefused(await late.submitOnce(page, { password: PASSWORD }), 403);
  });

  it.each<[string, () => Promise<Parameters>]>([
    ['no password', () => Promise.resolve({ password: '' })],
    ['a wrong password', () => Promise.resolve({ password: 'Wrong-Password-1' })],
    [
      'the password and name of another user',
      async () => {
        const attacker = await world.add.person({ orgId, password: 'Attackers-Password-1' });
        return { password: attacker.password, loginName: attacker.loginName };
      },
    ],
  ])('is useless to an attacker who had planted it and sends %s [LOG-004]', async (_, fields) => {
    const page = await beginPassword(web1, person.loginName);
    const attacker = web1.browser.copy();
    const planted = cookieOf(attacker);
    await web1.browser.submitOnce(page, { password: PASSWORD });
    const reply = await attacker.submitOnce(page, await fields());
    expect(reply.header('set-cookie')).toBeUndefined();
    expect(cookieOf(attacker)).toBe(planted);
    expect([reply.status, reply.location]).toEqual([404, undefined]);
    expect(web1.toAnswer(await attacker.get(web1.authorizePath({ prompt: 'none' }))).error).toBe('login_required');
  });

  it('opens no page, and takes no other form', async () => {
    const page = await beginPassword(web1, person.loginName);
    const late = web1.browser.copy();
    await web1.browser.submitOnce(page, { password: PASSWORD });
    expect((await late.request('GET', page.path)).status).not.toBe(200);
    const { authRequestID, csrf } = page.forms[0]!.fields;
    const before = await world.contents();
    for (const path of [paths.loginName, paths.accounts, paths.consent]) {
      const reply = await late.request('POST', path, {
        authRequestID,
        csrf,
        loginName: 'bob',
        userID: person.id,
        decision: 'continue',
      });
      expect([reply.status, reply.header('set-cookie')]).toEqual([404, undefined]);
    }
    expect(await world.contents()).toBe(before);
  });
});
