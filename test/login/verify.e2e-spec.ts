import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { PersonService } from '../../src/user/person.service.js';
import { UserService } from '../../src/user/user.service.js';
import { UserCodes } from '../../src/user/user-codes.js';
import type { Page } from '../support/browser.js';
import { EDITOR, PASSWORD, type TestOrg, type TestPerson, uniqueName } from '../support/builders.js';
import { codeIn, lastMailTo, linkIn, mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { linkTo, personRow } from './invited.js';
import { begin, beginPassword, enterCode, errorsOf, expectRefused, lookAgain, pageOf } from './turns.js';

const WRONG = 'This code is not correct, or it does not work any more.';
const CONFIRM = 'Confirm your e-mail address';

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

const unproven = (): Promise<TestPerson> => world.add.person({ orgId: orgA.id, emailVerified: false });

/** As far as the page that asks for the code. */
async function toCheck(person: TestPerson, client = web1): Promise<Page> {
  return pageOf(
    await client.browser.submit(await beginPassword(client, person.loginName), { password: person.password }),
  );
}

describe('A user whose e-mail address is not verified', () => {
  it('is asked for the code of a mail before the application is answered', async () => {
    const person = await unproven();
    const page = await toCheck(person);
    expect([page.status, page.heading, page.text]).toEqual([
      200,
      CONFIRM,
      expect.stringContaining(`We have sent a mail to ${person.email}.`),
    ]);
    expect(web1.toAnswer(await enterCode(world, web1, page, person.email)).code).toBeDefined();
    expect(await personRow(world, person.id)).toMatchObject({ email_verified: true, state: 'active' });
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
  });

  it('is sent one mail however often the page is looked at, and another on request', async () => {
    const person = await unproven();
    const page = await toCheck(person);
    for (let n = 0; n < 3; n += 1) expect(pageOf(await lookAgain(web1, page)).heading).toBe(CONFIRM);
    const [first] = await mailsTo(world, person.email);
    expect(await mailsTo(world, person.email)).toHaveLength(1);
    const again = pageOf(await web1.browser.submit(page, { action: 'resend' }));
    expect([again.status, again.title, again.text]).toEqual([
      200,
      `${CONFIRM} · orga.test`,
      expect.stringContaining('Only the newest one works.'),
    ]);
    expect(await mailsTo(world, person.email)).toHaveLength(2);
    expect(errorsOf(pageOf(await web1.browser.submit(again, { code: codeIn(world, first!) })))).toEqual([WRONG]);
    expect(web1.toAnswer(await enterCode(world, web1, again, person.email)).code).toBeDefined();
  });

  it('gets no answer on any other way', async () => {
    const person = await unproven();
    const page = await toCheck(person);
    const { authRequestID = '', csrf = '' } = page.forms[0]!.fields;
    expect(pageOf(await web1.browser.get(`/oauth/v2/authorize/callback?id=${authRequestID}`)).heading).toBe(CONFIRM);
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBe('interaction_required');
    for (const code of ['', 'WRONG1', 'undefined']) {
      expect(pageOf(await web1.browser.post(paths.emailCheck, { authRequestID, csrf, code })).status).toBe(400);
    }
    expectRefused(await web1.browser.request('GET', `${paths.emailCheck}?authRequestID=${authRequestID}`), 405);
    expect(await personRow(world, person.id)).toMatchObject({ email_verified: false });
  });

  it('may continue as another user', async () => {
    const page = await toCheck(await unproven());
    const arrival = await web1.browser.press(page, 'Sign in');
    expect(web1.toAnswer(await web1.enter(arrival, await world.cast.alice)).code).toBeDefined();
  });

  it('is asked again once the address was changed, whatever it was before [LOG-050]', async () => {
    const person = await world.add.person({ orgId: orgA.id });
    expect((await web1.signIn(person)).code).toBeDefined();
    const email = `${uniqueName('changed')}@mail.test`;
    await world.transaction(async (tx) =>
      world.get(PersonService).changeEmail(tx, await world.get(UserService).get(tx, person.id), email, false, EDITOR),
    );
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBe('interaction_required');
    const page = pageOf(await web1.authorize());
    expect([page.heading, page.text]).toEqual([CONFIRM, expect.stringContaining(email)]);
    expect(web1.toAnswer(await enterCode(world, web1, page, email)).code).toBeDefined();
  });

  it('counts tries, ten for a code [LOG-033, LOG-037]', async () => {
    const person = await unproven();
    const page = await toCheck(person);
    for (let n = 0; n < 10; n += 1)
      expect(errorsOf(pageOf(await web1.browser.submit(page, { code: 'WRONG1' })))).toEqual([WRONG]);
    expect(errorsOf(pageOf(await enterCode(world, web1, page, person.email)))).toEqual([WRONG]);
    // The page, shown again, has another one.
    const fresh = pageOf(await lookAgain(web1, page));
    expect(web1.toAnswer(await enterCode(world, web1, fresh, person.email)).code).toBeDefined();
  });
});

describe('The link of the mail that proves an address', () => {
  it('leads on in the browser that waits', async () => {
    const person = await unproven();
    await toCheck(person);
    const link = await linkTo(world, person.email);
    for (let n = 0; n < 3; n += 1) expect(pageOf(await web1.browser.get(link)).heading).toBe(CONFIRM);
    expect(await personRow(world, person.id)).toMatchObject({ email_verified: false });
    expect(
      web1.toAnswer(await web1.browser.submit(pageOf(await web1.browser.get(link)), { action: '' })).code,
    ).toBeDefined();
  });

  it('verifies it in any other browser, without signing in there, and the first one continues', async () => {
    const person = await unproven();
    const waiting = await toCheck(person);
    const elsewhere = web1.elsewhere();
    const done = pageOf(
      await elsewhere.browser.submit(pageOf(await elsewhere.browser.get(await linkTo(world, person.email))), {
        action: '',
      }),
    );
    expect(done.title).toBe('Your e-mail address is confirmed · orga.test');
    expect(elsewhere.toAnswer(await elsewhere.authorize({ prompt: 'none' })).error).toBe('login_required');
    expect(web1.toAnswer(await lookAgain(web1, waiting)).code).toBeDefined();
  });

  it('proves it once of two times at once [LOG-038]', async () => {
    const person = await unproven();
    await toCheck(person);
    const link = await linkTo(world, person.email);
    const clients = [web1.elsewhere(), web1.elsewhere(), web1.elsewhere()];
    const pages = await Promise.all(clients.map(async (client) => pageOf(await client.browser.get(link))));
    const arrivals = await Promise.all(clients.map((client, n) => client.browser.submit(pages[n]!, { action: '' })));
    expect(arrivals.map((arrival) => pageOf(arrival).status).sort()).toEqual([200, 400, 400]);
    expect(
      await world.rows("SELECT 1 FROM event WHERE aggregate_id = $1 AND type = 'user.human.email.verified'", [
        person.id,
      ]),
    ).toHaveLength(1);
  });

  it('can be left aside: at the address of its page the login name is asked for besides the code', async () => {
    const person = await unproven();
    await toCheck(person);
    const code = codeIn(world, await lastMailTo(world, person.email));
    const elsewhere = web1.elsewhere();
    const page = pageOf(await elsewhere.browser.get(paths.mailVerification));
    const wrong = pageOf(await elsewhere.browser.submit(page, { loginName: uniqueName('nobody'), code }));
    expect([wrong.status, errorsOf(wrong)]).toEqual([400, [WRONG]]);
    expect(pageOf(await elsewhere.browser.submit(wrong, { loginName: person.userName, code })).heading).toBe(
      'Your e-mail address is confirmed',
    );
  });

  it('ends a registration in the browser that registered, and only proves the address in another, where it asks for the password as well', async () => {
    const entry = (email: string) => ({
      email,
      firstName: 'New',
      lastName: 'Person',
      password: PASSWORD,
      passwordRepeat: PASSWORD,
    });
    const [here, there] = [`${uniqueName('here')}@mail.test`, `${uniqueName('there')}@mail.test`];
    await web1.browser.submit(await begin(web1, { prompt: 'create' }), entry(here));
    expect(
      web1.toAnswer(
        await web1.browser.submit(pageOf(await web1.browser.get(await linkTo(world, here))), { action: '' }),
      ).code,
    ).toBeDefined();
    const client = web1.elsewhere();
    const waiting = pageOf(await client.browser.submit(await begin(client, { prompt: 'create' }), entry(there)));
    const elsewhere = web1.elsewhere();
    const asking = pageOf(
      await elsewhere.browser.submit(pageOf(await elsewhere.browser.get(await linkTo(world, there))), { action: '' }),
    );
    const done = pageOf(await elsewhere.browser.submit(asking, { password: PASSWORD, action: '' }));
    expect(done.heading).toBe('Your e-mail address is confirmed');
    expect(errorsOf(pageOf(await client.browser.submit(waiting, { code: 'WRONG1' })))).toEqual([WRONG]);
    const signIn = await client.browser.press(waiting, 'Sign in');
    expect(client.toAnswer(await client.enter(signIn, { loginName: there, password: PASSWORD })).code).toBeDefined();
  });

  it.each<[string, (person: TestPerson) => Promise<string>]>([
    ['of another user', async ({ email }) => linkTo(world, email, { userID: (await unproven()).id })],
    [
      'of another kind',
      async ({ id, email }) =>
        linkTo(world, email, {
          code: (await world.transaction((tx) => world.get(UserCodes).issue(tx, id, 'password_reset'))).reveal(),
        }),
    ],
    [
      'an hour and a second old',
      async ({ email }) => {
        const link = await linkTo(world, email);
        world.clock.advance('1h');
        world.clock.advance('1s');
        return link;
      },
    ],
    [
      'for the address of before',
      async (person) => {
        const link = await linkTo(world, person.email);
        await world.transaction(async (tx) =>
          world
            .get(PersonService)
            .changeEmail(tx, await world.get(UserService).get(tx, person.id), `new.${person.email}`, false, EDITOR),
        );
        return link;
      },
    ],
  ])('proves nothing with a code %s [LOG-038]', async (_, toLink) => {
    const person = await unproven();
    await toCheck(person);
    const link = await toLink(person);
    const page = pageOf(await web1.browser.get(link.replace(/&authRequestID=\d+/, '')));
    expect(errorsOf(pageOf(await web1.browser.submit(page, { action: '' })))).toEqual([WRONG]);
    expect(await personRow(world, person.id)).toMatchObject({ email_verified: false });
  });

  it('is made of the public URL, whatever host was asked [LOG-020]', async () => {
    const person = await unproven();
    web1.browser.headers = {
      'X-Forwarded-Host': 'evil.test',
      'X-Forwarded-Proto': 'http',
      Forwarded: 'host=evil.test',
    };
    const page = await toCheck(person);
    const mail = await lastMailTo(world, person.email);
    expect(linkIn(mail).origin).toBe(world.issuer);
    expect(linkIn(mail).searchParams.get('authRequestID')).toMatch(/^\d+$/);
    expect(pageOf(await web1.browser.get(linkIn(mail).href)).heading).toBe(page.heading);
    expect(`${mail.html}${mail.text}`).not.toContain('evil.test');
  });
});
