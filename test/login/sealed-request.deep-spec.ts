import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LoginHub } from '../../src/login/hub/login.hub.js';
import { paths } from '../../src/org/instance/paths.js';
import type { Page } from '../support/browser.js';
import { PASSWORD, type TestPerson, uniqueName } from '../support/builders.js';
import type { Parameters } from '../support/http.js';
import { answerOf, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { setPolicy } from './factor-turns.js';
import { begin, beginPassword, expectRefused, pageOf } from './turns.js';

const COOKIE = 'gatehouse';

let world: World;
let web1: RelyingParty;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
  person = await world.add.person({ orgId: (await world.cast.orgA).id });
});

const sealedIn = (page: Page): string => page.formWith('authRequestID').fields['authRequestID']!;
const tokenIn = (page: Page): string => page.formWith('csrf').fields['csrf']!;
const carriedBy = (page: Page): Parameters => ({ authRequestID: sealedIn(page), csrf: tokenIn(page) });

/** The other application, in the same browser. */
async function web2Beside(rp: RelyingParty): Promise<RelyingParty> {
  return new RelyingParty(world, await world.cast.web2, rp.browser);
}

describe('A stranger', () => {
  it('leaves nothing in the database, with or without a cookie, as far as the password', async () => {
    await begin(web1);
    const before = await world.contents();
    for (let count = 0; count < 5; count += 1) {
      await begin(web1.elsewhere());
      await begin(web1, { prompt: 'create' });
      await beginPassword(web1.elsewhere(), `nobody${count}@orga.test`);
      expect((await web1.elsewhere().authorizeOnce({ prompt: 'none' })).location).toMatch(/login_required/);
    }
    expect(await world.contents()).toBe(before);
  });

  it('gets a cookie with a value of ours only: one that was invented is replaced', async () => {
    const invented = 'A'.repeat(43);
    web1.browser.cookies.set(COOKIE, invented);
    await begin(web1);
    const own = web1.browser.cookies.get(COOKIE);
    expect(own).not.toBe(invented);
    await begin(web1);
    expect(web1.browser.cookies.get(COOKIE)).toBe(own);
  });
});

describe('A sealed request', () => {
  it('of one tab is refused with the form token of another, and with that of another application', async () => {
    const [mine, sibling] = [await begin(web1), await begin(web1)];
    const other = await begin(await web2Beside(web1));
    for (const page of [sibling, other]) {
      const form = { authRequestID: sealedIn(mine), csrf: tokenIn(page), loginName: 'alice' };
      expectRefused(await web1.browser.request('POST', paths.loginName, form), 403);
    }
  });

  it('of another browser opens nothing, neither by a form nor by an address [AUT-057]', async () => {
    const theirs = await begin(web1.elsewhere());
    await web1.signIn(person);
    const form = { ...carriedBy(theirs), loginName: person.loginName, password: PASSWORD };
    expectRefused(await web1.browser.request('POST', paths.password, form), 403);
    for (const path of [paths.hub, paths.loginName, paths.success])
      expectRefused(await web1.browser.request('GET', `${path}?authRequestID=${sealedIn(theirs)}`), 404);
    const callback = await web1.browser.request('GET', `/oauth/v2/authorize/callback?id=${sealedIn(theirs)}`);
    expectRefused(callback, 403);
  });

  it('asks for the password again after signing out, whichever of its values is sent', async () => {
    await web1.signIn(person);
    const { id_token: hint } = await web1.tokens(person);
    const chooser = await begin(web1, { prompt: 'select_account' });
    const other = pageOf(await web1.browser.press(chooser, 'Use another account'));
    const named = pageOf(await web1.browser.submit(other, { loginName: 'somebody' }));
    await web1.endSession({ id_token_hint: hint });
    for (const page of [chooser, other, named]) {
      const form = { ...carriedBy(page), userID: person.id, loginName: person.loginName, decision: 'continue' };
      for (const path of [paths.accounts, paths.loginName, paths.consent, paths.hub]) {
        const reply = await web1.browser.request('POST', path, form);
        expect([reply.location, /name="(?:password|loginName)"/.test(reply.text)]).toEqual([undefined, true]);
      }
    }
  });

  it('from before a change of policy is subject to the policy of now', async () => {
    const { id: orgId } = await world.add.org();
    const member = await world.add.person({ orgId });
    await setPolicy(world, orgId, { secondFactors: ['otp'] });
    await web1.signIn(member);
    const chooser = await begin(web1, { prompt: 'select_account' });
    await setPolicy(world, orgId, { forceMfa: true });
    const next = pageOf(await web1.browser.submit(chooser, { userID: member.id }));
    expect(next.find('button[name="factor"]')).not.toBeNull();
  });

  it('from before passwords were forbidden signs nobody in by one', async () => {
    const { id: orgId } = await world.add.org();
    const member = await world.add.person({ orgId });
    const scope = `openid urn:service:iam:org:id:${orgId}`;
    const named = await beginPassword(web1, member.loginName, { scope });
    await setPolicy(world, orgId, { allowUsernamePassword: false });
    const reply = await web1.browser.submitOnce(named, { password: PASSWORD });
    expect([reply.location, reply.text.includes('<h1')]).toEqual([undefined, true]);
    expect(await world.rows('SELECT 1 FROM session WHERE user_id = $1', [member.id])).toEqual([]);
  });

  it('from before registration was closed creates no account', async () => {
    const { id: orgId } = await world.add.org();
    await setPolicy(world, orgId, { allowRegister: true });
    const scope = `openid urn:service:iam:org:id:${orgId}`;
    const page = await begin(web1, { scope, prompt: 'create' });
    await setPolicy(world, orgId, { allowRegister: false });
    const email = `${uniqueName('new')}@mail.test`;
    const form = {
      firstName: 'New',
      lastName: 'Person',
      email,
      userName: '',
      password: PASSWORD,
      passwordRepeat: PASSWORD,
    };
    const reply = await web1.browser.submitOnce(page, form);
    expect([reply.status < 500, reply.location]).toEqual([true, undefined]);
    expect(await world.rows('SELECT 1 FROM registration WHERE email = $1', [email])).toEqual([]);
    expect(await world.rows('SELECT 1 FROM user_account WHERE email = $1', [email])).toEqual([]);
  });

  it('that consent was not given to yet asks for it, though another value of it has it', async () => {
    const client = await world.add.client({ projectId: await world.cast.projectP, consentPage: true });
    const rp = new RelyingParty(world, client, web1.browser);
    await web1.signIn(person);
    const asked = await begin(rp, { prompt: 'consent' });
    const early = pageOf(await rp.browser.post(paths.hub, { ...carriedBy(asked), show: 'true' }));
    expect(early.find('button[name="decision"]')).not.toBeNull();
    expect(rp.toAnswer(await rp.browser.submit(asked, { decision: 'continue' })).code).toBeDefined();
    // Answered once, with consent; the value without it asks, and its own answer would be that one.
    world.clock.advance('11s');
    const late = pageOf(await rp.browser.submit(early, { decision: 'continue' }));
    expect(late.status).toBe(410);
  });

  it('with the longest state and nonce comes through every page, in addresses of 2,000 characters at most', async () => {
    const state = 's'.repeat(4_096);
    const continued: string[] = [];
    const { browser } = web1;
    const request = browser.request.bind(browser);
    browser.request = async (...asked) => {
      const reply = await request(...asked);
      continued.push(reply.location ?? reply.header('refresh') ?? '');
      return reply;
    };
    const body = web1.parameters({ state, nonce: '語'.repeat(4_096) });
    const first = pageOf(await web1.browser.post('/oauth/v2/authorize', body));
    const corrected = pageOf(
      await web1.browser.press(pageOf(await web1.browser.submit(first, { loginName: 'nobody' })), 'Not you?'),
    );
    const named = pageOf(await web1.browser.submit(corrected, { loginName: person.loginName }));
    for (const page of [first, corrected, named]) {
      const addresses = page
        .all('[href], [action], [formaction]')
        .flatMap(({ attributes }) => Object.values(attributes));
      expect(Math.max(...addresses.map(({ length }) => length))).toBeLessThanOrEqual(2_000);
    }
    expect(Math.max(...continued.map(({ length }) => length))).toBeLessThanOrEqual(2_000);
    const answer = web1.toAnswer(await web1.browser.submit(named, { password: PASSWORD }));
    expect([answer.code !== undefined, answer.state]).toEqual([true, state]);
  });

  it('that no form could carry is refused to the application', async () => {
    const state = '\u0001'.repeat(4_096);
    const body = web1.parameters({ state, nonce: state });
    const reply = await web1.browser.request('POST', '/oauth/v2/authorize', body);
    expect(answerOf(reply.location!)['error']).toBe('invalid_request');
  });
});

/**
 * An attacker knows a cookie value that the victim's browser has as well, and holds a request and a form token of it.
 * Ten seconds after the sign-in of the victim, forms that are sent twice are still taken with the old value.
 */
describe('A planted cookie and a request of the attacker', () => {
  it('lead to no page and to no answer once the victim has signed in [LOG-004, AUT-057]', async () => {
    const attacker = web1.elsewhere();
    const prepared = await begin(await web2Beside(attacker));
    const chosen = await begin(await web2Beside(attacker), { login_hint: person.loginName });
    web1.browser.cookies.set(COOKIE, attacker.browser.cookies.get(COOKIE)!);
    const page = await beginPassword(web1, person.loginName);
    expect(web1.toAnswer(await web1.browser.submit(page, { password: PASSWORD })).code).toBeDefined();
    const places = Object.values(paths).filter((path) => world.get(LoginHub).findStep(path));
    const stored = (): Promise<object[]> =>
      world.rows(
        `SELECT (SELECT count(*) FROM auth_request), (SELECT count(*) FROM parked_request),
           (SELECT json_agg(s ORDER BY s.id) FROM session s), (SELECT json_agg(b ORDER BY b.id) FROM browser b)`,
      );
    const before = await stored();
    for (const seconds of [0, 11]) {
      world.clock.advance(`${seconds}s`);
      for (const from of [prepared, chosen]) {
        const form = { ...carriedBy(from), loginName: person.loginName, decision: 'continue', userID: person.id };
        for (const [index, path] of [...places, paths.hub, `${paths.externalStart}?idpConfigID=1`].entries()) {
          const over = [{}, { show: 'true' }, { password: 'Wrong-Password-1' }][index % 3];
          const reply = await attacker.browser.request('POST', path, { ...form, ...over });
          expect([path, reply.status >= 400, reply.location]).toEqual([path, true, undefined]);
          expect(reply.header('set-cookie')).toBeUndefined();
          expect(reply.text).not.toContain(person.loginName);
        }
        for (const path of [paths.hub, paths.loginName, paths.accounts])
          expectRefused(await attacker.browser.request('GET', `${path}?authRequestID=${sealedIn(from)}`), 404);
      }
    }
    expect(await stored()).toEqual(before);
  });
});
