import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import type { LoginPolicy } from '../../src/org/policy/login-policy.entity.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import type { SelfServicePolicy } from '../../src/org/policy/self-service-policy.entity.js';
import { setPolicy, withApp } from '../login/factor-turns.js';
import { errorsOf, pageOf } from '../login/turns.js';
import { Browser, type Page } from '../support/browser.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { statementsDuring } from '../support/statement-counter.js';
import type { World } from '../support/world.js';
import { AccountStage } from './account-stage.js';
import { AccountHolder, sectionsOf, statusOf, tokenFor } from './account-turns.js';

let stage: AccountStage;
let world: World;

beforeAll(async () => {
  stage = await AccountStage.set();
  ({ world } = stage);
});
beforeEach(() => world.clock.advance('1h'));
afterAll(() => world.close());

/** What belongs to a user; each change has an event of the user, or ends a session. */
const stateOf = ({ id }: TestPerson): Promise<unknown[]> =>
  world.rows(
    `SELECT u.sequence,
       (SELECT count(*) FROM session s WHERE s.user_id = u.id AND s.ended_at IS NULL) AS sessions,
       (SELECT count(*) FROM pending_email p WHERE p.user_id = u.id) AS pending
     FROM user_account u
     WHERE u.id = $1`,
    [id],
  );

describe('The pages of the account', () => {
  it('lead through the sign-in, and back to the page that was opened', async () => {
    const holder = await stage.holderOf();
    const page = await holder.open(paths.accountDevices);
    expect([page.status, page.path, page.heading]).toEqual([200, paths.accountDevices, 'Devices']);
    const overview = await holder.open();
    expect(overview.heading).toBe('Your account');
    expect(sectionsOf(overview)).toEqual([
      'Name and language',
      'E-mail and phone',
      'Password',
      'Second steps',
      'Linked accounts',
      'Devices',
      'Applications',
      'Activity',
      'Download your data',
    ]);
    expect(overview.text).toContain('Add a second step');
  });

  it('are not for other sites: no frame, no opener, no copy in a cache [ACC-013]', async () => {
    const holder = await stage.holderOf();
    const { reply } = await holder.open();
    expect(reply.header('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(reply.header('content-security-policy')).not.toContain('script-src');
    expect(reply.header('cross-origin-opener-policy')).toBe('same-origin');
    expect(reply.header('cache-control')).toBe('no-store');
    const signOut = pageOf(await holder.browser.get(paths.signOut));
    await holder.browser.submit(signOut, { decision: 'sign-out' });
    expect((await holder.browser.get(paths.account)).page?.heading).toBe('Sign in');
  });

  it('return to pages of their own only, whatever the address says [ACC-014]', async () => {
    const holder = await stage.holderOf();
    for (const query of ['?return=https://evil.test', '?redirect_uri=//evil.test', '?draft=//evil.test'])
      expect((await holder.open(`${paths.accountDevices}${query}`)).path.split('?')[0]).toBe(paths.accountDevices);
    expect((await holder.browser.get('/ui/account//evil.test')).page?.status).toBe(404);
  });

  it('lead back to the application that led here, at a registered address only [ACC-014]', async () => {
    const { clientId, redirectUri } = await world.cast.web1;
    const holder = await stage.holderOf();
    const linksWith = async (client: string, uri: string): Promise<Array<string | undefined>> => {
      const query = new URLSearchParams({ client_id: client, redirect_uri: uri }).toString();
      const page = await holder.open(`${paths.account}?${query}`);
      return page.all('main a.button').map((element) => element.getAttribute('href'));
    };
    expect(await linksWith(clientId, redirectUri)).toEqual([redirectUri]);
    for (const [client, uri] of [
      [clientId, 'https://evil.test/'],
      [clientId, `${redirectUri}/more`],
      [clientId, 'javascript:x()'],
      ['unknown', redirectUri],
    ] as const)
      expect(await linksWith(client, uri)).toEqual([]);
  });

  it('take one look at the browser, and one at what they show', async () => {
    const holder = await stage.holderOf();
    await holder.open(paths.accountContact);
    const counts: Record<string, number> = {};
    for (const path of [
      paths.account,
      paths.accountProfile,
      paths.accountPassword,
      paths.accountSteps,
      paths.accountLinks,
      paths.accountApplications,
      paths.accountData,
    ]) {
      await holder.browser.get(path);
      const sent = await statementsDuring(() => holder.browser.get(path));
      // Not those of work that goes on beside it.
      counts[path] = sent.filter((text) => /^(?:session|user|factor|idp_link|token)\./.test(text)).length;
    }
    // A user is read with the domains of the organization: for the profile, and for the zone of times that are shown.
    expect(counts).toEqual({
      [paths.account]: 1,
      [paths.accountProfile]: 2,
      [paths.accountPassword]: 1,
      [paths.accountSteps]: 2,
      [paths.accountLinks]: 3,
      [paths.accountApplications]: 3,
      [paths.accountData]: 1,
    });
  });

  it('are found by password managers', async () => {
    const reply = await new Browser(world).request('GET', '/.well-known/change-password');
    expect([reply.status, reply.location]).toEqual([302, paths.accountPassword]);
    const head = await new Browser(world).request('HEAD', '/.well-known/change-password');
    expect([head.status, head.location]).toEqual([302, paths.accountPassword]);
    // By this name they find out whether the status codes of a site can be believed.
    const unlikely = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200';
    expect((await new Browser(world).request('GET', unlikely)).status).toBe(404);
  });

  it('that password managers open lead through the sign-in to the new password', async () => {
    const holder = await stage.holderOf();
    const page = await holder.open('/.well-known/change-password');
    expect([page.path, page.find('input[autocomplete="new-password"]') === null]).toEqual([
      paths.accountPassword,
      false,
    ]);
  });

  describe('that password managers open where the password cannot be changed', () => {
    /** Where a user of an organization with these policies arrives, who is signed in or has to do so. */
    async function arrivalIn(login: Partial<LoginPolicy>, selfService: Partial<SelfServicePolicy>): Promise<Page> {
      const { id } = await world.add.org();
      await setPolicy(world, id, login);
      await world.transaction((tx) => world.get(PolicyService).set(tx, 'selfService', id, selfService, EDITOR));
      await world.changesToArrive();
      const holder = await stage.holderOf(await world.add.person({ orgId: id }));
      const page = await holder.open('/.well-known/change-password');
      expect(sectionsOf(page)).not.toContain('Password');
      // With a session as without one.
      expect((await holder.open('/.well-known/change-password')).text).toBe(page.text);
      return page;
    }

    it('lead to the mail for a new one, with the name filled in', async () => {
      const page = await arrivalIn({}, { changePassword: false });
      expect([page.status, page.heading]).toEqual([200, 'Your account']);
      const link = page.find(`a[href^="${paths.passwordReset}"]`);
      expect(link?.text).toBe('Reset your password');
      const reset = pageOf(await new Browser(world).get(link!.getAttribute('href')!.replaceAll('&amp;', '&')));
      expect(reset.heading).toBe('Reset your password');
      expect(page.text).toContain(reset.find('#loginName')?.getAttribute('value'));
    });

    it('say whom to ask where there is no such mail', async () => {
      const page = await arrivalIn({ hidePasswordReset: true }, { changePassword: false });
      expect([page.status, page.heading]).toEqual([200, 'Your account']);
      expect(page.text).toContain('Please ask your administrator for a new password.');
      expect(page.find(`a[href^="${paths.passwordReset}"]`)).toBeNull();
    });

    it('say nothing of the kind where it can be changed, or to those who were not led there', async () => {
      const holder = await stage.holderOf();
      await holder.open();
      expect((await holder.open(`${paths.account}?closed=password`)).find('.notice-title')).toBeNull();
      await arrivalIn({}, { changePassword: false });
      expect((await holder.open()).find('.notice-title')).toBeNull();
    });
  });

  it('say to users without a password that there is none, instead of an unknown page', async () => {
    const { id } = await world.add.org();
    const holder = await stage.holderOf(await world.add.person({ orgId: id }));
    await holder.open();
    await setPolicy(world, id, { allowUsernamePassword: false });
    await world.changesToArrive();
    const page = await holder.open('/.well-known/change-password');
    expect([page.status, page.heading]).toEqual([200, 'Your account']);
    expect(page.text).toContain('Your organization does not let people sign in with a password here.');
  });

  it('are not announced for passkeys at an address, which has none', async () => {
    expect((await new Browser(world).request('GET', '/.well-known/passkey-endpoints')).status).toBe(404);
  });

  it('refuse other methods and unknown pages', async () => {
    const holder = await stage.holderOf();
    await holder.open();
    expect((await holder.browser.request('PUT', paths.account)).status).toBe(405);
    expect((await holder.browser.request('DELETE', paths.accountProfile)).status).toBe(405);
    expect((await holder.browser.get('/ui/account/unknown')).page?.status).toBe(404);
  });

  it('ask which account, if several are signed in, and remember the choice', async () => {
    const [alice, bob] = [await stage.newPerson(), await stage.newPerson()];
    const browser = new Browser(world);
    const first = new AccountHolder(world, alice, browser);
    await first.open();
    const second = new AccountHolder(world, bob, browser);
    const chooser = pageOf(await browser.get(paths.accountSwitch));
    expect(chooser.heading).toBe('Choose an account');
    const other = pageOf(await browser.press(chooser, 'Use another account'));
    expect((await second.prove(other)).text).toContain(bob.loginName);
    expect((await second.open(paths.accountProfile)).text).toContain(bob.loginName);
    const again = pageOf(await browser.get(paths.accountSwitch));
    expect(pageOf(await browser.submit(again, { userID: alice.id })).text).toContain(alice.loginName);
  });
});

describe('A form of the account', () => {
  it('is refused without the session, with that of another user, and with a token of another page [ACC-001]', async () => {
    const holder = await stage.holderOf();
    const form = (await holder.open(paths.accountProfile)).formWith('firstName');
    const fields = { ...form.fields, firstName: 'Changed' };
    const stranger = await stage.holderOf();
    await stranger.open();
    const elsewhere = (await holder.open(paths.accountDevices)).formWith('csrf').fields['csrf'];
    const attempts = [
      await new Browser(world).request('POST', paths.accountProfile, fields),
      await stranger.browser.request('POST', paths.accountProfile, fields),
      await holder.browser.request('POST', paths.accountProfile, { ...fields, csrf: elsewhere }),
      await holder.browser.request('POST', paths.accountProfile, { ...fields, csrf: '' }),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await holder.open(paths.accountProfile)).formWith('firstName').fields['firstName']).not.toBe('Changed');
  });

  it('returns as it was typed after a proof that is older than ten minutes [ACC-002]', async () => {
    const holder = await stage.holderOf();
    const page = await holder.open(paths.accountProfile);
    world.clock.advance('11m');
    const asked = pageOf(await holder.browser.submit(page, { firstName: 'Ada', nickName: '<img src=x onerror=a()>' }));
    expect(asked.heading).toBe('Enter your password');
    const back = await holder.prove(asked);
    expect(back.path.split('?')[0]).toBe(paths.accountProfile);
    expect(statusOf(back)).toBe('Thank you. Check your entries and send the form once more.');
    expect(back.reply.text).not.toContain('<img src=x');
    expect(back.formWith('firstName').fields).toMatchObject({
      firstName: 'Ada',
      nickName: '<img src=x onerror=a()>',
    });
    expect((await holder.open(paths.accountProfile)).formWith('firstName').fields['firstName']).not.toBe('Ada');
    const saved = pageOf(await holder.browser.submit(back, { firstName: 'Ada' }));
    expect(statusOf(saved)).toMatch(/^Your details are saved\./);
    expect(saved.formWith('firstName').fields['firstName']).toBe('Ada');
  });

  it('needs the second factor as well, if the user holds one [ACC-002]', async () => {
    const person = await stage.newPerson();
    const app = await withApp(world, person);
    const holder = await stage.holderOf(person);
    const page = await holder.prove(pageOf(await holder.browser.get(paths.accountProfile)), () => app.code());
    expect(page.heading).toBe('Name and language');
    world.clock.advance('11m');
    const asked = pageOf(await holder.browser.submit(page, { firstName: 'Ada' }));
    const second = pageOf(await holder.browser.submit(asked, { password: person.password }));
    expect(second.heading).toBe('Enter your code');
    expect((await holder.prove(second, () => app.code())).path).toContain(paths.accountProfile);
  });

  it.each([
    [paths.accountProfile, { firstName: 'Ada', lastName: 'Lovelace' }],
    [paths.accountContact, { decision: 'email', email: 'ada@mail.test' }],
    [paths.accountContact, { decision: 'phone', phone: '+49301234567' }],
    [paths.accountSteps, { decision: 'remove', factor: 'otp', confirmed: 'true' }],
    [paths.accountSteps, { decision: 'new-codes', confirmed: 'true' }],
    [paths.accountLinks, { provider: '1', account: '2', confirmed: 'true' }],
    [paths.accountDevices, { decision: 'everywhere', confirmed: 'true' }],
    [paths.accountDevices, { decision: 'others', confirmed: 'true' }],
    [paths.accountApplications, { application: 'web1', confirmed: 'true' }],
    [paths.accountData, {}],
  ])('of %s changes nothing without a new proof, or without the session: %j [ACC-001, ACC-002]', async (path, sent) => {
    const person = await stage.newPerson();
    const app = await withApp(world, person, ['AAAAA-BBBBB']);
    const holder = await stage.holderOf(person);
    await holder.prove(pageOf(await holder.browser.get(paths.account)), () => app.code());
    const fields = { csrf: await tokenFor(holder, path), ...sent };
    world.clock.advance('11m');
    const before = await stateOf(person);
    expect((await holder.browser.post(path, fields)).page?.heading).toBe('Enter your password');
    expect((await new Browser(world).request('POST', path, fields)).status).toBe(403);
    expect(await stateOf(person)).toEqual(before);
  });

  it('accepts a draft of its own page and user only', async () => {
    const holder = await stage.holderOf();
    const page = await holder.open(paths.accountProfile);
    world.clock.advance('11m');
    const back = await holder.prove(pageOf(await holder.browser.submit(page, { firstName: 'Ada' })));
    const stranger = await stage.holderOf();
    await stranger.open();
    const foreign = pageOf(await stranger.browser.get(back.path));
    expect(foreign.formWith('firstName').fields['firstName']).not.toBe('Ada');
  });
});

describe('Name and language', () => {
  it('are checked, saved, and used for the pages', async () => {
    const holder = await stage.holderOf();
    const page = await holder.open(paths.accountProfile);
    const wrong = pageOf(
      await holder.browser.submit(page, { firstName: '', lastName: 'x'.repeat(201), nickName: 'a\u202eb\n' }),
    );
    expect(wrong.status).toBe(400);
    expect(errorsOf(wrong)).toEqual(['Enter your first name.', 'Enter 200 characters or fewer.']);
    const saved = pageOf(
      await holder.browser.submit(page, {
        firstName: 'Ada',
        lastName: '😀'.repeat(200),
        language: 'de',
        gender: 'female',
      }),
    );
    expect([saved.status, saved.heading]).toEqual([200, 'Name und Sprache']);
    expect(saved.find('select[name="gender"] option[selected]')?.getAttribute('value')).toBe('female');
  });
});
