import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import type { PolicyKind, Settings } from '../../src/org/policy/policy-kind.js';
import type { Arrival } from '../support/browser.js';
import { EDITOR, PASSWORD, type TestOrg, type TestPerson, uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { personRow } from './invited.js';
import { begin, beginPassword, errorsOf, pageOf } from './turns.js';

const NEW = 'Another-Horse-8';

let world: World;
let web1: RelyingParty;
let org: TestOrg;
/** Asks for the organization. */
let scope: string;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
  org = await world.add.org();
  scope = `openid urn:service:iam:org:id:${org.id}`;
});

async function set<Kind extends PolicyKind>(
  kind: Kind,
  settings: Partial<Settings<Kind>>,
  ownerId = org.id,
): Promise<void> {
  await world.transaction((tx) => world.get(PolicyService).set(tx, kind, ownerId, settings, EDITOR));
}

async function signInAs(loginName: string, password = PASSWORD, over = {}): Promise<Arrival> {
  const client = web1.elsewhere();
  return client.browser.submit(await beginPassword(client, loginName, over), { password });
}

describe('An unknown name', () => {
  it('leads to the password like any other, unless an administrator chose to show it on the page', async () => {
    const { loginName } = await world.add.person({ orgId: org.id });
    expect((await beginPassword(web1, 'nobody', { scope })).heading).toBe('Enter your password');
    await set('login', { ignoreUnknownUsernames: false });
    const told = pageOf(await web1.browser.submit(await begin(web1, { scope }), { loginName: 'nobody' }));
    expect([told.status, errorsOf(told), told.forms[0]!.fields['loginName']]).toEqual([
      400,
      ['We do not know this login name.'],
      'nobody',
    ]);
    expect(pageOf(await web1.browser.submit(told, { loginName })).heading).toBe('Enter your password');
    expect((await beginPassword(web1.elsewhere(), 'nobody')).heading).toBe('Enter your password'); // that organization was not requested
  });

  it('is not revealed if the organization of its domain wants that, regardless of the organization of the sign-in', async () => {
    const { loginName } = await world.add.person({ orgId: org.id });
    await set('login', { ignoreUnknownUsernames: false }, world.firstStart.orgId);
    await set('login', { ignoreUnknownUsernames: true });
    try {
      for (const name of [loginName, `nobody@${org.domain}`])
        expect((await beginPassword(web1.elsewhere(), name)).heading).toBe('Enter your password');
      expect((await beginPassword(web1.elsewhere(), 'nobody')).status).toBe(400);
    } finally {
      await set('login', { ignoreUnknownUsernames: true }, world.firstStart.orgId);
    }
  });

  it('is not asked about without end', async () => {
    await set('login', { ignoreUnknownUsernames: false });
    const limited = await startWorld({ replicaOf: world, loginLimits: 'on' });
    try {
      web1.browser.at = limited;
      const page = await begin(web1, { scope });
      const statuses: number[] = [];
      for (let n = 0; n < 101; n += 1)
        statuses.push((await web1.browser.submitOnce(page, { loginName: `nobody-${n}` })).status);
      expect([new Set(statuses.slice(0, 100)), statuses[100]]).toEqual([new Set([400]), 429]);
    } finally {
      await limited.close();
    }
  });
});

describe('Signing in by an address or a number', () => {
  const contactOf = (person: TestPerson): string => person.email.toUpperCase();

  it('means the person of the organization that owns the domain, whomever another one has given the same address', async () => {
    const email = `${uniqueName('mail')}@${org.domain}`;
    const person = await world.add.person({ orgId: org.id, email, password: NEW });
    for (let n = 0; n < 3; n += 1) await world.add.person({ orgId: (await world.add.org()).id, email });
    expect((await signInAs(email, NEW)).redirect).toBeDefined();
    expect((await signInAs(email, PASSWORD)).redirect).toBeUndefined();
    expect(person.userName).not.toBe(email);
  });

  it('works with a proven e-mail address or phone number, however it is written', async () => {
    const person = await world.add.person({ orgId: org.id, phone: '+49 30 1234567', phoneVerified: true });
    expect((await signInAs(contactOf(person))).redirect).toBeDefined();
    expect((await signInAs('+49 (30) 123-4567')).redirect).toBeDefined();
    expect((await signInAs(contactOf(person), PASSWORD, { scope })).redirect).toBeDefined();
    expect((await signInAs(contactOf(person), 'Wrong-Password-1')).redirect).toBeUndefined();
  });

  it('works with none that is not proven', async () => {
    const person = await world.add.person({ orgId: org.id, emailVerified: false, phone: '+49301111111' });
    expect(errorsOf(pageOf(await signInAs(person.email)))).toEqual(['The login name or the password is not correct.']);
    expect(errorsOf(pageOf(await signInAs('+49301111111')))).toHaveLength(1);
  });

  it('means the first who had it, until the application names the organization of another', async () => {
    const email = `${uniqueName('shared')}@mail.test`;
    const other = await world.add.org();
    await world.add.person({ orgId: other.id, email, password: NEW });
    world.clock.advance('1s');
    await world.add.person({ orgId: org.id, email });
    expect((await signInAs(email)).redirect).toBeUndefined();
    expect((await signInAs(email, NEW)).redirect).toBeDefined();
    expect((await signInAs(email, PASSWORD, { scope })).redirect).toBeDefined();
  });

  it('is a name first: it signs in the user of that name, and no other', async () => {
    const email = `${uniqueName('namesake')}@mail.test`;
    const other = await world.add.org();
    await world.add.person({ orgId: other.id, userName: email, email: `other-${email}`, password: NEW });
    const owner = await world.add.person({ orgId: org.id, email });
    expect((await signInAs(owner.email, PASSWORD)).redirect).toBeUndefined();
    expect((await signInAs(owner.email, NEW)).redirect).toBeDefined();
    expect((await signInAs(owner.loginName)).redirect).toBeDefined();
  });

  it("works with neither where the policy of the person's organization does not let it", async () => {
    const person = await world.add.person({ orgId: org.id, phone: '+49302222222', phoneVerified: true });
    await set('login', { disableLoginWithEmail: true });
    expect((await signInAs(person.email)).redirect).toBeUndefined();
    expect((await signInAs('+49302222222')).redirect).toBeDefined();
    await set('login', { disableLoginWithEmail: false, disableLoginWithPhone: true });
    expect((await signInAs(person.email)).redirect).toBeDefined();
    expect((await signInAs('+49302222222')).redirect).toBeUndefined();
  });

  it('finds a signed-in user by a hint of the application', async () => {
    const person = await world.add.person({ orgId: org.id });
    await web1.signIn(person);
    expect(web1.toAnswer(await web1.authorize({ login_hint: person.email, prompt: 'none' })).code).toBeDefined();
  });
});

describe('A name at the domain of an organization', () => {
  it('shows its terms and its look, whether or not that name exists', async () => {
    const person = await world.add.person({ orgId: org.id });
    await set('login', { hidePasswordReset: true });
    for (const name of [person.loginName, `nobody@${org.domain.toUpperCase()}`]) {
      const page = await beginPassword(web1.elsewhere(), name);
      expect([page.title, page.text.includes('Forgot your password?')]).toEqual([
        `Enter your password · ${org.domain}`,
        false,
      ]);
    }
    expect((await beginPassword(web1.elsewhere(), person.userName)).title).toBe('Enter your password · Acme');
  });

  it('changes nothing if discovery is switched off, or the application has chosen another organization', async () => {
    const { defaultOrgId } = (
      await world.rows<{ defaultOrgId: string }>('SELECT default_org_id AS "defaultOrgId" FROM instance')
    )[0]!;
    const other = await world.add.org();
    const chosen = await beginPassword(web1, `nobody@${org.domain}`, {
      scope: `openid urn:service:iam:org:id:${other.id}`,
    });
    expect(chosen.title).toBe(`Enter your password · ${other.domain}`);
    await set('login', { allowDomainDiscovery: false }, defaultOrgId);
    expect((await beginPassword(web1.elsewhere(), `nobody@${org.domain}`)).title).toBe('Enter your password · Acme');
    await set('login', { allowDomainDiscovery: true }, defaultOrgId);
  });
});

describe('Names within an organization', () => {
  it('stand before its domain on the first page, where the application has chosen it and the label does not hide it', async () => {
    expect((await begin(web1, { scope })).find('.suffix')).toBeNull();
    await set('domain', { userLoginMustBeDomain: true });
    const person = await world.add.person({ orgId: org.id });
    const page = await begin(web1, { scope });
    expect(page.find('.suffix')?.text.trim()).toBe(`@${org.domain}`);
    expect(page.find('#loginName')?.getAttribute('aria-describedby')?.split(' ')).toContain('loginName-suffix');
    expect((await signInAs(person.userName, PASSWORD, { scope })).redirect).toBeDefined();
    expect((await begin(web1)).find('.suffix')).toBeNull();
    await set('label', { hideLoginNameSuffix: true });
    expect((await begin(web1, { scope })).find('.suffix')).toBeNull();
  });
});

describe('A password that ages', () => {
  it('is announced in time, and the user continues', async () => {
    const person = await world.add.person({ orgId: org.id });
    await set('passwordAge', { maxAgeDays: 30, expireWarnDays: 7 });
    world.clock.advance('22d');
    expect((await signInAs(person.loginName)).redirect).toBeDefined();
    world.clock.advance('2d');
    const page = pageOf(await web1.browser.submit(await beginPassword(web1, person.loginName), { password: PASSWORD }));
    expect([page.status, page.title]).toEqual([200, `Your password expires soon · ${org.domain}`]);
    const expiresAt = new Date(
      ((await personRow(world, person.id))['password_changed_at'] as Date).getTime() + 30 * 86_400_000,
    );
    expect(page.text).toContain(
      new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(expiresAt),
    );
    expect(pageOf(await web1.browser.submit(page, { decision: 'other' })).status).toBe(400);
    expect(web1.toAnswer(await web1.browser.submit(page, { decision: 'later' })).code).toBeDefined();
    expect(web1.toAnswer(await web1.authorize()).code).toBeDefined(); // shown once, at the sign-in
    world.clock.set();
  });

  it('is changed at once by users who want to', async () => {
    const person = await world.add.person({ orgId: org.id });
    await set('passwordAge', { maxAgeDays: 30, expireWarnDays: 29 });
    world.clock.advance('2d');
    const page = pageOf(await web1.browser.submit(await beginPassword(web1, person.loginName), { password: PASSWORD }));
    const change = pageOf(await web1.browser.submit(page, { decision: 'change' }));
    expect(change.heading).toBe('Choose a new password');
    expect(
      web1.toAnswer(
        await web1.browser.submit(change, { oldPassword: PASSWORD, newPassword: NEW, newPasswordRepeat: NEW }),
      ).code,
    ).toBeDefined();
    expect((await signInAs(person.loginName, NEW)).redirect).toBeDefined();
    world.clock.set();
  });

  it('must be changed once it is too old, and the page says why', async () => {
    const person = await world.add.person({ orgId: org.id });
    await set('passwordAge', { maxAgeDays: 30, expireWarnDays: 7 });
    await set('login', { mfaInitSkipLifetimeSeconds: 0 });
    world.clock.advance('30d');
    const page = pageOf(await web1.browser.submit(await beginPassword(web1, person.loginName), { password: PASSWORD }));
    expect([page.heading, page.text]).toEqual([
      'Choose a new password',
      expect.stringContaining('Your password has expired.'),
    ]);
    expect(
      web1.toAnswer(
        await web1.browser.submit(page, { oldPassword: PASSWORD, newPassword: NEW, newPasswordRepeat: NEW }),
      ).code,
    ).toBeDefined();
    world.clock.set();
  });
});

describe('Links of an organization', () => {
  it('are on its own pages only, in the language of the reader', async () => {
    await set('privacy', {
      tosLink: 'https://acme.test/{{.Lang}}/tos',
      privacyLink: 'https://acme.test/privacy',
      helpLink: 'https://acme.test/help',
      docsLink: 'https://acme.test/docs',
      customLink: 'https://acme.test/{{.Lang}}/status',
      customLinkText: 'All is <b>well</b>',
      supportEmail: 'help@acme.test',
    });
    const linksOf = async (over = {}): Promise<Array<string | undefined>> =>
      (await begin(web1.elsewhere(), over))
        .all('.foot-links a')
        .map((link) => `${link.text.trim()} ${link.getAttribute('href')}`);
    expect(await linksOf({ scope })).toEqual([
      'Terms of service https://acme.test/en/tos',
      'Privacy policy https://acme.test/privacy',
      'Help https://acme.test/help',
      'Documentation https://acme.test/docs',
      'All is <b>well</b> https://acme.test/en/status',
      'Support mailto:help@acme.test',
    ]);
    expect((await linksOf({ scope, ui_locales: 'de' }))[0]).toBe('Nutzungsbedingungen https://acme.test/de/tos');
    expect(await linksOf()).toEqual([]);
  });

  it('that lead nowhere good are left out, however they came to be stored [LOG-021]', async () => {
    await set('privacy', { helpLink: 'https://acme.test/help' });
    for (const bad of ['javascript:x()', 'data:text/html,x', '//evil.test', '\\\\evil.test', 'https:evil.test']) {
      await world.rows(
        'UPDATE privacy_policy SET tos_link = $1, docs_link = $1, custom_link = $1, support_email = $2 WHERE owner_id = $3',
        [bad, 'a@b.test?bcc=x@evil.test', org.id],
      );
      await set('privacy', { helpLink: `https://acme.test/${bad.length}` }); // so that memory hears of it
      const page = await begin(web1.elsewhere(), { scope });
      expect(page.all('.foot-links a')).toHaveLength(1);
      expect(page.reply.text).not.toContain('evil.test');
    }
  });
});

describe('A sign-in without an application', () => {
  it('goes to where their own organization sends people', async () => {
    const person = await world.add.person({ orgId: org.id });
    await set('login', { defaultRedirectUri: 'https://portal.test/' });
    expect((await web1.browser.get(`${paths.hub}?orgID=${org.id}`)).redirect).toBe('https://portal.test/');
    expect(pageOf(await web1.browser.get(`${paths.hub}?orgID=unknown`)).heading).toBe('You are not signed in');
    await web1.signIn(person);
    expect((await web1.browser.get(paths.hub)).redirect).toBe('https://portal.test/');
  });
});
