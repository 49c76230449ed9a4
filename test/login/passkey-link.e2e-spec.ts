import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { GrpcClient, methodsOf } from '../grpc/grpc-clients.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import { Authenticator } from '../support/authenticator.js';
import type { Browser, Page } from '../support/browser.js';
import { type TestOrg, type TestPerson, uniqueName } from '../support/builders.js';
import { lastMailTo, mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { setLockout, setPolicy, withApp } from './factor-turns.js';
import { linkTo } from './invited.js';
import { answer, ORIGIN, optionsOf, withKey } from './passkey-turns.js';
import { begin, errorsOf, pageOf, setState } from './turns.js';

const WRONG = 'This code is not correct, or it does not work any more.';
const FACTOR = 'To protect your account, confirm your second step.';

let world: World;
let orgA: TestOrg;
let manager: AdminApi;
let sender: AdminApi;
let strangers: AdminApi;
let web1: RelyingParty;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN });
  orgA = await world.cast.orgA;
  manager = (await callerWith(world, orgA, ['ORG_OWNER'])).api;
  sender = (await callerWith(world, orgA, ['ORG_USER_MANAGER'])).api;
  strangers = (await callerWith(world, await world.cast.orgB, ['ORG_OWNER'])).api;
});
afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.console);
  person = await world.add.person({ orgId: orgA.id });
});

const at = ({ id }: Pick<TestPerson, 'id'>, what: string): string => `/management/v1/users/${id}/passwordless/${what}`;
const keysOf = ({ id }: Pick<TestPerson, 'id'>): Promise<object[]> =>
  world.rows("SELECT 1 FROM auth_factor WHERE user_id = $1 AND kind = 'passkey'", [id]);

/** A link that its manager passes on: path and query. */
async function linkFor(user: Pick<TestPerson, 'id'>): Promise<string> {
  const { link } = await manager.call<{ link: string }>('POST', at(user, '_link'));
  const { pathname, search, searchParams } = new URL(link);
  world.plant(`code=${searchParams.get('code')}`);
  return `${pathname}${search}`;
}

const open = async (path: string, browser: Browser = web1.browser): Promise<Page> => pageOf(await browser.get(path));

/** The page that the link opens, sent as it is. */
async function confirmed(path: string, browser: Browser = web1.browser): Promise<Page> {
  return pageOf(await browser.submit(await open(path, browser), {}));
}

const make = async (page: Page, device = new Authenticator(ORIGIN), browser: Browser = web1.browser): Promise<Page> =>
  pageOf(await browser.submit(page, { credential: device.create(optionsOf(page)) }));

describe('A link to add a passkey', () => {
  it('is sent by mail, makes a passkey that signs in, and tells the owner', async () => {
    await sender.call('POST', at(person, '_send_link'));
    const mail = await lastMailTo(world, person.email);
    expect([mail.subject, mail.text]).toEqual([
      'Add a passkey to your account',
      expect.stringMatching(/enter [A-Z\d]{12}\. The code is valid for: 1 hour\./),
    ]);
    const page = await open(await linkTo(world, person.email));
    expect([page.heading, page.forms[0]!.fields['code']]).toEqual(['Add a passkey', expect.stringMatching(/^.{12}$/)]);
    expect(page.text).not.toContain(person.loginName);
    const device = new Authenticator(ORIGIN);
    const press = pageOf(await web1.browser.submit(page, {}));
    expect([press.text, press.find('noscript')?.text]).toEqual([
      expect.stringContaining(person.loginName),
      expect.stringContaining('JavaScript'),
    ]);
    expect((await make(press, device)).heading).toBe('Your passkey is ready');
    const elsewhere = web1.elsewhere();
    expect((await answer(elsewhere, await begin(elsewhere), device)).page?.heading).toBe('Keep your recovery codes');
    const [notice] = await mailsTo(world, person.email);
    expect(notice?.text).toContain('A passkey was added. It can sign in');
  });

  it('works once, although programs that look at mails open it before, and forms are sent and left [PKY-020]', async () => {
    const path = await linkFor(person);
    const before = await world.contents();
    for (let n = 0; n < 25; n += 1) {
      await web1.elsewhere().browser.request('GET', path);
      await web1.elsewhere().browser.request('HEAD', path);
    }
    expect(await world.contents()).toBe(before);
    await confirmed(path);
    const page = await confirmed(path);
    expect((await make(page)).heading).toBe('Your passkey is ready');
    expect(errorsOf(await make(page))).toEqual([WRONG]);
    expect(errorsOf(await confirmed(path))).toEqual([WRONG]);
    expect(await keysOf(person)).toHaveLength(1);
  });

  it('works once for three browsers at once [PKY-020]', async () => {
    const path = await linkFor(person);
    const browsers = [web1.browser, web1.elsewhere().browser, web1.elsewhere().browser];
    const pages: Page[] = [];
    for (const browser of browsers) pages.push(await confirmed(path, browser));
    const made = await Promise.all(
      pages.map((page, n) => make(page, new Authenticator(ORIGIN), browsers[n] ?? web1.browser)),
    );
    expect(made.map(({ heading }) => heading).sort()).toEqual([
      'Error: Add a passkey',
      'Error: Add a passkey',
      'Your passkey is ready',
    ]);
    expect(await keysOf(person)).toHaveLength(1);
  });

  it('keeps its code when the key is refused', async () => {
    const path = await linkFor(person);
    const device = await withKey(world, await world.add.person({ orgId: orgA.id }));
    const refused = await make(await confirmed(path), device);
    expect([refused.status, errorsOf(refused)]).toEqual([400, ['You have a passkey on this device already.']]);
    expect((await make(refused)).heading).toBe('Your passkey is ready');
  });

  it('takes no answer that was made in another browser, or for another user [PKY-002]', async () => {
    const page = await confirmed(await linkFor(person));
    const other = await world.add.person({ orgId: orgA.id });
    const others = await confirmed(await linkFor(other));
    const credential = new Authenticator(ORIGIN).create(optionsOf(others));
    expect(pageOf(await web1.browser.submit(page, { credential })).status).toBe(400);
    const { browser } = web1.elsewhere();
    const elsewhere = await confirmed(await linkFor(person), browser);
    const carried = new Authenticator(ORIGIN).create(optionsOf(page));
    expect(pageOf(await browser.submit(elsewhere, { credential: carried })).status).toBe(400);
    expect(await keysOf(person)).toHaveLength(0);
  });

  it('ends after an hour, with a newer link, with eleven wrong codes, and for another user [PKY-020]', async () => {
    const stale = await linkFor(person);
    const path = await linkFor(person);
    expect(errorsOf(await confirmed(stale))).toEqual([WRONG]);
    const other = await world.add.person({ orgId: orgA.id });
    expect(errorsOf(await confirmed(path.replace(person.id, other.id)))).toEqual([WRONG]);
    expect((await confirmed(path)).find('form[data-passkey]')).not.toBeNull();
    world.clock.advance('61m');
    expect(errorsOf(await confirmed(path))).toEqual([WRONG]);
    const guessed = await linkFor(person);
    const page = await open(guessed);
    for (let n = 0; n < 11; n += 1) await web1.browser.submit(page, { code: 'AAAAAAAAAAAA' });
    expect(errorsOf(await confirmed(guessed))).toEqual([WRONG]);
    expect(await keysOf(person)).toHaveLength(0);
  });

  it('asks the owner of an app for a code of it, so that the mailbox alone adds no key [PKY-021]', async () => {
    const path = await linkFor(person);
    const before = await confirmed(path);
    const app = await withApp(world, person, ['recovery-1']);
    // Its challenge was made before there was anything to confirm.
    const page = await make(before);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(FACTOR)]);
    expect((await confirmed(path)).find('form[data-passkey]')).toBeNull();
    const wrong = pageOf(await web1.browser.submit(page, { factor: app.wrong() }));
    expect([wrong.status, errorsOf(wrong)]).toEqual([400, [WRONG]]);
    expect(await keysOf(person)).toHaveLength(0);
    const press = pageOf(await web1.browser.submit(page, { factor: app.code() }));
    expect((await make(press)).heading).toBe('Your passkey is ready');
  });

  it('takes a recovery code, once, from those who have lost their passkey [PKY-021]', async () => {
    await withApp(world, person, ['recovery-1', 'recovery-2']);
    await withKey(world, person);
    const path = await linkFor(person);
    const press = pageOf(await web1.browser.submit(await confirmed(path), { factor: 'recovery-1' }));
    expect(press.find('form[data-passkey]')).not.toBeNull();
    const again = pageOf(await web1.browser.submit(await confirmed(path), { factor: 'recovery-1' }));
    expect(errorsOf(again)).toEqual([WRONG]);
    expect((await make(press)).heading).toBe('Your passkey is ready');
    expect(await keysOf(person)).toHaveLength(2);
  });

  it('a wrong code of a second step counts towards locking the account [PKY-021]', async () => {
    await setLockout(world, orgA.id, { maxOtpAttempts: 5 });
    await withApp(world, person);
    const page = await confirmed(await linkFor(person));
    await web1.browser.submit(page, { factor: 'nothing' });
    const [row] = await world.rows('SELECT failed_code_checks FROM user_account WHERE id = $1', [person.id]);
    expect(row).toEqual({ failed_code_checks: 1 });
  });

  it('can be typed on another device: address, name and code', async () => {
    const code = new URLSearchParams((await linkFor(person)).split('?')[1]).get('code') ?? '';
    const page = await open(paths.passkeyLink);
    expect(errorsOf(pageOf(await web1.browser.submit(page, {})))).toHaveLength(2);
    const press = pageOf(await web1.browser.submit(page, { loginName: person.loginName, code: code.toLowerCase() }));
    expect((await make(press)).heading).toBe('Your passkey is ready');
  });

  it('looks the same for users who do not exist, and for those who are closed', async () => {
    const path = await linkFor(person);
    const known = await open(path);
    const unknown = await open(path.replace(person.id, '1'));
    expect(unknown.text).toBe(known.text);
    await setState(world, person, 'locked');
    expect(errorsOf(await confirmed(path))).toEqual([WRONG]);
  });
});

describe('The operations of links', () => {
  it('are the same over gRPC, where the link is a field and the refusal has its reason [PKY-022]', async () => {
    const methods = methodsOf('service.management.v1.ManagementService');
    const grpc = new GrpcClient(world.origin);
    const call = (name: string, { token }: AdminApi) =>
      grpc.call(methods[name]!, { userId: person.id }, { authorization: `Bearer ${token}` });
    try {
      const made = await call('AddPasswordlessRegistration', manager);
      expect(made).toMatchObject({ code: 0, answer: { expiration: { seconds: '3600' } } });
      const { pathname, search, searchParams } = new URL(String(made.answer?.['link']));
      world.plant(`code=${searchParams.get('code')}`);
      expect((await make(await confirmed(`${pathname}${search}`))).heading).toBe('Your passkey is ready');
      expect(await call('SendPasswordlessRegistration', sender)).toMatchObject({ code: 0 });
      expect((await lastMailTo(world, person.email)).subject).toBe('Add a passkey to your account');
      expect(await call('AddPasswordlessRegistration', strangers)).toMatchObject({ code: 5, id: 'user.not_found' });
      expect(await call('SendPasswordlessRegistration', strangers)).toMatchObject({ code: 5, id: 'user.not_found' });
    } finally {
      grpc.close();
    }
  });

  it('return a link that works for an hour, and no link where they refuse [PKY-022]', async () => {
    const reply = await manager.call('POST', at(person, '_link'));
    expect(reply).toMatchObject({
      link: expect.stringMatching(
        new RegExp(`^${ORIGIN}${paths.passkeyLink}\\?userID=${person.id}&orgID=.+&code=.{12}$`),
      ),
      expiration: '3600s',
      details: { resourceOwner: orgA.id },
    });
    const strong = await callerWith(world, orgA, ['ORG_OWNER']);
    for (const what of ['_link', '_send_link']) {
      expect(await strangers.verdict('POST', at(person, what))).toBe('404 user.not_found');
      const refused = await sender.ask('POST', at({ id: strong.service.id }, what));
      expect([refused.status, refused.text]).toEqual([403, expect.not.stringContaining('code=')]);
      const { id } = await world.add.service({ orgId: orgA.id });
      expect(await manager.verdict('POST', at({ id }, what))).toBe('400 user.not_person');
    }
  });

  it('send five mails an hour to a user at most', async () => {
    const limited = await startWorld({ replicaOf: world, publicUrl: ORIGIN, loginLimits: 'on' });
    try {
      const api = new AdminApi(limited.origin, sender.token);
      const verdicts: string[] = [];
      for (let count = 0; count < 6; count += 1) verdicts.push(await api.verdict('POST', at(person, '_send_link')));
      expect(verdicts).toEqual([...Array<string>(5).fill('200'), '429 mail.too_many']);
    } finally {
      await limited.close();
    }
  });

  it('are refused where passkeys are not allowed, and to addresses that may be another person’s', async () => {
    const { id: orgId, ...org } = await world.add.org();
    await setPolicy(world, orgId, { passwordlessType: 'not_allowed' });
    const owner = (await callerWith(world, { id: orgId, ...org }, ['ORG_OWNER'])).api;
    const closed = await world.add.person({ orgId });
    expect(await owner.verdict('POST', at(closed, '_link'))).toBe('400 passkey.not_allowed');
    await world.rows('UPDATE user_account SET email_verified = false WHERE id = $1', [person.id]);
    expect(await manager.verdict('POST', at(person, '_send_link'))).toBe('400 user.email_not_verified');
    expect(await manager.verdict('POST', at(person, '_link'))).toBe('200');
  });

  it('come with an imported user who is to have no password, and let the user in', async () => {
    const userName = uniqueName('imported');
    const human = (isEmailVerified: boolean, name: string) => ({
      userName: name,
      profile: { firstName: 'Jonas', lastName: 'Weber' },
      email: { email: `${name}@mail.test`, isEmailVerified },
      requestPasswordlessRegistration: true,
    });
    const { passwordlessRegistration: link } = await manager.call<{ passwordlessRegistration: { link: string } }>(
      'POST',
      '/management/v1/users/human/_import',
      human(true, userName),
    );
    expect(link).toMatchObject({ lifetime: '3600s', expiration: '3600s' });
    const { pathname, search, searchParams } = new URL(link.link);
    world.plant(`code=${searchParams.get('code')}`);
    const device = new Authenticator(ORIGIN);
    expect((await make(await confirmed(`${pathname}${search}`), device)).heading).toBe('Your passkey is ready');
    const elsewhere = web1.elsewhere();
    expect((await answer(elsewhere, await begin(elsewhere), device)).page?.heading).toBe('Keep your recovery codes');
    const unproven = await manager.call(
      'POST',
      '/management/v1/users/human/_import',
      human(false, uniqueName('imported')),
    );
    expect(unproven).not.toHaveProperty('passwordlessRegistration');
  });
});

describe('The operations of links for oneself', () => {
  const SYSTEM = 'openid offline_access urn:service:iam:org:project:id:service:aud';
  const ME = '/auth/v1/users/me/passwordless';

  const tokenOf = async (): Promise<string> => (await web1.tokens(person, { scope: SYSTEM })).access_token;

  it('return a link and send it by mail, over JSON and gRPC [ACC-011]', async () => {
    const token = await tokenOf();
    const own = new AdminApi(world.origin, token);
    await own.call('POST', `${ME}/_send_link`);
    expect((await lastMailTo(world, person.email)).subject).toBe('Add a passkey to your account');
    const methods = methodsOf('service.auth.v1.AuthService');
    const grpc = new GrpcClient(world.origin);
    try {
      const call = (name: string) => grpc.call(methods[name]!, {}, { authorization: `Bearer ${token}` });
      expect(await call('AddMyPasswordlessLink')).toMatchObject({
        code: 0,
        answer: { link: expect.stringContaining(`${ORIGIN}${paths.passkeyLink}?userID=${person.id}`) },
      });
      expect(await call('SendMyPasswordlessLink')).toMatchObject({ code: 0 });
    } finally {
      grpc.close();
    }
    const { link, expiration } = await own.call<{ link: string; expiration: string }>('POST', `${ME}/_link`);
    expect(expiration).toBe('3600s');
    const { pathname, search, searchParams } = new URL(link);
    world.plant(`code=${searchParams.get('code')}`);
    const elsewhere = web1.elsewhere().browser;
    const page = await confirmed(`${pathname}${search}`, elsewhere);
    expect((await make(page, new Authenticator(ORIGIN), elsewhere)).heading).toBe('Your passkey is ready');
  });

  it('need a token from a new sign-in, and an organization that leaves keys to its users [ACC-011]', async () => {
    const own = new AdminApi(world.origin, await tokenOf());
    await world.rows('UPDATE user_account SET email_verified = false WHERE id = $1', [person.id]);
    expect(await own.verdict('POST', `${ME}/_send_link`)).toBe('400 user.email_not_verified');
    world.clock.advance('11m');
    for (const what of ['_link', '_send_link'])
      expect(await own.verdict('POST', `${ME}/${what}`)).toBe('401 token.sign_in_too_old');
    expect(await keysOf(person)).toEqual([]);
  });
});
