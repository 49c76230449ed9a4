import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { OrgService } from '../../src/org/org.service.js';
import { Authenticator, FLAGS } from '../support/authenticator.js';
import { EDITOR, PASSWORD, type TestPerson } from '../support/builders.js';
import { send } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';
import { proofOf, setPolicy, withApp } from './factor-turns.js';
import { openSessionsOf } from './open-sessions.js';
import { answer, ORIGIN, optionsOf, withKey } from './passkey-turns.js';
import { begin, beginPassword, errorsOf, expectRefused, pageOf, setState } from './turns.js';

const COOKIE = '__Host-gatehouse';
const UNUSABLE = 'This passkey cannot be used here. Sign in another way.';

let world: World;
let web1: RelyingParty;
let orgId: string;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN });
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
  orgId = (await world.add.org()).id;
  person = await world.add.person({ orgId });
});

describe('A passkey', () => {
  it('signs in from the first page, where nobody is named, and counts as both factors', async () => {
    const device = await withKey(world, person);
    const page = await begin(web1);
    expect(JSON.parse(optionsOf(page))).toMatchObject({ allowCredentials: [], userVerification: 'required' });
    expect(page.find('#loginName')?.getAttribute('autocomplete')).toBe('username webauthn');
    const arrival = await answer(web1, page, device);
    expect(await proofOf(web1, arrival)).toMatchObject({ amr: ['user', 'mfa'] });
    expect(await openSessionsOf(world, person)).toHaveLength(1);
  });

  it('signs in from the page of the password, whosever name was typed', async () => {
    const device = await withKey(world, person);
    const page = await beginPassword(web1, 'somebody.else');
    expect(page.find('#password')?.getAttribute('autocomplete')).toBe('current-password webauthn');
    expect(web1.toAnswer(await answer(web1, page, device)).code).toBeDefined();
  });

  it('is asked for again by name after its time, and gives way to the password', async () => {
    const device = await withKey(world, person);
    web1.toAnswer(await answer(web1, await begin(web1), device));
    world.clock.advance('13h');
    const page = await begin(web1);
    expect([page.heading, page.text]).toEqual(['Use your passkey', expect.stringContaining(person.loginName)]);
    expect(JSON.parse(optionsOf(page))).toMatchObject({ allowCredentials: [{ id: device.credentialId }] });
    expect(page.find('noscript')?.text).toContain('JavaScript');
    const password = pageOf(await web1.browser.submit(page, { decision: 'password' }));
    expect(password.heading).toBe('Enter your password');
    expect(web1.toAnswer(await answer(web1, page, device)).code).toBeDefined();
  });

  it('needs no handle on a page that names its owner', async () => {
    const device = await withKey(world, person);
    web1.toAnswer(await answer(web1, await begin(web1), device));
    world.clock.advance('13h');
    const arrival = await answer(web1, await begin(web1), device, { userHandle: undefined });
    expect(web1.toAnswer(arrival).code).toBeDefined();
  });

  it('is asked for whatever name is typed where passwords are not allowed', async () => {
    await setPolicy(world, orgId, { allowUsernamePassword: false });
    const device = await withKey(world, person);
    const over = { scope: `openid urn:service:iam:org:id:${orgId}` };
    for (const name of [person.loginName, 'nobody']) {
      const page = await beginPassword(web1.elsewhere(), name, over).catch((error: unknown) => error);
      expect(page).toMatchObject({ heading: 'Use your passkey' });
    }
    const page = await beginPassword(web1, person.loginName, over);
    expect(web1.toAnswer(await answer(web1, page, device)).code).toBeDefined();
  });

  it('is one factor of two where the policy says so [PKY-018]', async () => {
    await setPolicy(world, orgId, { forceMfa: true, multiFactors: [] });
    const device = await withKey(world, person);
    const app = await withApp(world, person);
    const page = pageOf(await answer(web1, await begin(web1), device));
    expect(page.heading).toBe('Enter your code');
    const arrival = await web1.browser.submit(page, { code: app.code() });
    expect(await proofOf(web1, arrival)).toMatchObject({ amr: ['user', 'otp', 'mfa'] });
  });

  it('takes no more statements than a password', async () => {
    const device = await withKey(world, person);
    const other = await world.add.person({ orgId });
    const [first, second] = [await begin(web1), web1.elsewhere()];
    const password = await beginPassword(second, other.loginName);
    const byPassword = await statementsDuring(() => second.browser.submitOnce(password, { password: PASSWORD }));
    const credential = device.get(optionsOf(first));
    const byPasskey = await statementsDuring(() => web1.browser.submitOnce(first, { credential }));
    expect(byPasskey.length).toBeLessThanOrEqual(byPassword.length);
    expect(await openSessionsOf(world, person)).toHaveLength(1);
  });
});

describe('The answer of a passkey', () => {
  it('signs in once, one after the other and 20 at once [PKY-001]', async () => {
    const device = await withKey(world, person);
    const page = await begin(web1);
    const credential = device.get(optionsOf(page));
    const copies = Array.from({ length: 20 }, () => web1.browser.copy());
    const replies = await Promise.all(copies.map((browser) => browser.submitOnce(page, { credential })));
    expect(new Set(copies.map(({ cookies }) => cookies.get(COOKIE))).size).toBe(1);
    expect(await openSessionsOf(world, person)).toHaveLength(1);
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 303));
    expect(await world.rows('SELECT 1 FROM auth_request WHERE user_id = $1', [person.id])).toHaveLength(1);
    world.clock.advance('11s');
    expectRefused(await web1.browser.copy().submitOnce(page, { credential }), 403);
    expect(await openSessionsOf(world, person)).toHaveLength(1);
  });

  it('sent twice gives both answers the same cookie value, and no other browser any [PKY-025]', async () => {
    const device = await withKey(world, person);
    const page = await begin(web1);
    const credential = device.get(optionsOf(page));
    const late = web1.browser.copy();
    const planted = web1.browser.copy();
    const first = await web1.browser.submitOnce(page, { credential });
    const second = await late.submitOnce(page, { credential });
    expect([first.status, second.status]).toEqual([303, 303]);
    expect(late.cookies.get(COOKIE)).toBe(web1.browser.cookies.get(COOKIE));
    expectRefused(await planted.submitOnce(page, { credential: new Authenticator(ORIGIN).get(optionsOf(page)) }), 404);
    expect(planted.cookies.get(COOKIE)).not.toBe(late.cookies.get(COOKIE));
  });

  it('is refused in another browser, for another request, and after an hour [PKY-002]', async () => {
    const device = await withKey(world, person);
    const [page, other] = [await begin(web1), await begin(web1)];
    const elsewhere = web1.elsewhere();
    const foreign = await begin(elsewhere);
    const credential = device.get(optionsOf(page));
    for (const [client, at] of [
      [web1, other],
      [elsewhere, foreign],
    ] as const)
      expect(errorsOf(pageOf(await client.browser.submit(at, { credential })))).toEqual([UNUSABLE]);
    world.clock.advance('61m');
    expectRefused(await web1.browser.submitOnce(page, { credential }), 410);
    expect(await openSessionsOf(world, person)).toEqual([]);
  });

  it.each([
    [
      'without verifying the user',
      { flags: FLAGS.present | FLAGS.backupEligible },
      'Your device did not check that it is you. Set a screen lock, or sign in another way.',
    ],
    ['without presence', { flags: FLAGS.verified | FLAGS.backupEligible }, UNUSABLE],
    ['with a signature of zeros', { signature: Buffer.alloc(70) }, UNUSABLE],
    ['with the handle of another user', { userHandle: 'AAAA' }, UNUSABLE],
    ['without a handle', { userHandle: undefined }, UNUSABLE],
    ['from a sub-domain', { origin: 'https://evil.id.test' }, UNUSABLE],
  ])('is refused %s, with 400 and no session [PKY-005, PKY-006, PKY-007]', async (_, over, words) => {
    const device = await withKey(world, person);
    const page = pageOf(await answer(web1, await begin(web1), device, over));
    expect([page.status, errorsOf(page)]).toEqual([400, [words]]);
    expect(await openSessionsOf(world, person)).toEqual([]);
    expect(
      await world.rows("SELECT 1 FROM event WHERE type = 'session.signed_in' AND editor_id = $1", [person.id]),
    ).toEqual([]);
  });

  it.each(['', '{', '[]', 'null', '"x"', '{"id":"AA"}', 'x'.repeat(20_000)])(
    'may be anything: %#',
    async (credential) => {
      const page = pageOf(await web1.browser.submit(await begin(web1), { credential }));
      expect(page.status).toBe(400);
    },
  );

  it('of a key that was removed lets the browser forget it', async () => {
    const device = await withKey(world, person);
    await world.rows('DELETE FROM auth_factor WHERE user_id = $1', [person.id]);
    const page = pageOf(await answer(web1, await begin(web1), device));
    expect(errorsOf(page)).toEqual([
      'We do not know this passkey any more. Remove it from your device, or sign in another way.',
    ]);
    expect(page.find('form[data-passkey]')?.getAttribute('data-unknown')).toBe(device.credentialId);
  });

  it('whose counter goes back is refused and journaled [PKY-012]', async () => {
    const device = await withKey(world, person, 'passkey', new Authenticator(ORIGIN, 0x05));
    web1.toAnswer(await answer(web1, await begin(web1), device, { counter: 9 }));
    const elsewhere = web1.elsewhere();
    const page = pageOf(await answer(elsewhere, await begin(elsewhere), device, { counter: 9 }));
    expect(errorsOf(page)).toEqual([UNUSABLE]);
    expect(await openSessionsOf(world, person)).toHaveLength(1);
    const type = 'user.human.passwordless.token.signcount.refused';
    expect(
      await world.rows('SELECT 1 FROM event WHERE type = $1 AND aggregate_id = $2', [type, person.id]),
    ).toHaveLength(1);
  });
});

describe('A passkey that may not be used', () => {
  it.each<[string, () => Promise<void>]>([
    ['by the policy of its owner', () => setPolicy(world, orgId, { passwordlessType: 'not_allowed' })],
    ['because the account is locked', () => setState(world, person, 'locked')],
    ['because the account is deactivated', () => setState(world, person, 'inactive')],
    [
      'because the organization is inactive',
      () =>
        world.transaction(async (tx) => void (await world.get(OrgService).changeState(tx, orgId, 'inactive', EDITOR))),
    ],
    [
      'because the account is not set up',
      async () => void (await world.rows("UPDATE user_account SET state = 'initial' WHERE id = $1", [person.id])),
    ],
  ])('gets one page %s, and no session [PKY-014]', async (_, prepare) => {
    const device = await withKey(world, person);
    await prepare();
    const page = pageOf(await answer(web1, await begin(web1), device));
    expect([page.status, page.heading, errorsOf(page)]).toEqual([400, 'Error: Sign in', [UNUSABLE]]);
    // The browser would delete a passkey that works again tomorrow.
    expect(page.find('form[data-passkey]')?.getAttribute('data-unknown')).toBeUndefined();
    expect(await openSessionsOf(world, person)).toEqual([]);
  });

  it('answers for nobody but the user and the organization of the request [PKY-015]', async () => {
    const device = await withKey(world, person);
    const { id: otherOrg } = await world.add.org();
    const page = await begin(web1, { scope: `openid urn:service:iam:org:id:${otherOrg}` });
    expect(errorsOf(pageOf(await answer(web1, page, device)))).toEqual([UNUSABLE]);
    const hinted = await world.add.person({ orgId });
    const tokens = (await web1.redeem((await web1.signIn(hinted)).code!)).json<{ id_token: string }>();
    world.clock.advance('1s');
    const again = await begin(web1, { id_token_hint: tokens.id_token, prompt: 'login' });
    expect(errorsOf(pageOf(await answer(web1, again, device)))).toEqual([UNUSABLE]);
    expect(await openSessionsOf(world, person)).toEqual([]);
  });
});

describe('Where passkeys are not allowed', () => {
  it('no page asks for one', async () => {
    await setPolicy(world, orgId, { passwordlessType: 'not_allowed' });
    const page = await begin(web1, { scope: `openid urn:service:iam:org:id:${orgId}` });
    expect(page.find('form[data-passkey]')).toBeNull();
    expect(page.all('script').map((each) => each.getAttribute('src')?.replace(/\?.*/, ''))).toEqual([paths.script]);
  });
});

describe('Password managers', () => {
  it('find where passkeys are made and managed, from any origin', async () => {
    const reply = await send(world.origin, {
      path: '/.well-known/passkey-endpoints',
      headers: { Origin: 'https://manager.test' },
    });
    const url = `${ORIGIN}${paths.accountKeys}`;
    expect([reply.status, reply.json()]).toEqual([200, { enroll: url, manage: url }]);
    expect(reply.header('content-type')).toMatch(/^application\/json/);
    expect(reply.header('access-control-allow-origin')).toBe('*');
    expect(reply.header('cache-control')).toBe('public, max-age=300');
  });
});
