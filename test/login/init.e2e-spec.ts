import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { PersonService } from '../../src/user/person.service.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR, PASSWORD, type TestOrg } from '../support/builders.js';
import { send, toQuery } from '../support/http.js';
import { codeIn, lastMailTo, mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { WRONG } from './factor-turns.js';
import { chosen, open } from './init-turns.js';
import { type Invited, invite, linkTo, personRow } from './invited.js';
import { signInElsewhere } from './sign-in-turns.js';
import { begin, errorsOf, expectRefused, pageOf, requestIdOf, withoutTokens } from './turns.js';

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

const invited = (): Promise<Invited> => invite(world, orgA.id);

describe('The link of an invitation', () => {
  it('opens a page with the rules of the password, as often as one likes, in any browser', async () => {
    const { email, id } = await invited();
    const link = await linkTo(world, email);
    for (let n = 0; n < 5; n += 1) {
      const page = await open(web1.elsewhere(), link);
      expect([page.status, page.title]).toEqual([200, 'Set up your account · orga.test']);
      expect(page.find('#password-rules')?.text).toContain('15 characters or more');
      const code = page.find('input[name="code"]');
      expect([code?.getAttribute('type'), code?.getAttribute('value')]).toEqual([
        'hidden',
        expect.stringMatching(/^[A-Z0-9]{6}$/),
      ]);
    }
    await send(world.origin, { method: 'HEAD', path: link });
    expect(await personRow(world, id)).toMatchObject({ state: 'initial', password_hash: null, email_verified: false });
    expect((await open(web1, link)).find('input[name="loginName"]')?.getAttribute('value')).toContain('invited');
  });

  it('sets the account up: the address is proven, the password is the one that was chosen, and its owner is signed in', async () => {
    const { email, id, userName } = await invited();
    const page = await open(web1, await linkTo(world, email));
    const before = new Map(web1.browser.cookies);
    const done = pageOf(await web1.browser.submit(page, chosen));
    expect([done.title, done.text]).toEqual(['You are signed in · orga.test', expect.stringContaining('Ilse Brandt')]);
    expect(web1.browser.cookies).not.toEqual(before);
    expect(await personRow(world, id)).toMatchObject({
      state: 'active',
      email_verified: true,
      password_change_required: false,
    });
    expect((await signInElsewhere(web1, userName, PASSWORD)).redirect).toBeDefined();
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
  });

  it('continues a sign-in that waits in the same browser, and no other', async () => {
    const { email, id } = await invited();
    const authRequestID = requestIdOf(await begin(web1));
    const elsewhere = web1.elsewhere();
    const foreign = await open(elsewhere, await linkTo(world, email, { authRequestID }));
    expect(foreign.forms[0]!.fields['authRequestID']).toBeUndefined();
    const { code } = web1.toAnswer(
      await web1.browser.submit(await open(web1, await linkTo(world, email, { authRequestID })), chosen),
    );
    const tokens = (await web1.redeem(code!)).json<{ id_token: string }>();
    expect(await web1.verify(tokens.id_token)).toMatchObject({ sub: id, amr: ['pwd'] });
  });

  it('leads to where the organization sends its people, if no application waits', async () => {
    const org = await world.add.org();
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'login', org.id, { defaultRedirectUri: 'https://portal.test/start' }, EDITOR),
    );
    const { email } = await invite(world, org.id);
    const page = await open(web1, await linkTo(world, email));
    expect(page.reply.header('content-security-policy')).toContain("form-action 'self' https://portal.test;");
    expect((await web1.browser.submit(page, chosen)).redirect).toBe('https://portal.test/start');
  });

  it('asks for the code alone where there is a password, which is then typed to sign in', async () => {
    const { email, id, userName } = await invite(world, orgA.id, { password: PASSWORD });
    expect(await personRow(world, id)).toMatchObject({ state: 'initial' });
    const link = await linkTo(world, email);
    expect(link).toContain('passwordset=true');
    const page = await open(web1, link);
    expect(page.find('#password')).toBeNull();
    expect(pageOf(await web1.browser.submit(page, { code: page.find('#code')!.getAttribute('value') })).title).toBe(
      'Your account is set up · orga.test',
    );
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBe('login_required');
    expect((await signInElsewhere(web1, userName, PASSWORD)).redirect).toBeDefined();
    const other = await invite(world, orgA.id, { password: PASSWORD });
    const waiting = requestIdOf(await begin(web1));
    const next = pageOf(
      await web1.browser.submit(await open(web1, await linkTo(world, other.email, { authRequestID: waiting })), {
        action: '',
      }),
    );
    expect([next.heading, next.forms[0]!.fields['loginName']]).toEqual([
      'Enter your password',
      `${other.userName}@orga.test`,
    ]);
  });

  it('does nothing while the account is deactivated or locked, and works again afterwards', async () => {
    const { email, id } = await invited();
    const link = await linkTo(world, email);
    const users = world.get(UserService);
    const change = async (verb: 'deactivate' | 'reactivate' | 'lock' | 'unlock') =>
      world.transaction(async (tx) => users[verb](tx, await users.get(tx, id), EDITOR));
    const sent = (await mailsTo(world, email)).length;
    for (const [shut, reopen] of [
      ['deactivate', 'reactivate'],
      ['lock', 'unlock'],
    ] as const) {
      await change(shut);
      const page = await open(web1, link);
      const refused = pageOf(await web1.browser.submit(page, chosen));
      expect([refused.status, errorsOf(refused)]).toEqual([
        400,
        ['This code is not correct, or it does not work any more.'],
      ]);
      await web1.browser.submit(page, { action: 'resend' });
      expect(await mailsTo(world, email)).toHaveLength(sent);
      expect(await personRow(world, id)).toMatchObject({ password_hash: null, email_verified: false });
      await change(reopen);
    }
    expect(pageOf(await web1.browser.submit(await open(web1, link), chosen)).heading).toBe('You are signed in');
    expect(await personRow(world, id)).toMatchObject({ state: 'active', awaits_set_up: false });
  });

  it('asks for a missing password even if the link says otherwise', async () => {
    const { email, id } = await invited();
    const page = await open(web1, await linkTo(world, email, { passwordset: 'true' }));
    const again = pageOf(await web1.browser.submit(page, { action: '' }));
    expect([again.status, errorsOf(again)]).toEqual([400, ['Choose a password.']]);
    expect(await personRow(world, id)).toMatchObject({ state: 'initial', email_verified: false });
    expect(pageOf(await web1.browser.submit(again, chosen)).heading).toBe('You are signed in');
  });

  it('can be left aside: the code is typed, in lower case and in two halves', async () => {
    const { email, id } = await invited();
    const link = await linkTo(world, email, { code: undefined });
    const page = await open(web1, link);
    expect(page.find('#code')?.hasAttribute('autofocus')).toBe(true);
    const code = codeIn(world, await lastMailTo(world, email)).toLowerCase();
    expect(
      pageOf(await web1.browser.submit(page, { code: ` ${code.slice(0, 3)}-${code.slice(3)} `, ...chosen })).heading,
    ).toBe('You are signed in');
    expect(await personRow(world, id)).toMatchObject({ state: 'active' });
  });

  it('is not needed at all: at the address of the page the login name is asked for besides', async () => {
    const { email, id, userName } = await invited();
    const page = await open(web1, paths.userInit);
    expect(page.find('#loginName')?.hasAttribute('autofocus')).toBe(true);
    expect(errorsOf(pageOf(await web1.browser.submit(page, { loginName: ' ', ...chosen })))).toEqual([
      'Enter your login name.',
      'Enter the code.',
    ]);
    expect(errorsOf(pageOf(await web1.browser.submit(page, { action: 'resend' })))).toEqual(['Enter your login name.']);
    const again = pageOf(await web1.browser.submit(page, { loginName: userName, action: 'resend' }));
    expect([again.status, again.find('#loginName')?.getAttribute('value')]).toEqual([200, userName]);
    const code = codeIn(world, await lastMailTo(world, email));
    const wrong = pageOf(await web1.browser.submit(again, { loginName: `not-${userName}`, code, ...chosen }));
    expect([wrong.status, errorsOf(wrong)]).toEqual([400, [WRONG]]);
    expect(pageOf(await web1.browser.submit(wrong, { loginName: userName, code, ...chosen })).heading).toBe(
      'You are signed in',
    );
    expect(await personRow(world, id)).toMatchObject({ state: 'active', email_verified: true });
  });

  it("enforces the rules of the user's organization, regardless of the form", async () => {
    const strict = await world.add.org();
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'passwordComplexity', strict.id, { minLength: 20 }, EDITOR),
    );
    const { email, id } = await invite(world, strict.id);
    expect((await open(web1, await linkTo(world, email))).find('#password-rules')?.text).toContain(
      '20 characters or more',
    );
    for (const over of [{}, { orgID: undefined }]) {
      const page = await open(web1, await linkTo(world, email, over));
      const refused = pageOf(await web1.browser.submit(page, chosen));
      expect([refused.status, errorsOf(refused)]).toEqual([
        400,
        ['Choose a password that meets all the rules listed here.'],
      ]);
    }
    expect(
      errorsOf(
        pageOf(
          await web1.browser.submit(await open(web1, await linkTo(world, email)), {
            password: PASSWORD,
            passwordRepeat: 'x',
          }),
        ),
      ),
    ).toHaveLength(1);
    expect(await personRow(world, id)).toMatchObject({ state: 'initial', password_hash: null });
  });

  it('shows the same whether or not there is such a person, and is sent the same again', async () => {
    const { id, email } = await invited();
    const shapes = [];
    for (const userID of [id, '900000000000000001', 'unknown']) {
      const client = web1.elsewhere();
      const page = await open(client, await linkTo(world, email, { userID, code: 'WRONG1' }));
      const replies = [
        page.reply,
        await client.browser.submitOnce(page, chosen),
        await client.browser.submitOnce(page, { action: 'resend' }),
      ];
      shapes.push(
        replies.map((reply) => ({
          status: reply.status,
          headers: Object.keys(reply.headers).sort(),
          body: withoutTokens(reply).replaceAll(userID, 'ID'),
        })),
      );
    }
    expect(shapes[1]).toEqual(shapes[0]);
    expect(shapes[2]).toEqual(shapes[0]);
  });

  it('stays in the language that was chosen on the page', async () => {
    const { email } = await invited();
    const page = await open(web1, `${await linkTo(world, email)}&ui_locales=de`);
    expect(page.heading).toBe('Konto einrichten');
    expect(pageOf(await web1.browser.submit(page, { code: 'WRONG1', ...chosen })).title).toBe(
      'Fehler: Konto einrichten · orga.test',
    );
  });
});

describe('Another invitation', () => {
  it('is sent to users without a valid one, five times an hour at most, and never to an unknown name [LOG-039]', async () => {
    const limited = await startWorld({ replicaOf: world, loginLimits: 'on' });
    try {
      world.clock.advance('2h');
      const person = await invite(limited, orgA.id);
      const client = web1.elsewhere();
      client.browser.at = limited;
      const known = await open(client, await linkTo(world, person.email));
      const unknown = await open(client, await linkTo(world, person.email, { userID: '900000000000000001' }));
      for (let n = 0; n < 6; n += 1) {
        for (const page of [known, unknown]) {
          const again = pageOf(await client.browser.submit(page, { action: 'resend' }));
          expect([again.status, again.text]).toEqual([200, expect.stringContaining('Only the newest one works.')]);
        }
      }
      expect(await mailsTo(world, person.email)).toHaveLength(5);
      await Promise.all(Array.from({ length: 38 }, () => client.browser.submitOnce(unknown, { action: 'resend' })));
      expect((await client.browser.submitOnce(unknown, { action: 'resend' })).status).toBe(429);
    } finally {
      await limited.close();
    }
  });

  it('is none for an account that is set up', async () => {
    const { email, id } = await invited();
    const page = await open(web1, await linkTo(world, email));
    await world.transaction(async (tx) => {
      const user = await world.get(UserService).get(tx, id);
      await world.get(PersonService).changeEmail(tx, user, email, true, EDITOR);
    });
    await world.add.newPassword(id, PASSWORD);
    const before = await mailsTo(world, email);
    await web1.browser.submitOnce(page, { action: 'resend' });
    expect(await mailsTo(world, email)).toHaveLength(before.length);
  });
});

describe('The forms behind the links of mails', () => {
  it('are refused without the token of this browser and this person, and change nothing [LOG-001]', async () => {
    const [person, other] = [await invited(), await invited()];
    const page = await open(web1, await linkTo(world, person.email));
    const sibling = await open(web1, await linkTo(world, other.email));
    const elsewhere = web1.elsewhere();
    const foreign = await open(elsewhere, await linkTo(world, person.email));
    const { fields } = page.forms[0]!;
    const before = await world.contents();
    for (const path of [paths.userInit, paths.mailVerification, paths.passwordInit, paths.passwordReset]) {
      for (const csrf of [undefined, '', 'x', sibling.forms[0]!.fields['csrf'], foreign.forms[0]!.fields['csrf']]) {
        expectRefused(
          await web1.browser.request('POST', path, { ...fields, ...chosen, loginName: person.userName, csrf }),
          403,
        );
      }
      expectRefused(await web1.browser.request('POST', `${path}?${toQuery(fields)}`, chosen), 403);
      expectRefused(await elsewhere.browser.request('POST', path, { ...fields, ...chosen }), 403);
      const own = { ...fields, ...chosen, loginName: person.userName };
      expectRefused(await web1.browser.request('POST', path, own, { Origin: 'https://evil.test' }), 403);
      expectRefused(await send(world.origin, { method: 'POST', path, body: { ...fields, ...chosen } }), 403);
      expectRefused(await web1.browser.request('DELETE', path), 405);
    }
    expect(await world.contents()).toBe(before);
  });

  it('leave no cookie but one that names nothing yet, and store no browser that only looked', async () => {
    const { email } = await invited();
    const count = async (): Promise<unknown> => world.rows('SELECT count(*) FROM browser');
    const before = await count();
    await open(web1.elsewhere(), await linkTo(world, email));
    expect(await count()).toEqual(before);
  });
});
