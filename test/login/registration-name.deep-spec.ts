import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UNHURRIED_MS } from '../../src/login/unhurried.js';
import { PASSWORD, uniqueName } from '../support/builders.js';
import { lastMailTo, mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { apply, CONFIRM, entry, peopleWith, register } from './registration-turns.js';
import { signInElsewhere } from './sign-in-turns.js';
import { begin, beginPassword, enterCode, errorsOf, pageOf, withoutTokens } from './turns.js';

let world: World;
let replica: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  replica = await startWorld({ replicaOf: world });
});

afterAll(async () => {
  await replica.close();
  await world.close();
});

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});

describe('Registration', () => {
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
    expect((await signInElsewhere(web1, adminLoginName, adminPassword.reveal())).redirect).toBeDefined();
    expect((await register(world, web1.elsewhere(), { userName: `first@${domain}` })).code).toBeDefined();
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

  it('takes as long, whoever has the address or the name, and as long for another code [LOG-027]', async () => {
    const here = await world.add.person({ orgId: world.firstStart.orgId });
    const elsewhere = `${uniqueName('name')}@mail.test`;
    await world.add.person({ orgId: (await world.add.org()).id, userName: elsewhere, email: elsewhere });
    for (const email of [here.email, elsewhere, `${uniqueName('nobody')}@mail.test`]) {
      const client = web1.elsewhere();
      let page = await begin(client, { prompt: 'create' });
      for (const fields of [entry({ email }), { action: 'resend', code: '' }]) {
        const begun = performance.now();
        page = pageOf(await client.browser.submit(page, fields));
        // A timer of Node may be early by less than a millisecond.
        expect(performance.now() - begun).toBeGreaterThanOrEqual(UNHURRIED_MS - 1);
      }
    }
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
    expect((await signInElsewhere(web1, email, 'Attackers-Password-1')).redirect).toBeUndefined();
    expect((await signInElsewhere(web1, email, PASSWORD)).redirect).toBeDefined();
    expect(await peopleWith(world, email)).toHaveLength(1);
    await apply(web1.elsewhere(), { email, password: 'Attackers-Password-1', passwordRepeat: 'Attackers-Password-1' });
    expect((await signInElsewhere(web1, email, PASSWORD)).redirect).toBeDefined();
  });

  it('sends users with that address who have not set up an account the code for that', async () => {
    const email = `${uniqueName('invited')}@mail.test`;
    await world.add.person({ orgId: world.firstStart.orgId, email, emailVerified: false, password: '' });
    await apply(web1, { email });
    expect((await lastMailTo(world, email)).subject).toBe('Set up your account');
    expect(await peopleWith(world, email)).toHaveLength(1);
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
    expect(await peopleWith(world, form['email'])).toHaveLength(1);
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
    expect((await register(world, web1.elsewhere(), { userName: name })).code).toBeDefined();
    const fullwidth = [...name]
      .map((letter) => (/[a-z]/.test(letter) ? String.fromCodePoint(letter.codePointAt(0)! + 0xfee0) : letter))
      .join('');
    for (const same of [name.toUpperCase(), fullwidth]) {
      const { page, email } = await apply(web1.elsewhere(), { userName: same });
      expect([page.title, await peopleWith(world, email)]).toEqual([`${CONFIRM} · Acme`, []]);
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
          await register(world, web1.elsewhere(), {
            userName,
            password: 'Look-Alike-99-98',
            passwordRepeat: 'Look-Alike-99-98',
          })
        ).code,
      ).toBeDefined();
      const page = await beginPassword(web1.elsewhere(), name);
      expect(page.forms[0]!.fields['loginName']).toBe(name);
      expect(errorsOf(pageOf(await signInElsewhere(web1, name, 'Look-Alike-99-98')))).toEqual([
        'The login name or the password is not correct.',
      ]);
    }
    expect((await signInElsewhere(web1, name, PASSWORD)).redirect).toBeDefined();
  });
});
