import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { ChangeChannel, EVERYTHING } from '../../src/foundation/database/change-channel.js';
import { PasswordHash } from '../../src/foundation/password/password-hash.js';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { paths } from '../../src/org/instance/paths.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { Browser } from '../support/browser.js';
import { EDITOR, PASSWORD, type TestPerson } from '../support/builders.js';
import { answerOf, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { begin, beginPassword, errorsOf, expectRefused, pageOf, requestIdOf } from './turns.js';

const CALLBACK = '/oauth/v2/authorize/callback';

let world: World;
let alice: TestPerson;
let bob: TestPerson;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  bob = await world.cast.bob;
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});

describe('Signing in', () => {
  it('asks for the login name, then the password, then answers the application', async () => {
    const first = await begin(web1);
    expect([first.status, first.title, first.text]).toEqual([
      200,
      'Sign in · Acme',
      expect.stringContaining('Continue to web1'),
    ]);
    const second = pageOf(await web1.browser.submit(first, { loginName: 'alice' }));
    expect([second.status, second.title]).toEqual([200, 'Enter your password · Acme']);
    const last = await web1.browser.submit(second, { password: alice.password });
    expect(web1.toAnswer(last)).toEqual({ state: 'S1', code: expect.any(String), iss: world.issuer });
  });

  it.each(['alice', 'alice@orga.test', 'ALICE', ' Alice@OrgA.test '])('takes the login name %j', async (loginName) => {
    const page = await beginPassword(web1, loginName);
    expect(web1.toAnswer(await web1.browser.submit(page, { password: alice.password })).code).toBeDefined();
  });

  it('takes a password in each of its Unicode forms, counts one attempt, and makes an older hash anew', async () => {
    const spellings = ['Zo\u00eb-Straße7!', 'Zoe\u0308-Straße7!'];
    const { id: orgId } = await world.cast.orgA;
    const person = await world.add.person({ orgId, password: spellings[0]! });
    const enter = async (password: string): Promise<unknown> => {
      const client = web1.elsewhere();
      return client.toAnswer(await client.enter(await client.authorize(), { ...person, password }));
    };
    for (const spelling of spellings) expect(await enter(spelling)).toMatchObject({ code: expect.any(String) });
    const older = await world.get(PasswordHash).hashExactly(new Secret(spellings[1]!), Buffer.alloc(16));
    const hashOf = async (): Promise<string> =>
      (
        await world.rows<{ hash: string }>('SELECT password_hash AS hash FROM user_account WHERE id = $1', [person.id])
      )[0]!.hash;
    await world.rows('UPDATE user_account SET password_hash = $2 WHERE id = $1', [person.id, older]);
    const refused = await world.rows(`SELECT 1 FROM event WHERE payload->>'userId' = $1`, [person.id]);
    expect(await enter(spellings[0]!)).toMatchObject({ code: expect.any(String) });
    expect(await world.rows(`SELECT 1 FROM event WHERE payload->>'userId' = $1`, [person.id])).toHaveLength(
      refused.length,
    );
    const renewed = await hashOf();
    expect(renewed).not.toBe(older);
    expect(await world.get(PasswordHash).check(renewed, new Secret(spellings[0]!))).toBe('right');
    expect(await enter(spellings[1]!)).toMatchObject({ code: expect.any(String) });
    expect(await hashOf()).toBe(renewed);
  });

  it('goes straight to the password of a hinted user, known or not', async () => {
    for (const hint of ['alice', 'nobody@host']) {
      const page = await begin(web1.elsewhere(), { login_hint: hint });
      expect(page.find('input[name="password"]')).not.toBeNull();
      expect(page.text).toContain(hint);
    }
  });

  it('redirects with 303 after a form, so that the password is not sent on [AUT-061]', async () => {
    const signedIn = await web1.browser.submitOnce(await beginPassword(web1, 'alice'), { password: PASSWORD });
    expect(signedIn.status).toBe(303);
  });

  it('keeps what was typed, but never the password, when the form has to be sent again', async () => {
    const unnamed = pageOf(await web1.browser.submit(await begin(web1), { loginName: '   ' }));
    expect([unnamed.status, errorsOf(unnamed)]).toEqual([400, ['Enter your login name.']]);
    const page = pageOf(
      await web1.browser.submit(await beginPassword(web1, 'Alice '), { password: 'wrong-Password-1' }),
    );
    expect([page.status, errorsOf(page)]).toEqual([400, ['The login name or the password is not correct.']]);
    expect(page.find('#password')?.getAttribute('aria-describedby')).toBe('password-error');
    expect(page.forms[0]?.fields).toMatchObject({ loginName: 'Alice ', password: '' });
    expect(page.reply.text).not.toContain('wrong-Password-1');
    const empty = pageOf(await web1.browser.submit(page, { password: '' }));
    expect(errorsOf(empty)).toEqual(['Enter your password.']);
  });

  it('lets a person correct the login name', async () => {
    const page = await beginPassword(web1, 'alise');
    const corrected = pageOf(await web1.browser.press(page, 'Not you?'));
    expect(corrected.find('#loginName')?.getAttribute('value')).toBe('alise');
    expect(web1.toAnswer(await web1.enter({ page: corrected }, alice)).code).toBeDefined();
  });

  it('refuses the right password where the login policy allows none, and says so', async () => {
    const org = await world.add.org();
    const person = await world.add.person({ orgId: org.id });
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'login', org.id, { allowUsernamePassword: false }, EDITOR),
    );
    // Without the domain, the name does not determine which policy applies.
    const page = pageOf(
      await web1.browser.submit(await beginPassword(web1, person.userName), { password: person.password }),
    );
    expect(errorsOf(page)).toEqual([
      expect.stringMatching(/^Your organization does not let people sign in with a password/),
    ]);
    for (const name of [person.loginName, `nobody@${org.domain}`]) {
      const shown = await beginPassword(web1.elsewhere(), name);
      expect([shown.status, shown.title, shown.forms.map(({ method }) => method)]).toEqual([
        403,
        `No sign-in with a password · ${org.domain}`,
        ['POST'],
      ]);
    }
  });

  it('admits only people of the organization where the project demands it', async () => {
    const { id: orgId } = await world.cast.orgA;
    const closed = new RelyingParty(
      world,
      await world.add.client({ projectId: await world.add.project({ orgId, hasProjectCheck: true }) }),
    );
    expect(await closed.signIn(await world.cast.carol)).toMatchObject({ error: 'access_denied', state: 'S1' });
    expect((await closed.elsewhere().signIn(alice)).code).toBeDefined();
  });
});

describe('prompt and max_age', () => {
  const authTimeOf = async (client: RelyingParty, code: string): Promise<unknown> => {
    const tokens = (await client.redeem(code)).json<{ id_token: string }>();
    return (await client.verify(tokens.id_token))['auth_time'];
  };

  it('prompt=login asks for the password although a user is signed in, and renews auth_time and cookie [AUT-046]', async () => {
    await web1.signIn(alice);
    world.clock.advance('5s');
    const asked = world.now();
    const cookies = [...web1.browser.cookies.values()];
    const page = await begin(web1, { prompt: 'login' });
    expect(page.find('input[name="password"]')).not.toBeNull();
    world.clock.advance('5s');
    const { code } = web1.toAnswer(await web1.browser.submit(page, { password: alice.password }));
    expect(await authTimeOf(web1, code!)).toBe(asked + 5);
    expect([...web1.browser.cookies.values()]).not.toEqual(cookies);
  });

  it('a password entered for another request before does not satisfy prompt=login [AUT-047]', async () => {
    await web1.signIn(alice);
    world.clock.advance('5s');
    const first = await begin(web1, { prompt: 'login' });
    expect((await web1.signIn(alice)).code).toBeDefined(); // plain: the session is enough
    const early = pageOf(await web1.browser.get(`${CALLBACK}?id=${requestIdOf(first)}`));
    expect(early.find('input[name="password"]')).not.toBeNull();
    world.clock.advance('5s');
    expect(web1.toAnswer(await web1.enter({ page: early }, alice)).code).toBeDefined();
  });

  it('max_age=0 and a max_age that has passed ask for the password, with prompt=none they refuse [AUT-049]', async () => {
    await web1.signIn(alice);
    world.clock.advance('10s');
    for (const maxAge of [0, 1]) {
      expect((await begin(web1, { max_age: maxAge })).find('input[name="password"]')).not.toBeNull();
      expect(web1.toAnswer(await web1.authorize({ max_age: maxAge, prompt: 'none' }))).toMatchObject({
        error: 'login_required',
        state: 'S1',
      });
    }
    const { code } = web1.toAnswer(await web1.authorize({ max_age: 3600 }));
    expect(await authTimeOf(web1, code!)).toBe(world.now() - 10);
  });

  it('the lifetime of the login policy asks for the password again, and the session continues [LOG-011]', async () => {
    await web1.signIn(alice);
    world.clock.advance('11d');
    const page = await begin(web1);
    expect(page.find('input[name="password"]')).not.toBeNull();
    expect(web1.toAnswer(await web1.browser.submit(page, { password: alice.password })).code).toBeDefined();
  });
});

describe('The way through the pages', () => {
  it('ends only in the browser that began it [AUT-057]', async () => {
    const attacker = web1.elsewhere();
    const id = requestIdOf(await begin(attacker));
    const victim = web1.browser;
    await begin(web1); // has a cookie of its own
    const lured = pageOf(await victim.get(`${paths.hub}?authRequestID=${id}`));
    expect([lured.status, lured.title]).toEqual([404, 'Please sign in again · Acme']);
    await web1.signIn(alice);
    for (const browser of [attacker.browser, victim, new Browser(world)]) {
      const arrival = await browser.get(`${CALLBACK}?id=${id}`);
      expect(arrival.redirect).toBeUndefined();
    }
  });

  it('keeps two requests in two windows apart, in whatever order they end [AUT-058]', async () => {
    const web2 = new RelyingParty(world, await world.cast.web2, web1.browser);
    const first = await begin(web1, { state: 'one', nonce: 'nonce-1' });
    const second = await begin(web2, { state: 'two', nonce: 'nonce-2' });
    const secondEnd = await web2.enter({ page: second }, alice);
    const firstEnd = await web1.enter({ page: first }, alice);
    for (const [client, end, state, nonce] of [
      [web1, firstEnd, 'one', 'nonce-1'],
      [web2, secondEnd, 'two', 'nonce-2'],
    ] as const) {
      expect(end.redirect).toMatch(new RegExp(`^${client.client.redirectUri}`));
      const answer = client.toAnswer(end);
      expect(answer.state).toBe(state);
      const { id_token: idToken } = (await client.redeem(answer.code!)).json<{ id_token: string }>();
      expect((await client.verify(idToken)).nonce).toBe(nonce);
    }
  });

  it('answers once: coming back to a finished request gives no second code [AUT-059]', async () => {
    const page = await begin(web1);
    const id = requestIdOf(page);
    await web1.enter({ page }, alice);
    for (let round = 0; round < 2; round += 1) {
      for (const place of [`${CALLBACK}?id=${id}`, `${paths.hub}?authRequestID=${id}`]) {
        const arrival = await web1.browser.get(place);
        expect(arrival.redirect === undefined ? undefined : answerOf(arrival.redirect).code).toBeUndefined();
      }
    }
    expectRefused(await web1.browser.request('GET', `${paths.hub}?authRequestID=${id}`), 410);
  });

  it('refuses the right password once the request has expired [AUT-060]', async () => {
    const page = await beginPassword(web1, 'alice');
    const cookies = new Map(web1.browser.cookies);
    world.clock.advance('61m');
    const late = pageOf(await web1.browser.submit(page, { password: alice.password }));
    expect([late.status, late.title]).toEqual([410, 'Please sign in again · Acme']);
    expect(web1.browser.cookies).toEqual(cookies);
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBe('login_required');
  });

  it('tells a browser without cookies so, and knows no other way [AUT-065]', async () => {
    const page = await begin(web1);
    const reply = await new Browser(world).submitOnce(page, { loginName: 'alice' });
    expectRefused(reply, 403);
    expect(reply.text).toContain('Cookies are needed');
    expect(reply.headers['set-cookie']).toBeUndefined();
  });

  it('continues with the first open step when another page is opened [LOG-040]', async () => {
    const { id: orgId } = await world.cast.orgA;
    const client = new RelyingParty(
      world,
      await world.add.client({ projectId: await world.cast.projectP, consentPage: true }),
    );
    const person = await world.add.person({ orgId, passwordChangeRequired: true });
    const first = await begin(client, { prompt: 'consent' });
    const { authRequestID = '', csrf = '' } = first.forms[0]!.fields;
    const jump = async (path: string, fields: Record<string, string>): Promise<string> =>
      pageOf(await client.browser.post(path, { authRequestID, csrf, ...fields })).title;

    expect(await jump(paths.consent, { decision: 'continue' })).toBe('Sign in · Acme');
    expect(
      await jump(paths.passwordChange, {
        oldPassword: PASSWORD,
        newPassword: 'New-Password-123',
        newPasswordRepeat: 'New-Password-123',
      }),
    ).toBe('Sign in · Acme');
    expect(pageOf(await client.browser.get(`${CALLBACK}?id=${authRequestID}`)).title).toBe('Sign in · Acme');
    for (const path of [paths.password, paths.passwordChange, paths.consent]) {
      const reply = await client.browser.request('GET', `${path}?authRequestID=${authRequestID}`);
      expectRefused(reply, 405);
      expect(reply.header('allow')).toBe('POST');
    }

    const change = pageOf(await client.enter({ page: first }, { ...person, loginName: person.loginName }));
    expect(change.title).toMatch(/^(Error: )?Choose a new password/);
    expect(await jump(paths.consent, { decision: 'continue' })).toBe('Choose a new password · orga.test');
    expect(pageOf(await client.browser.get(`${CALLBACK}?id=${authRequestID}`)).title).toBe(
      'Choose a new password · orga.test',
    );
  });

  it('stays where it is when a form comes without its fields [LOG-041]', async () => {
    const page = await beginPassword(web1, 'alice');
    const { authRequestID = '', csrf = '' } = page.forms[0]!.fields;
    for (const path of [
      paths.loginName,
      paths.password,
      paths.accounts,
      paths.register,
      paths.passwordChange,
      paths.consent,
    ]) {
      const arrival = await web1.browser.post(path, { authRequestID, csrf });
      expect(arrival.redirect).toBeUndefined();
      expect(pageOf(await web1.browser.get(`${paths.hub}?authRequestID=${authRequestID}`)).title).toBe(
        'Enter your password · Acme',
      );
    }
    for (const path of [paths.loginName, paths.password])
      expectRefused(await web1.browser.request('POST', path, {}), 403);
  });

  it('stops when the application was deactivated meanwhile', async () => {
    const client = await world.add.client({ projectId: await world.cast.projectP });
    const gone = new RelyingParty(world, client);
    const page = await beginPassword(gone, 'alice');
    await world.transaction((tx) => world.get(ClientService).changeState(tx, client.id, 'inactive', EDITOR));
    const stopped = pageOf(await gone.browser.submit(page, { password: alice.password }));
    expect([stopped.status, stopped.title]).toEqual([400, 'Unknown application · Acme']);
  });
});

describe('The pages without an application', () => {
  it('show who is signed in, and lead to signing out', async () => {
    const nobody = pageOf(await web1.browser.get(paths.hub));
    expect([nobody.status, nobody.title]).toEqual([200, 'You are not signed in · Acme']);
    await web1.signIn(bob);
    const somebody = pageOf(await web1.browser.get('/ui/login'));
    expect([somebody.title, somebody.text]).toEqual([
      'You are signed in · orga.test',
      expect.stringContaining('Given Family'),
    ]);
    const signOut = await web1.browser.request('GET', paths.signOut);
    expect([signOut.status, signOut.location]).toEqual([302, '/oidc/v1/end_session']);
    expect(pageOf(await web1.browser.get(paths.signedOut)).title).toBe('You are signed out · Acme');
  });

  it('are those of the default redirect URI, if it is an address of the web', async () => {
    const { id: instanceId } = await world.get(InstanceService).get();
    const setUri = async (defaultRedirectUri: string): Promise<unknown> =>
      world.transaction((tx) => world.get(PolicyService).set(tx, 'login', instanceId, { defaultRedirectUri }, EDITOR));
    await setUri('https://portal.test/home');
    const reply = await web1.browser.request('GET', paths.hub);
    expect([reply.status, reply.location]).toEqual([302, 'https://portal.test/home']);
    await setUri('localhost:8080');
    expect((await web1.browser.request('GET', paths.hub)).location).toBe('http://localhost:8080');
    for (const uri of [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.test',
      'https:evil.test',
      'https:\\\\evil.test',
      '',
    ]) {
      // The policy refuses all but the empty one; what an older one let through is looked at again.
      if (uri !== '') await expect(setUri(uri)).rejects.toMatchObject({ kind: 'InvalidArgument' });
      await world.rows('UPDATE login_policy SET default_redirect_uri = $1 WHERE owner_id = $2', [uri, instanceId]);
      await world.transaction((tx) => world.get(ChangeChannel).announce(tx, 'policy', EVERYTHING));
      expect((await web1.browser.request('GET', paths.hub)).status).toBe(200);
    }
  });
});
