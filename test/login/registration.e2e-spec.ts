import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/foundation/page/paths.js';
import { PolicyService } from '../../src/policy/policy.service.js';
import type { Arrival, Page } from '../support/browser.js';
import { EDITOR, PASSWORD, uniqueName } from '../support/builders.js';
import type { Parameters } from '../support/http.js';
import { lastMailTo, mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { begin, beginPassword, enterCode, errorsOf, expectRefused, pageOf, withoutTokens } from './turns.js';

let world: World;
let replica: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  replica = await startWorld({ replicaOf: world });
  await world.cast.alice;
});

afterAll(async () => {
  await replica.close();
  await world.close();
});

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});

function entry(over: Parameters = {}): Parameters {
  return {
    email: `${uniqueName('new')}@mail.test`,
    firstName: 'New',
    lastName: 'Person',
    userName: '',
    password: PASSWORD,
    passwordRepeat: PASSWORD,
    ...over,
  };
}

interface StoredPerson {
  readonly id: string;
  readonly org_id: string;
  readonly user_name: string;
  readonly [column: string]: unknown;
}

async function peopleWith(email: unknown): Promise<StoredPerson[]> {
  return world.rows<StoredPerson>('SELECT * FROM user_account WHERE email = $1', [email]);
}

const CONFIRM = 'Confirm your e-mail address';

/** As far as the page that asks for the mailed code, or says what is wrong. */
async function apply(
  client: RelyingParty,
  over: Parameters = {},
  request: Parameters = {},
): Promise<{ form: Parameters; page: Page; email: string }> {
  const form = entry(over);
  const page = pageOf(await client.browser.submit(await begin(client, { prompt: 'create', ...request }), form));
  return { form, page, email: form['email'] as string };
}

/** The whole way, with the code of the mail. */
async function register(
  client: RelyingParty,
  over: Parameters = {},
  request: Parameters = {},
): Promise<{ form: Parameters; code: string | undefined }> {
  const { form, page, email } = await apply(client, over, request);
  return { form, code: client.toAnswer(await enterCode(world, client, page, email)).code };
}

describe('Registration', () => {
  it('makes an account with the e-mail address as its name, and answers the application once its owner has typed the code of the mail', async () => {
    const page = await begin(web1, { prompt: 'create' });
    expect([page.status, page.title]).toEqual([200, 'Create an account · Acme']);
    const { form, code } = await register(web1);
    const tokens = (await web1.redeem(code!)).json<{ id_token: string }>();
    const [person] = await peopleWith(form['email']);
    expect((await web1.verify(tokens.id_token)).sub).toBe(person!.id);
    expect(person).toMatchObject({
      org_id: world.firstStart.orgId,
      kind: 'human',
      state: 'active',
      user_name: form['email'],
      first_name: 'New',
      last_name: 'Person',
      display_name: 'New Person',
      email_verified: true,
      preferred_language: 'en',
      password_change_required: false,
    });
    expect((await signInWith(form['email'] as string, PASSWORD)).redirect).toBeDefined();
  });

  it('goes into the organization that the application asks for, in the language of the page', async () => {
    const { id: orgId } = await world.cast.orgB;
    const scope = `openid urn:service:iam:org:id:${orgId}`;
    const userName = uniqueName('neu');
    const { form, code } = await register(web1, { userName }, { scope, ui_locales: 'de' });
    expect(code).toBeDefined();
    expect(await peopleWith(form['email'])).toEqual([
      expect.objectContaining({ org_id: orgId, user_name: userName, preferred_language: 'de' }),
    ]);
  });

  it('stands behind a link of the first page, and leads back to it', async () => {
    const first = await begin(web1);
    const page = pageOf(await web1.browser.press(first, 'Create an account'));
    expect(pageOf(await web1.browser.press(page, 'Sign in')).title).toBe('Sign in · Acme');
    expect(pageOf(await web1.browser.submit(page, entry())).title).toBe(`${CONFIRM} · Acme`);
  });

  it('lets users with an account continue although the application requested a new one', async () => {
    const page = await begin(web1, { prompt: 'create' });
    const back = await web1.browser.press(page, 'Sign in');
    expect(web1.toAnswer(await web1.enter(back, await world.cast.alice)).code).toBeDefined();
  });

  it('reports everything that is wrong, at its field, and keeps what was typed except the passwords', async () => {
    const { page } = await apply(web1, {
      email: 'not an address',
      firstName: ' ',
      lastName: 'x'.repeat(201),
      userName: 'a b',
      password: 'short',
      passwordRepeat: 'short',
    });
    expect(page.status).toBe(400);
    expect(errorsOf(page)).toEqual([
      'Enter an e-mail address in the form name@example.com.',
      'Enter your first name.',
      'Enter 200 characters or fewer.',
      'Use only letters, numbers and the characters . _ @ + - in the username.',
      'Choose a password that meets all the rules listed here.',
    ]);
    expect(page.title).toBe('Error: Create an account · Acme');
    expect(page.forms[0]!.fields).toMatchObject({
      email: 'not an address',
      userName: 'a b',
      password: '',
      passwordRepeat: '',
    });
    const differing = await apply(web1, { passwordRepeat: `${PASSWORD}x` });
    expect(errorsOf(differing.page)).toEqual(['The two passwords are not the same.']);
  });

  it('has no form and takes none where the policy forbids it [AUT-048, LOG-047]', async () => {
    const org = await world.add.org();
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'login', org.id, { allowRegister: false }, EDITOR),
    );
    const scope = `openid urn:service:iam:org:id:${org.id}`;
    const page = await begin(web1, { prompt: 'create', scope });
    expect([page.status, page.title, page.find('main form')]).toEqual([
      403,
      `Registration is closed · ${org.domain}`,
      null,
    ]);
    const plain = await begin(web1, { scope });
    expect(plain.text).not.toContain('Create an account');
    const { authRequestID, csrf } = plain.forms[0]!.fields;
    const form = entry();
    expectRefused(await web1.browser.request('POST', paths.register, { ...form, authRequestID, csrf }), 403);
    expect(await peopleWith(form['email'])).toEqual([]);
  });

  it('is closed if signing in with a password is forbidden, also if that is decided while the form is open', async () => {
    const org = await world.add.org();
    const scope = `openid urn:service:iam:org:id:${org.id}`;
    const open = await begin(web1, { prompt: 'create', scope });
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'login', org.id, { allowUsernamePassword: false, allowRegister: true }, EDITOR),
    );
    const form = entry();
    expect(pageOf(await web1.browser.submit(open, form)).title).toBe(`Registration is closed · ${org.domain}`);
    expect(await peopleWith(form['email'])).toEqual([]);
    expect((await begin(web1.elsewhere(), { prompt: 'create', scope })).title).toBe(
      `Registration is closed · ${org.domain}`,
    );
  });

  it('does not assign a name or an address at a domain that another organization owns [LOG-047]', async () => {
    const { domain } = await world.cast.orgB;
    const byMail = await apply(web1, { email: `eve@${domain.toUpperCase()}` });
    expect([byMail.page.status, errorsOf(byMail.page)]).toEqual([
      400,
      ['This e-mail address cannot be used to register here. Ask your administrator for an account.'],
    ]);
    const byName = await apply(web1, { userName: `eve@${domain}` });
    expect([byName.page.status, errorsOf(byName.page)]).toEqual([
      400,
      ['This username cannot be used. Choose another one.'],
    ]);
    expect(await world.rows(`SELECT 1 FROM user_account WHERE user_name LIKE 'eve@%'`)).toEqual([]);
  });

  it('does not assign the login name of another user in another form, and reports it only to its owner [LOG-027]', async () => {
    const { adminLoginName, adminPassword, orgId } = world.firstStart;
    const domain = adminLoginName.split('@')[1]!;
    const taken = await apply(web1, { email: adminLoginName });
    expect(taken.page.title).toBe(`${CONFIRM} · Acme`);
    expect((await lastMailTo(world, adminLoginName)).subject).toBe('You already have an account');
    expect((await signInWith(adminLoginName, adminPassword.reveal())).redirect).toBeDefined();
    expect((await register(web1.elsewhere(), { userName: `first@${domain}` })).code).toBeDefined();
    const namesake = await apply(web1.elsewhere(), { userName: 'first' });
    expect(namesake.page.title).toBe(`${CONFIRM} · Acme`);
    expect(await mailsTo(world, namesake.email)).toEqual([]);
    expect(
      await world.rows('SELECT 1 FROM user_account WHERE org_id = $1 AND user_name IN ($2, $3)', [
        orgId,
        'first',
        adminLoginName,
      ]),
    ).toEqual([]);
  });

  it('looks the same with an address that is in use and with one that is not [LOG-027]', async () => {
    const owner = await world.add.person({ orgId: world.firstStart.orgId });
    const shapes = [];
    for (const email of [owner.email, `${uniqueName('nobody')}@mail.test`]) {
      const client = web1.elsewhere();
      const first = await begin(client, { prompt: 'create' });
      const { page } = await client.browser.submit(first, entry({ email }));
      const replies = [page!.reply];
      replies.push(
        await client.browser.submitOnce(page!, { code: 'WRONG1' }),
        await client.browser.submitOnce(page!, { action: 'resend', code: '' }),
      );
      shapes.push(
        replies.map((reply) => ({
          status: reply.status,
          headers: Object.keys(reply.headers).sort(),
          location: reply.location,
          body: withoutTokens(reply).replaceAll(email, 'EMAIL'),
        })),
      );
    }
    expect(shapes[1]).toEqual(shapes[0]);
    expect((await mailsTo(world, owner.email)).map(({ subject }) => subject)).toEqual(['You already have an account']);
  });

  it('counts for the last user who registered with an address, until one has verified it', async () => {
    const email = `${uniqueName('twice')}@mail.test`;
    const [attacker, owner] = [web1.elsewhere(), web1.elsewhere()];
    const first = await apply(attacker, {
      email,
      password: 'Attackers-Password-1',
      passwordRepeat: 'Attackers-Password-1',
    });
    const second = await apply(owner, { email });
    const refused = pageOf(await enterCode(world, attacker, first.page, email));
    expect(errorsOf(refused)).toEqual(['This code is not correct, or it does not work any more.']);
    expect(owner.toAnswer(await enterCode(world, owner, second.page, email)).code).toBeDefined();
    expect((await signInWith(email, 'Attackers-Password-1')).redirect).toBeUndefined();
    expect((await signInWith(email, PASSWORD)).redirect).toBeDefined();
    expect(await peopleWith(email)).toHaveLength(1);
    await apply(web1.elsewhere(), { email, password: 'Attackers-Password-1', passwordRepeat: 'Attackers-Password-1' });
    expect((await signInWith(email, PASSWORD)).redirect).toBeDefined();
  });

  it('sends users with that address who have not set up an account the code for that', async () => {
    const email = `${uniqueName('invited')}@mail.test`;
    await world.add.person({ orgId: world.firstStart.orgId, email, emailVerified: false, password: '' });
    await apply(web1, { email });
    expect((await lastMailTo(world, email)).subject).toBe('Set up your account');
    expect(await peopleWith(email)).toHaveLength(1);
  });

  it('is asked about the terms where the organization names any', async () => {
    const org = await world.add.org();
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'privacy', org.id, { tosLink: 'https://acme.test/{{.Lang}}/tos' }, EDITOR),
    );
    await world.rows(`UPDATE privacy_policy SET privacy_link = 'javascript:x()' WHERE owner_id = $1`, [org.id]); // an import may have brought it
    const scope = `openid urn:service:iam:org:id:${org.id}`;
    const refused = await apply(web1, {}, { scope });
    expect(errorsOf(refused.page)).toEqual(['Accept the terms to create an account.']);
    expect(refused.page.all('a').map((link) => link.getAttribute('href'))).toContain('https://acme.test/en/tos');
    expect(refused.page.reply.text).not.toContain('javascript:');
    const accepted = pageOf(
      await web1.browser.submit(refused.page, { password: PASSWORD, passwordRepeat: PASSWORD, terms: 'accepted' }),
    );
    expect(accepted.title).toBe(`${CONFIRM} · ${org.domain}`);
  });

  it('does not hear what its form does not have [LOG-046]', async () => {
    const { orgB } = world.cast;
    const { form, code } = await register(web1, {
      isAdmin: 'true',
      emailVerified: 'true',
      email_verified: 'true',
      orgId: (await orgB).id,
      org_id: (await orgB).id,
      'roles[]': 'IAM_OWNER',
      state: 'LOCKED',
      userId: '1',
      id: '1',
      kind: 'service',
      passwordHash: 'x',
      passwordChangeRequired: 'true',
      tokenEpoch: '9',
      preferredLanguage: 'xx',
    });
    expect(code).toBeDefined();
    const [person] = await peopleWith(form['email']);
    expect(person).toMatchObject({
      org_id: world.firstStart.orgId,
      kind: 'human',
      state: 'active',
      email_verified: true,
      password_change_required: false,
      preferred_language: 'en',
      token_epoch: 0,
    });
    expect(person!.id).not.toBe('1');
    expect(await world.rows('SELECT 1 FROM member WHERE user_id = $1', [person!.id])).toEqual([]);
  });

  it('makes one account of twenty at once with the same name and address, at two processes [LOG-048]', async () => {
    const form = entry();
    const started = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const client = web1.elsewhere();
        client.browser.at = n % 2 === 0 ? world : replica;
        return { client, page: await begin(client, { prompt: 'create' }) };
      }),
    );
    const arrivals = await Promise.all(started.map(({ client, page }) => client.browser.submit(page, form)));
    for (const { page } of arrivals) expect([page?.status, page?.title]).toEqual([200, `${CONFIRM} · Acme`]);
    expect(await peopleWith(form['email'])).toHaveLength(1);
  });

  it('makes one account of two at once whose names are one login name', async () => {
    const domain = world.firstStart.adminLoginName.split('@')[1]!;
    const name = uniqueName('twin');
    const started = await Promise.all(
      [name, `${name}@${domain}`].map(async (userName) => {
        const client = web1.elsewhere();
        return { client, userName, page: await begin(client, { prompt: 'create' }) };
      }),
    );
    const arrivals = await Promise.all(
      started.map(({ client, page, userName }) => client.browser.submit(page, entry({ userName }))),
    );
    for (const { page } of arrivals) expect(page?.title).toBe(`${CONFIRM} · Acme`);
    expect(
      await world.rows('SELECT 1 FROM user_account WHERE user_name IN ($1, $2)', [name, `${name}@${domain}`]),
    ).toHaveLength(1);
  });

  it('compares names as people read them, and keeps look-alikes apart [LOG-049]', async () => {
    const name = uniqueName('lucie');
    expect((await register(web1.elsewhere(), { userName: name })).code).toBeDefined();
    const fullwidth = [...name]
      .map((letter) => (/[a-z]/.test(letter) ? String.fromCodePoint(letter.codePointAt(0)! + 0xfee0) : letter))
      .join('');
    for (const same of [name.toUpperCase(), fullwidth]) {
      const { page, email } = await apply(web1.elsewhere(), { userName: same });
      expect([page.title, await peopleWith(email)]).toEqual([`${CONFIRM} · Acme`, []]);
    }
    for (const invisible of [`${name}\u200b`, `${name}\u00ad`, `\u202e${name}`, `lu\u2060cie`]) {
      expect(errorsOf((await apply(web1.elsewhere(), { userName: invisible })).page)).toEqual([
        'Use only letters, numbers and the characters . _ @ + - in the username.',
      ]);
    }
    const lookAlikes = [name.replace('c', 'с'), name.replace('i', 'ı'), name.toUpperCase().replace('I', 'İ')];
    for (const userName of lookAlikes) {
      expect(
        (
          await register(web1.elsewhere(), {
            userName,
            password: 'Look-Alike-99-98',
            passwordRepeat: 'Look-Alike-99-98',
          })
        ).code,
      ).toBeDefined();
      const page = await beginPassword(web1.elsewhere(), name);
      expect(page.forms[0]!.fields['loginName']).toBe(name);
      expect(errorsOf(pageOf(await signInWith(name, 'Look-Alike-99-98')))).toEqual([
        'The login name or the password is not correct.',
      ]);
    }
    expect((await signInWith(name, PASSWORD)).redirect).toBeDefined();
  });

  it('takes passwords as they are typed, from 15 to 200 characters [LOG-044]', async () => {
    const rules = 'Choose a password that meets all the rules listed here.';
    const tooLong = 'Choose a password of 200 characters or fewer.';
    const trials: Array<[string, string | undefined]> = [
      ['Aa1-xyz-Aa2-xy', rules],
      ['Aa1-xyz-Aa2-xyz', undefined],
      ['aaaaaaaaaaaaaaaaaaaa', 'This password is easy to guess. Choose another one.'],
      ['Password 2026!!!', 'This password is easy to guess. Choose another one.'],
      [`Aa1-${'x'.repeat(60)}`, undefined],
      [`Aa1-${'x'.repeat(124)}`, undefined],
      [`Aa1-${'x'.repeat(196)}`, undefined],
      [`Aa1-${'x'.repeat(197)}`, tooLong],
      [`Aa1-${'x'.repeat(20_000)}`, tooLong],
      ['  Aa1 space bar  ', undefined],
      [`Aa1 ${'😀'.repeat(11)}`, undefined],
      [`Aa1-${'😀'.repeat(196)}`, undefined],
    ];
    for (const [password, error] of trials) {
      const client = web1.elsewhere();
      const { form, page, email } = await apply(client, { password, passwordRepeat: password });
      if (error !== undefined) {
        expect(errorsOf(page)).toEqual([error]);
        continue;
      }
      expect(client.toAnswer(await enterCode(world, client, page, email)).code).toBeDefined();
      expect((await signInWith(form['email'] as string, password)).redirect).toBeDefined();
      if (password !== password.trim())
        expect((await signInWith(form['email'] as string, password.trim())).redirect).toBeUndefined();
    }
    const absurd = 'x'.repeat(1_048_576);
    expectRefused(
      await web1.browser.submitOnce(
        await begin(web1, { prompt: 'create' }),
        entry({ password: absurd, passwordRepeat: absurd }),
      ),
      400,
    );
  });

  it('distinguishes long passwords to their last character, and accents by how they were typed [LOG-044]', async () => {
    const pairs = [
      [`Aa1-${'a'.repeat(72)}b`, `Aa1-${'a'.repeat(72)}c`],
      ['Aa1-caf\u00e9-au-lait', 'Aa1-cafe\u0301-au-lait'],
    ] as const;
    for (const [password, other] of pairs) {
      const { form } = await register(web1.elsewhere(), { password, passwordRepeat: password });
      expect((await signInWith(form['email'] as string, other)).redirect).toBeUndefined();
      expect((await signInWith(form['email'] as string, password)).redirect).toBeDefined();
    }
  });

  it('is limited for each address', async () => {
    const limited = await startWorld({ replicaOf: world, loginLimits: 'on' });
    try {
      web1.browser.at = limited;
      const page = await begin(web1, { prompt: 'create' });
      const taken = entry({ email: 'somebody@orgb.test' });
      const statuses: number[] = [];
      for (let n = 0; n < 51; n += 1) statuses.push((await web1.browser.submitOnce(page, taken)).status);
      expect(statuses.slice(0, 50)).not.toContain(429);
      expect(statuses[50]).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

async function signInWith(loginName: string, password: string): Promise<Arrival> {
  const client = web1.elsewhere();
  return client.browser.submit(await beginPassword(client, loginName), { password });
}
