import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LoginHub } from '../../src/login/hub/login.hub.js';
import { paths } from '../../src/org/instance/paths.js';
import { PASSWORD, type TestPerson } from '../support/builders.js';
import { type Parameters, type Reply, send, toQuery } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { begin, beginPassword, expectRefused, pageOf } from './turns.js';

const FORM = 'application/x-www-form-urlencoded';

let world: World;
let alice: TestPerson;
let web1: RelyingParty;
/** Every path that takes a form, from the steps themselves. */
let formPaths: string[];

beforeAll(async () => {
  world = await startWorld({ env: { LOG_LEVEL: 'debug' } });
  alice = await world.cast.alice;
  await world.cast.bob;
  formPaths = Object.values(paths).filter((path) => world.get(LoginHub).findStep(path));
});

afterAll(() => world.close());

beforeEach(async () => {
  web1 = new RelyingParty(world, await world.cast.web1);
});

/** A right form for each step, but for its token. */
const fields: Parameters = {
  loginName: 'bob',
  password: PASSWORD,
  userID: '1',
  decision: 'continue',
  oldPassword: PASSWORD,
  newPassword: 'New-Password-123',
  newPasswordRepeat: 'New-Password-123',
  email: 'new@mail.test',
  firstName: 'New',
  lastName: 'Person',
  passwordRepeat: PASSWORD,
};

describe('A form of the login pages', () => {
  it('is known for every step', () => {
    expect(formPaths).toEqual([
      paths.loginName,
      paths.password,
      paths.passkey,
      paths.passkeyOffer,
      paths.passkeyHere,
      paths.passkeySetUp,
      paths.keyName,
      paths.accounts,
      paths.register,
      paths.passwordChange,
      paths.factorOffer,
      paths.totpSetUp,
      paths.emailCodeSetUp,
      paths.recoveryCodes,
      paths.securityKeySetUp,
      paths.securityKey,
      paths.totp,
      paths.emailCode,
      paths.recoveryCode,
      paths.emailCheck,
      paths.passwordExpiry,
      paths.consent,
      paths.deviceConfirm,
      paths.directory,
      paths.externalLogin,
      paths.externalUser,
      paths.linkAccount,
    ]);
  });

  it('is refused without the token of this very browser and request, and changes nothing [LOG-001]', async () => {
    const page = await begin(web1);
    const { authRequestID = '', csrf = '' } = page.forms[0]!.fields;
    const elsewhere = web1.elsewhere();
    const foreign = (await begin(elsewhere)).forms[0]!.fields['csrf']!;
    const sibling = (await begin(web1)).forms[0]!.fields['csrf']!;
    const before = { contents: await world.contents(), cookies: new Map(web1.browser.cookies) };
    const form = { ...fields, authRequestID, csrf };
    const attempts: ReadonlyArray<(path: string) => Promise<Reply>> = [
      ...[undefined, '', 'x', csrf.slice(1), `${csrf}A`, foreign, sibling].map(
        (token) => async (path: string) => web1.browser.request('POST', path, { ...form, csrf: token }),
      ),
      async (path) => web1.browser.request('POST', `${path}?${toQuery({ authRequestID, csrf })}`, fields),
      async (path) => elsewhere.browser.request('POST', path, form),
      async (path) => web1.browser.request('POST', path, form, { Origin: 'https://evil.test' }),
      async (path) => web1.browser.request('POST', path, form, { 'Sec-Fetch-Site': 'same-site' }),
      async (path) => send(world.origin, { method: 'POST', path, body: form }),
    ];
    // Each form is sent in three of the ways, and each way with several forms: one check guards all of them.
    for (const [index, path] of formPaths.entries())
      for (const step of [0, 4, 8]) expectRefused(await attempts[(index + step) % attempts.length]!(path), 403);
    expect(await world.contents()).toBe(before.contents);
    expect(web1.browser.cookies).toEqual(before.cookies);
    expect(world.logText()).toContain('"reason":"login.form_not_ours"');
  });

  it('of an attacker signs no victim in as the attacker [LOG-002]', async () => {
    const attacker = web1.elsewhere();
    const prepared = (await beginPassword(attacker, 'bob')).forms[0]!.fields;
    await begin(web1);
    expectRefused(await web1.browser.request('POST', paths.password, { ...prepared, password: PASSWORD }), 403);
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBe('login_required');
  });

  it.each([
    ['text/plain', (form: string) => form],
    ['application/json', () => JSON.stringify(fields)],
    [
      'multipart/form-data; boundary=b',
      () => '--b\r\nContent-Disposition: form-data; name="loginName"\r\n\r\nbob\r\n--b--\r\n',
    ],
    [`${FORM}; charset=utf-16`, (form: string) => form],
  ])('is refused as %s [LOG-003]', async (type, toBody) => {
    const page = await begin(web1);
    const body = toBody(toQuery({ ...page.forms[0]!.fields, loginName: 'bob' }));
    const cookie = [...web1.browser.cookies].map((pair) => pair.join('=')).join('; ');
    const reply = await send(world.origin, {
      method: 'POST',
      path: paths.loginName,
      headers: { 'Content-Type': type, Cookie: cookie },
      body,
    });
    expectRefused(reply, 400);
  });

  it('is not taken from an address, whose query reaches no log [LOG-003]', async () => {
    const page = await begin(web1);
    const query = toQuery({ ...page.forms[0]!.fields, loginName: 'bob', password: 'Password-in-a-query-1' });
    for (const path of formPaths) {
      const reply = await web1.browser.request('GET', `${path}?${query}`);
      expect(reply.headers['set-cookie']).toBeUndefined();
      expect(reply.text).not.toContain('Password-in-a-query-1');
    }
    expectRefused(await web1.browser.request('GET', `${paths.password}?${query}`), 405);
    expect(world.logText()).not.toContain('Password-in-a-query-1');
  });

  it('is refused with repeated or malformed fields, and in absurd sizes [LOG-053]', async () => {
    const page = await beginPassword(web1, 'alice');
    const { authRequestID = '', csrf = '' } = page.forms[0]!.fields;
    const known = toQuery({ authRequestID, csrf, loginName: 'alice' });
    const right = toQuery({ password: alice.password });
    for (const body of [
      `${known}&${right}&${right}`,
      `${known}&${right}&password=x`,
      `${known}&loginName=bob&${right}`,
      `${known}&${right}&x=%ff`,
      `${known}&${right}&x=%00`,
      `${known}&${right}&x=%zz`,
      `${known}&${right}${'&x=1'.repeat(300)}`,
    ]) {
      const reply = await postRaw(body);
      expectRefused(reply, 400);
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
    for (const name of ['password[x]', 'password[]', 'username[]', 'password[__proto__]']) {
      const reply = await postRaw(`${known}&${name}=y`);
      expect([reply.status, reply.headers['set-cookie']]).toEqual([303, undefined]);
      expectRefused(await web1.browser.request('GET', reply.location!), 400);
    }
    expectRefused(await postRaw(`${known}&password=${'x'.repeat(1_048_576)}`), 400);
    expectRefused(await postRaw(`${toQuery({ authRequestID, csrf })}&loginName=${'x'.repeat(1_048_576)}`), 400);
    expect(pageOf(await web1.browser.submit(page, { password: '' })).status).toBe(400);
    expect(web1.toAnswer(await web1.browser.submit(page, { password: alice.password })).code).toBeDefined();
  });

  it('accepts a login name of any length that a form can contain, but only keeps a possible one [LOG-053]', async () => {
    const page = await begin(web1);
    const long = pageOf(await web1.browser.submit(page, { loginName: 'x'.repeat(401) }));
    expect([long.status, long.text]).toEqual([400, expect.stringContaining('Enter 400 characters or fewer.')]);
    expect(pageOf(await web1.browser.submit(page, { loginName: '😀'.repeat(400) })).title).toBe(
      'Enter your password · Acme',
    );
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('does not accept %s, and says what it accepts', async (method) => {
    for (const [path, allow] of [
      [paths.loginName, 'GET, HEAD, POST'],
      [paths.password, 'POST'],
      [paths.hub, 'GET, HEAD'],
      [paths.stylesheet, 'GET, HEAD'],
    ]) {
      const reply = await send(world.origin, { method, path: path! });
      expectRefused(reply, 405);
      expect(reply.header('allow')).toBe(allow);
    }
  });
});

async function postRaw(body: string): ReturnType<typeof send> {
  const cookie = [...web1.browser.cookies].map((pair) => pair.join('=')).join('; ');
  return send(world.origin, {
    method: 'POST',
    path: paths.password,
    headers: { 'Content-Type': FORM, Cookie: cookie },
    body,
  });
}
