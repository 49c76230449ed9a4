import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { Browser, type Page } from '../support/browser.js';
import type { TestClient, TestPerson } from '../support/builders.js';
import { type Codes, Device, outcomeOf } from '../support/device.js';
import type { Headers } from '../support/http.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { errorsOf, expectRefused, pageOf } from './turns.js';

const CONFIRMATION = 'Sign in to Television on another device?';

let world: World;
let alice: TestPerson;
let tv: TestClient;
let device: Device;

beforeAll(async () => {
  world = await startWorld({ loginLimits: 'on', env: { TRUSTED_PROXIES: '127.0.0.1' } });
  alice = await world.cast.alice;
  tv = await television();
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.advance('2m');
  device = new Device(world, tv);
});

async function television(settings: Partial<ClientSettings> = {}): Promise<TestClient> {
  return world.add.client({
    projectId: await world.cast.projectP,
    name: 'Television',
    authMethod: 'none',
    clientType: 'native',
    grantTypes: ['device_code', 'refresh_token'],
    redirectUris: [],
    ...settings,
  });
}

/** What the device learns; asked after its interval. */
async function outcome(codes: Codes): Promise<string> {
  return outcomeOf(await device.pollLater(codes));
}

/** Signs in at another application, in this device's browser. */
async function signIn(person: TestPerson): Promise<void> {
  await new RelyingParty(world, await world.cast.web1, device.browser).signIn(person);
}

describe('The page for the code of a device', () => {
  it.each([
    ['in lower case without the dash', (code: string) => code.replace('-', '').toLowerCase()],
    ['with a blank', (code: string) => code.replace('-', ' ').toLowerCase()],
    ['as it is shown', (code: string) => code],
  ])('takes the code %s [DEV-011]', async (_, typed) => {
    const codes = await device.start();
    const { page } = await device.browser.get(codes.verification_uri);
    expect([page?.status, page?.heading]).toEqual([200, 'Connect a device']);
    const next = pageOf(await device.browser.submit(page!, { user_code: typed(codes.user_code) }));
    expect([next.status, next.find('input[name="loginName"]') !== null]).toEqual([200, true]);
  });

  it('shows the code of the link, and approves nothing by being opened, though the user is signed in [DEV-007, DEV-015]', async () => {
    await signIn(alice);
    const codes = await device.start({ scope: 'openid email' });
    const page = pageOf(await device.browser.get(codes.verification_uri_complete));
    expect(page.formWith('user_code').fields['user_code']).toBe(codes.user_code);
    expect(page.text).toContain('Compare the code with the one on your device.');
    expect(page.reply.header('referrer-policy')).toBe('no-referrer'); // its own address has the code
    const confirmation = pageOf(await device.browser.submit(page, {}));
    expect([confirmation.status, confirmation.heading]).toEqual([200, CONFIRMATION]);
    expect(confirmation.path).not.toContain(codes.user_code);
    expect(await outcome(codes)).toBe('authorization_pending');
  });

  it('keeps the language that was chosen on it', async () => {
    const codes = await device.start();
    const page = pageOf(await device.browser.get(`${codes.verification_uri_complete}&ui_locales=de`));
    expect([page.heading, page.formWith('user_code').fields['user_code']]).toEqual([
      'Gerät verbinden',
      codes.user_code,
    ]);
    const next = pageOf(await device.browser.submit(page, {}));
    expect(next.find('html')?.getAttribute('lang')).toBe('de');
  });

  it('says the same of a code that was never made, that has expired, and that was used', async () => {
    const used = await device.start();
    await device.approve(used, alice);
    const expired = await device.start();
    world.clock.advance('601s');
    const typed = [used.user_code, expired.user_code, 'BBBB-BBBB', 'no code', '0'];
    for (const code of typed) {
      const page = pageOf(await new Device(world, tv).type(code));
      expect([page.status, errorsOf(page)]).toEqual([400, ['This code is not correct, or it does not work any more.']]);
    }
    const empty = pageOf(await new Device(world, tv).type(''));
    expect([empty.status, errorsOf(empty)]).toEqual([400, ['Enter the code.']]);
  });

  it('counts ten wrong codes a minute from one network, and then takes none, not even the right one [DEV-010]', async () => {
    const codes = await device.start();
    const from = (address: string): Device => {
      const own = new Device(world, tv);
      own.browser.headers = { 'X-Forwarded-For': address };
      return own;
    };
    for (let n = 0; n < 10; n += 1) {
      const page = pageOf(await from(`2001:db8:1:2::${n}`).type('BBBB-BBBB'));
      expect(page.status).toBe(400);
    }
    for (const code of ['BBBB-BBBB', codes.user_code]) {
      const page = pageOf(await from('2001:db8:1:2::ff').type(code));
      expect([page.status, Number(page.reply.header('retry-after'))]).toEqual([429, 60]);
    }
    expect(pageOf(await from('2001:db8:1:3::1').type(codes.user_code)).status).toBe(200);
    world.clock.advance('60s');
    expect(pageOf(await from('2001:db8:1:2::1').type(codes.user_code)).status).toBe(200);
  });

  it('counts the codes of one browser, wherever it is', async () => {
    const pages: Page[] = [];
    for (let n = 0; n < 11; n += 1) {
      device.browser.headers = { 'X-Forwarded-For': `203.0.113.${n}` };
      pages.push(pageOf(await device.type('BBBB-BBBB')));
    }
    expect(pages.map(({ status }) => status)).toEqual([...Array<number>(10).fill(400), 429]);
  });

  it('takes no form without its cookie, or without its token', async () => {
    const codes = await device.start();
    const page = pageOf(await device.browser.get(paths.device));
    const form = { ...page.formWith('user_code').fields, user_code: codes.user_code };
    expectRefused(await new Browser(world).request('POST', paths.device, form), 403);
    const { csrf } = pageOf(await new Browser(world).get(paths.device)).formWith('user_code').fields;
    expectRefused(await device.browser.request('POST', paths.device, { ...form, csrf }), 403);
    expectRefused(await device.browser.request('PUT', paths.device, form), 405);
  });
});

describe('The confirmation', () => {
  it('says which application of whom asks for what, when and from where, and what a stranger could do', async () => {
    device.browser.headers = {};
    const codes = await device.start({ scope: 'openid email' });
    world.clock.advance('2m');
    const page = await device.toConfirmation(codes, alice);
    expect(page.heading).toBe(CONFIRMATION);
    for (const text of [
      codes.user_code,
      'orga.test',
      '2 minutes ago',
      '127.0.0.1',
      'see your e-mail address',
      'Alice Liddell',
      'If somebody sent you the code, do not continue: that person would use Television in your name.',
    ])
      expect(page.text).toContain(text);
    expect(page.path).not.toContain(codes.user_code);
    expect(page.reply.header('referrer-policy')).toBe('no-referrer');
    expect(page.reply.header('content-security-policy')).toContain("form-action 'self';");
  });

  it.each([
    ['with', true],
    ['without', false],
  ] as const)(
    'is asked for again each time, of an application %s a consent page [DEV-014]',
    async (way, consentPage) => {
      device = new Device(world, await television({ name: `Player ${way}`, consentPage }));
      await signIn(alice);
      for (let times = 0; times < 3; times += 1) {
        const codes = await device.start();
        const page = pageOf(await device.type(codes.user_code));
        expect(page.heading).toBe(`Sign in to Player ${way} on another device?`);
        expect(await outcome(codes)).toBe('authorization_pending');
        expect((await device.decide(page, 'continue')).heading).toBe('The device is signed in');
        expect(await outcome(codes)).toBe('ok');
      }
    },
  );

  it('counts only from the page of this browser, and with its token [DEV-008]', async () => {
    const codes = await device.start();
    const page = await device.toConfirmation(codes, alice);
    const form = { ...page.formWith('decision').fields, decision: 'continue' };
    expectRefused(await new Browser(world).request('POST', paths.deviceConfirm, form), 403);
    const thief = new Device(world, tv);
    await thief.toConfirmation(await thief.start(), await world.cast.bob);
    expectRefused(await thief.browser.request('POST', paths.deviceConfirm, form), 403);
    expectRefused(await device.browser.request('POST', paths.deviceConfirm, { ...form, csrf: 'x' }), 403);
    const foreign = [
      { Origin: 'https://evil.test' },
      { Origin: world.issuer.replace('://', '://evil.') },
      { Origin: `${world.issuer}.evil.test` },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: world.issuer },
    ];
    for (const headers of foreign)
      for (const sent of [form, { ...form, csrf: undefined }])
        expectRefused(await device.browser.request('POST', paths.deviceConfirm, sent, headers), 403);
    expect(await outcome(codes)).toBe('authorization_pending');
    const undecided = pageOf(await device.browser.submit(page, { decision: 'perhaps' }));
    expect([undecided.status, undecided.heading]).toEqual([400, `Error: ${CONFIRMATION}`]);
    expect(await outcome(codes)).toBe('authorization_pending');
  });

  it.each<[string, Headers]>([
    ['says that the form is of our origin', { Origin: 'OUR-ORIGIN', 'Sec-Fetch-Site': 'same-origin' }],
    ['says nothing but our origin', { Origin: 'OUR-ORIGIN' }],
    ['keeps the origin of a page without referrer to itself', { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }],
    ['reaches us by another name', { Origin: 'https://other-name.test', 'Sec-Fetch-Site': 'same-origin' }],
    ['is told to reload the answer', { Origin: 'null', 'Sec-Fetch-Site': 'none' }],
  ])('counts from a browser that %s [DEV-008]', async (_, said) => {
    const codes = await device.start();
    const page = await device.toConfirmation(codes, alice);
    const form = { ...page.formWith('decision').fields, decision: 'continue' };
    const headers = { ...said, Origin: String(said['Origin']).replace('OUR-ORIGIN', world.issuer) };
    expect((await device.browser.request('POST', paths.deviceConfirm, form, headers)).status).toBe(200);
    expect(await outcome(codes)).toBe('ok');
  });

  it('is not skipped by sending it before signing in', async () => {
    const codes = await device.start();
    const first = pageOf(await device.type(codes.user_code));
    const { authRequestID, csrf } = first.formWith('loginName').fields;
    const page = pageOf(await device.browser.post(paths.deviceConfirm, { authRequestID, csrf, decision: 'continue' }));
    expect(page.find('input[name="loginName"]')).not.toBeNull();
    expect(await outcome(codes)).toBe('authorization_pending');
  });

  it('in twenty browsers at once, over two processes, with a yes or a no, has one answer; the others are told [DEV-009]', async () => {
    const replica = await startWorld({ replicaOf: world });
    const codes = await device.start();
    const people = [alice, await world.cast.bob];
    const asked: Array<{ readonly at: Device; readonly page: Page; readonly decision: 'continue' | 'cancel' }> = [];
    for (let n = 0; n < 20; n += 1) {
      world.clock.advance('7s'); // so that the codes are not too many
      const at = new Device(world, tv, new Browser(world, n % 4 < 2 ? world : replica));
      const page = await at.toConfirmation(codes, people[n % 2]!);
      asked.push({ at, page, decision: n % 2 === 0 ? 'continue' : 'cancel' });
    }
    const answers = await Promise.all(asked.map(async ({ at, page, decision }) => at.decide(page, decision)));
    const winner = answers.findIndex(({ status }) => status === 200);
    const told = answers.map(({ status, heading }) => `${status} ${heading}`);
    expect(told.filter((_, n) => n !== winner)).toEqual(Array(19).fill('410 This code does not work any more'));
    expect(await outcome(codes)).toBe(asked[winner]!.decision === 'continue' ? 'ok' : 'access_denied');
    await replica.close();
  });

  it('may be sent twice by the same user, who sees the same answer', async () => {
    const codes = await device.start();
    const page = await device.toConfirmation(codes, alice);
    const [first, second] = [await device.decide(page, 'continue'), await device.decide(page, 'continue')];
    expect([first.heading, second.heading]).toEqual(['The device is signed in', 'The device is signed in']);
    expect(pageOf(await device.browser.submit(page, { decision: 'cancel' })).status).toBe(410);
    expect(await outcome(codes)).toBe('ok');
  });

  it('is that of the user who presses the button, not of the one who opened the page first [DEV-019]', async () => {
    const bob = await world.cast.bob;
    const codes = await device.start();
    const page = await device.toConfirmation(codes, alice);
    const { authRequestID, csrf } = page.formWith('decision').fields;
    const other = await device.browser.post(paths.loginName, { authRequestID, csrf, loginName: bob.loginName });
    const asked = pageOf(await device.client.enter(other, bob));
    expect([asked.heading, asked.text]).toEqual([CONFIRMATION, expect.stringContaining(bob.loginName)]);
    await device.decide(asked, 'continue');
    const tokens = tokensOf(await device.pollLater(codes));
    expect((await device.client.verify(tokens.id_token)).sub).toBe(bob.id);
  });

  it('is not shown to users whom the project does not admit', async () => {
    const projectId = await world.add.project({ orgId: alice.orgId, hasProjectCheck: true });
    const own = new Device(
      world,
      await world.add.client({ projectId, authMethod: 'none', grantTypes: ['device_code'], redirectUris: [] }),
    );
    const codes = await own.start();
    const carol = await world.cast.carol;
    const page = pageOf(await own.client.enter(await own.type(codes.user_code), carol));
    expect([page.status, page.heading]).toEqual([403, 'This account cannot be used here']);
    expect(page.ways.map(({ to }) => to)).toContain(paths.loginName);
    expect(outcomeOf(await own.poll(codes))).toBe('authorization_pending');
  });

  it('never answers an application, even where the request of a device is sent to its endpoint', async () => {
    const codes = await device.start();
    const page = await device.toConfirmation(codes, alice);
    const id = page.formWith('decision').fields['authRequestID']!;
    const reply = await device.browser.request('GET', `/oauth/v2/authorize/callback?id=${encodeURIComponent(id)}`);
    expect([reply.status >= 400, reply.location]).toEqual([true, undefined]);
    expect(await outcome(codes)).toBe('authorization_pending');
  });
});

describe('A network from which devices ask', () => {
  it('may start 30 of them a minute, no matter who they are', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1) statuses.push((await device.ask()).status);
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
    expect((await device.ask()).header('retry-after')).toBe('60');
    world.clock.advance('60s');
    expect((await device.ask()).status).toBe(200);
  });
});
