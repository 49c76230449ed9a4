import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { EDITOR, PASSWORD, uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { apply, CONFIRM, entry, peopleWith, register } from './registration-turns.js';
import { signInElsewhere } from './sign-in-turns.js';
import { begin, errorsOf, expectRefused, pageOf } from './turns.js';

let world: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  await world.cast.alice;
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});

describe('Registration', () => {
  it('makes an account with the e-mail address as its name, and answers the application once its owner has typed the code of the mail', async () => {
    const page = await begin(web1, { prompt: 'create' });
    expect([page.status, page.title]).toEqual([200, 'Create an account · Acme']);
    const { form, code } = await register(world, web1);
    const tokens = (await web1.redeem(code!)).json<{ id_token: string }>();
    const [person] = await peopleWith(world, form['email']);
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
    expect((await signInElsewhere(web1, form['email'] as string, PASSWORD)).redirect).toBeDefined();
  });

  it('goes into the organization that the application asks for, in the language of the page', async () => {
    const { id: orgId } = await world.cast.orgB;
    const scope = `openid urn:service:iam:org:id:${orgId}`;
    const userName = uniqueName('neu');
    const { form, code } = await register(world, web1, { userName }, { scope, ui_locales: 'de' });
    expect(code).toBeDefined();
    expect(await peopleWith(world, form['email'])).toEqual([
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
    expect(await peopleWith(world, form['email'])).toEqual([]);
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
    expect(await peopleWith(world, form['email'])).toEqual([]);
    expect((await begin(web1.elsewhere(), { prompt: 'create', scope })).title).toBe(
      `Registration is closed · ${org.domain}`,
    );
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
    const { form, code } = await register(world, web1, {
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
    const [person] = await peopleWith(world, form['email']);
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
