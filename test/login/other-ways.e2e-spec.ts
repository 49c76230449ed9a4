import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { PasskeyService } from '../../src/user/factor/passkey.service.js';
import { PersonService } from '../../src/user/person.service.js';
import { UserService } from '../../src/user/user.service.js';
import { addJwt, link, OUTBOUND } from '../idp/external.js';
import { Authenticator } from '../support/authenticator.js';
import type { Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { lastMailTo, linkIn, mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { withApp } from './factor-turns.js';
import { linkTo } from './invited.js';
import { ORIGIN, optionsOf, withKey } from './passkey-turns.js';
import { beginPassword, pageOf } from './turns.js';

const NEW = 'Another-Horse-8';
const chosen = { password: NEW, passwordRepeat: NEW };
const SAYS = 'These can also sign in to your account.';

let world: World;
let web1: RelyingParty;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN, env: OUTBOUND });
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1h');
  web1 = new RelyingParty(world, await world.cast.web1);
  person = await world.add.person({ orgId: (await world.add.org()).id });
});

async function named(name: string): Promise<void> {
  await withKey(world, person);
  const keys = world.get(PasskeyService);
  const { id } = (await keys.list(person.id)).at(-1)!;
  await world.transaction((tx) => keys.rename(tx, person.id, id, name));
}

/** Asks for the mail, from the page of a sign-in. */
async function ask(): Promise<Page> {
  const asking = pageOf(await web1.browser.press(await beginPassword(web1, person.loginName), 'Forgot your password?'));
  return pageOf(await web1.browser.submit(asking, { loginName: person.loginName }));
}

/** In a browser in which no sign-in waits. */
async function resetElsewhere(): Promise<Page> {
  await ask();
  const { browser } = web1.elsewhere();
  const page = pageOf(await browser.get(await linkTo(world, person.email, { authRequestID: undefined })));
  return pageOf(await browser.submit(page, chosen));
}

const otherWaysOn = (page: Page): string[] =>
  page.all('.account-items strong, .account-items .quiet').map(({ text }) => text);
const noticesTo = async ({ email }: TestPerson): Promise<string[]> =>
  (await mailsTo(world, email)).map(({ text }) => text).filter((text) => text.includes('was reset by e-mail'));

describe('A password that was reset by mail', () => {
  it('leaves passkeys and linked accounts, which the page and a mail name to their owner [PKY-028]', async () => {
    await named('Office laptop');
    await withKey(world, person, 'u2f');
    await link(world, await addJwt(world, 'http://127.0.0.1:1', { name: 'Elsewhere' }), person.id, person.orgId, 'me');
    const done = await resetElsewhere();
    expect([done.heading, done.text.includes(SAYS)]).toEqual(['Your password is saved', true]);
    expect(otherWaysOn(done)).toEqual(['Office laptop', 'Elsewhere', 'me']);
    expect(done.all('a[href]').map((a) => a.getAttribute('href'))).toContain(paths.account);
    const mail = await lastMailTo(world, person.email);
    const today = new Date(world.now() * 1000).toISOString().slice(0, 10);
    expect(mail.text).toContain(`Office laptop (${today}), Elsewhere (me)`);
    expect(mail.text).toContain(person.loginName);
    expect(linkIn(mail).href).toBe(`${ORIGIN}${paths.account}`);
  });

  it('is told of by mail alone where the sign-in goes on, as what it left is [PKY-028]', async () => {
    await named('Office laptop');
    await ask();
    const page = pageOf(await web1.browser.get(await linkTo(world, person.email)));
    expect(web1.toAnswer(await web1.browser.submit(page, chosen)).code).toBeDefined();
    expect(await noticesTo(person)).toHaveLength(1);
  });

  it('says nothing of other ways where there are none, such as an app or a key of another domain [PKY-028]', async () => {
    await withApp(world, person);
    await named('Old domain');
    await world.rows(
      "UPDATE auth_key SET rp_id = 'old.test' WHERE factor_id IN (SELECT id FROM auth_factor WHERE user_id = $1)",
      [person.id],
    );
    const done = await resetElsewhere();
    expect([done.heading, otherWaysOn(done), await noticesTo(person)]).toEqual(['Your password is saved', [], []]);
  });

  it('tells nobody of them before the code was right [PKY-028]', async () => {
    await named('Office laptop');
    const page = await ask();
    const refused = pageOf(await web1.browser.submit(page, { code: 'WRONG1', ...chosen }));
    expect([refused.status, refused.text.includes('Office laptop'), await noticesTo(person)]).toEqual([400, false, []]);
  });

  it('shows names as they are, and never as markup [PKY-024, PKY-028]', async () => {
    await named('<img src=x onerror=alert(1)>');
    const done = await resetElsewhere();
    expect(otherWaysOn(done)).toEqual(['<img src=x onerror=alert(1)>']);
    expect([done.find('.account-items img'), (await lastMailTo(world, person.email)).html]).toEqual([
      null,
      expect.not.stringContaining('<img src=x'),
    ]);
  });
});

describe('A passkey that was made by the link of a mail', () => {
  it('stands beside those that the user has, which the page names: one of them may be lost [PKY-028]', async () => {
    await named('Lost phone');
    const app = await withApp(world, person);
    await world.transaction(async (tx) =>
      world.get(PersonService).sendPasskeyLink(tx, await world.get(UserService).get(tx, person.id), EDITOR),
    );
    const { browser } = web1.elsewhere();
    const opened = pageOf(await browser.get(await linkTo(world, person.email)));
    const confirming = pageOf(await browser.submit(opened, {}));
    const making = pageOf(await browser.submit(confirming, { factor: app.code() }));
    const credential = new Authenticator(ORIGIN).create(optionsOf(making));
    const done = pageOf(await browser.submit(making, { credential }));
    expect([done.heading, otherWaysOn(done)]).toEqual(['Your passkey is ready', ['Lost phone']]);
  });
});
