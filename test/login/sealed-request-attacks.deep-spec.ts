import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { OrgService } from '../../src/org/org.service.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { UserService } from '../../src/user/user.service.js';
import { callerWith } from '../support/admin-api.js';
import { Browser, Page } from '../support/browser.js';
import { EDITOR, PASSWORD, type TestOrg, type TestPerson } from '../support/builders.js';
import { type Parameters, type Reply, send, toQuery } from '../support/http.js';
import { answerOf, paths as endpoints, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { App, withApp } from './factor-turns.js';
import {
  begin,
  beginPassword,
  enterCode,
  expectRefused,
  pageOf,
  setEmail,
  setState,
  untilSomebodyWaits,
} from './turns.js';

let world: World;
let web1: RelyingParty;
let org: TestOrg;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
  org = await world.add.org();
  person = await world.add.person({ orgId: org.id });
});

function carriedBy(page: Page): Parameters & { readonly authRequestID: string } {
  const { authRequestID, csrf } = page.formWith('authRequestID').fields;
  return { authRequestID: authRequestID!, csrf: csrf! };
}

const codeIn = (reply: Reply): string | undefined => answerOf(reply.location ?? '')['code'];

async function signInsOf({ id }: TestPerson): Promise<number> {
  return (await world.rows("SELECT 1 FROM event WHERE type = 'session.signed_in' AND editor_id = $1", [id])).length;
}

/** An application that asks for consent, and the page where it does, after the password. */
async function toConsent(): Promise<{ rp: RelyingParty; asked: Page }> {
  const client = await world.add.client({ projectId: await world.cast.projectP, consentPage: true });
  const rp = new RelyingParty(world, client);
  return { rp, asked: pageOf(await rp.enter(await rp.authorize({ prompt: 'consent' }), person)) };
}

describe('An authorization request that another site posts', () => {
  const posted = (parameters: Parameters): Promise<Reply> =>
    new Browser(world).request('POST', endpoints.authorize, parameters, { 'Sec-Fetch-Site': 'cross-site' });

  it('sets no cookie, which would sign the user out, but is repeated as a GET, which browsers send their cookie with', async () => {
    const reply = await posted(web1.parameters({ state: 'größer & kleiner' }));
    expect([reply.status, reply.headers['set-cookie']]).toEqual([303, undefined]);
    await web1.signIn(person);
    const arrival = await web1.browser.get(reply.location!);
    expect(answerOf(arrival.redirect!)).toMatchObject({ code: expect.any(String), state: 'größer & kleiner' });
  });

  it('sets none either if it is too long for an address, or repeats a parameter', async () => {
    const long = await posted(web1.parameters({ nonce: 'n'.repeat(4_000), state: 's'.repeat(4_000) }));
    expect([long.status, long.headers['set-cookie']]).toEqual([400, undefined]);
    const twice = await send(world.origin, {
      method: 'POST',
      path: endpoints.authorize,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'cross-site' },
      body: `${toQuery(web1.parameters({}))}&state=other`,
    });
    expect([twice.status, twice.headers['set-cookie']]).toEqual([400, undefined]);
  });

  it('is served at once if the browser has sent its cookie, or says nothing of its site', async () => {
    await web1.signIn(person);
    const own = await web1.browser.request('POST', endpoints.authorize, web1.parameters({}), {
      'Sec-Fetch-Site': 'cross-site',
    });
    expect(codeIn(own)).toBeDefined();
    expect((await new Browser(world).request('POST', endpoints.authorize, web1.parameters({}))).status).toBe(200);
  });
});

describe('A value from before a change', () => {
  it('leads to no address that was removed from the application, also when the user declines [AUT-064]', async () => {
    const { rp, asked } = await toConsent();
    const redirectUris = ['https://elsewhere.test/cb'];
    await world.transaction((tx) =>
      world.get(ClientService).changeSettings(tx, rp.client.id, { redirectUris }, EDITOR),
    );
    await world.changesToArrive();
    for (const decision of ['continue', 'cancel']) expectRefused(await rp.browser.submitOnce(asked, { decision }), 400);
  });

  const changes: Array<[string, () => Promise<unknown>]> = [
    ['the user was locked', () => setState(world, person, 'locked')],
    ['the user was deactivated', () => setState(world, person, 'inactive')],
    ['the user was removed', () => world.transaction((tx) => world.get(UserService).remove(tx, person.id, EDITOR))],
    [
      'the organization was deactivated',
      () => world.transaction((tx) => world.get(OrgService).changeState(tx, org.id, 'inactive', EDITOR)),
    ],
    [
      'a manager has set another password',
      async () => {
        const { api } = await callerWith(world, org, ['ORG_OWNER']);
        await api.call('POST', `/management/v1/users/${person.id}/password`, {
          password: 'Another-Horse-8',
          noChangeRequired: true,
        });
      },
    ],
  ];

  it.each(changes)('asks for the password again, whatever the form says: %s', async (_, change) => {
    const { rp, asked } = await toConsent();
    const chooser = await begin(rp, { prompt: 'select_account' });
    await change();
    await world.changesToArrive();
    const forms: Array<[string, Page, Parameters]> = [
      [paths.consent, asked, { decision: 'continue' }],
      [paths.consent, asked, { decision: 'cancel' }],
      [paths.accounts, chooser, { userID: person.id }],
      [paths.hub, chooser, { show: 'true' }],
    ];
    for (const [path, page, fields] of forms) {
      const reply = await rp.browser.request('POST', path, { ...carriedBy(page), ...fields });
      expect([path, reply.location, /name="(?:password|loginName)"/.test(reply.text)]).toEqual([path, undefined, true]);
    }
  });
});

describe('A value from before the user has added', () => {
  const additions: Array<[string, () => Promise<unknown>]> = [
    ['a second factor', () => withApp(world, person)],
    ['an e-mail address that is not verified', () => setEmail(world, person, 'another@mail.test')],
  ];

  it.each(additions)('%s completes no sign-in without it, whatever the form says', async (_, add) => {
    const { rp, asked } = await toConsent();
    const chooser = await begin(rp, { prompt: 'select_account' });
    const elsewhere = rp.elsewhere();
    const named = await beginPassword(elsewhere, person.loginName);
    await add();
    const forms: Array<[Browser, string, Page, Parameters]> = [
      [rp.browser, paths.consent, asked, { decision: 'continue' }],
      [rp.browser, paths.accounts, chooser, { userID: person.id }],
      [rp.browser, paths.hub, chooser, { show: 'true' }],
      [elsewhere.browser, paths.password, named, { password: PASSWORD }],
    ];
    for (const [browser, path, page, fields] of forms) {
      const reply = await browser.request('POST', path, { ...carriedBy(page), ...fields });
      const isDue = /name="(?:code|loginName|userID)"/.test(reply.text);
      expect([path, reply.status, reply.location, isDue]).toEqual([path, 200, undefined, true]);
    }
    expect(await world.rows('SELECT 1 FROM auth_request WHERE user_id = $1', [person.id])).toEqual([]);
  });
});

describe('A value of a registration', () => {
  it('completes nothing before the code of the mail, neither it nor the one before', async () => {
    const email = `new.${person.userName}@mail.test`;
    const entry = { email, firstName: 'New', lastName: 'Person', password: PASSWORD, passwordRepeat: PASSWORD };
    const before = await begin(web1, { prompt: 'create' });
    const waiting = pageOf(await web1.browser.submit(before, entry));
    const forms: Array<[string, Parameters]> = [
      [paths.password, { loginName: email, password: PASSWORD }],
      [paths.consent, { decision: 'continue' }],
      [paths.accounts, { userID: person.id }],
      [paths.loginName, { loginName: email }],
      [paths.emailCheck, { code: 'AAAAAA' }],
      [paths.hub, { show: 'true' }],
    ];
    for (const page of [before, waiting]) {
      for (const [path, fields] of forms) {
        const reply = await web1.browser.request('POST', path, { ...carriedBy(page), ...fields });
        expect([path, reply.location]).toEqual([path, undefined]);
      }
    }
    expectRefused(await web1.elsewhere().browser.request('POST', paths.emailCheck, carriedBy(waiting)), 403);
    expect(web1.toAnswer(await enterCode(world, web1, waiting, email)).code).toBeDefined();
  });
});

describe('An older value of the same browser', () => {
  it('skips no second factor, and prompt=login asks for both again', async () => {
    const app: App = await withApp(world, person);
    const first = await begin(web1);
    const named = await beginPassword(web1, person.loginName);
    const due = pageOf(await web1.browser.submit(named, { password: PASSWORD }));
    const everything = { decision: 'continue', userID: person.id, loginName: person.loginName, factor: 'skip' };
    const attempt = async (page: Page, path: string): Promise<Reply> =>
      web1.browser.request('POST', path, { ...carriedBy(page), ...everything });
    for (const page of [first, named, due]) {
      for (const path of [paths.consent, paths.accounts, paths.loginName])
        expect((await attempt(page, path)).text).toContain('name="code"');
    }
    expect((await web1.browser.submit(due, { code: app.code() })).redirect).toMatch(/code=/);
    world.clock.advance('31s');
    const again = await begin(web1, { prompt: 'login' });
    for (const path of [paths.accounts, paths.loginName])
      expect((await attempt(again, path)).text).toContain('name="password"');
    const form = { ...carriedBy(again), ...everything, password: PASSWORD };
    await web1.browser.request('POST', paths.password, form);
    expect((await attempt(again, paths.accounts)).text).toContain('name="code"');
  });
});

describe('A value that was altered', () => {
  it('or is another kind of token opens nothing, in a form or in an address [LOG-007]', async () => {
    const tokens = await web1.tokens(person, { scope: 'openid offline_access' });
    world.clock.advance('1s');
    const page = await begin(web1, { prompt: 'login' });
    const { authRequestID: sealed, csrf } = carriedBy(page);
    const flipped = [1, 5, 12, sealed.length >> 1, sealed.length - 1].map(
      (at) => sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1),
    );
    const others = [tokens.access_token, tokens.refresh_token, await web1.elsewhere().code(person)];
    const disguised = others.map((token) => `gtq_${token.slice(4)}`);
    const sizes = [sealed.slice(0, -1), sealed + sealed, `${sealed}=`, 'gtq_', ' '];
    for (const authRequestID of [...flipped, ...others, ...disguised, ...sizes]) {
      const form = { authRequestID, csrf, loginName: person.loginName, password: PASSWORD };
      expectRefused(await web1.browser.request('POST', paths.password, form), 403);
      const query = new URLSearchParams({ authRequestID, id: authRequestID }).toString();
      expectRefused(await web1.browser.request('GET', `${paths.hub}?${query}`), 404);
      expectRefused(await web1.browser.request('GET', `/oauth/v2/authorize/callback?${query}`), 403);
    }
    expect(world.logText()).not.toContain('gtq_');
  });

  it('cannot be read: neither the name nor the application nor the state is in it', async () => {
    const { clientId } = web1.client;
    const withClient: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const page = await beginPassword(web1, person.loginName, { state: 'a state to look for' });
      const sealed = carriedBy(page).authRequestID;
      const bytes = Buffer.from(sealed.slice('gtq_'.length), 'base64url').toString('latin1');
      for (const secret of [person.loginName, 'a state to look for']) expect(sealed + bytes).not.toContain(secret);
      expect(bytes).not.toContain(clientId);
      if (sealed.includes(clientId)) withClient.push(sealed);
    }
    expect(withClient.length).toBeLessThan(3); // its four letters are in one text by chance, but not in each
  });
});

describe('The form that completes a sign-in', () => {
  it('sent thirty times at once gives one session with one event, one cookie value, and one code that can be redeemed', async () => {
    const page = await beginPassword(web1, person.loginName);
    const browsers = Array.from({ length: 30 }, () => web1.browser.copy());
    const replies = await Promise.all(browsers.map((browser) => browser.submitOnce(page, { password: PASSWORD })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]));
    for (const table of ['session', 'auth_request'])
      expect(await world.rows(`SELECT 1 FROM ${table} WHERE user_id = $1`, [person.id])).toHaveLength(1);
    expect(await signInsOf(person)).toBe(1);
    expect(new Set(browsers.map(({ cookies }) => cookies.get('gatehouse'))).size).toBe(1);
    const redeemed = await Promise.all(replies.slice(0, 8).map((reply) => web1.redeem(codeIn(reply)!)));
    expect(redeemed.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(400)]);
    expectRefused(await browsers[0]!.submitOnce(page, { password: PASSWORD }), 410);
    expect(await signInsOf(person)).toBe(2);
  });

  it('signs in one user with one cookie value: of two at once, the other is refused [LOG-004]', async () => {
    const other = await world.add.person({ orgId: org.id, password: 'Another-Horse-8' });
    const twin = new RelyingParty(world, web1.client, web1.browser);
    const mine = await beginPassword(web1, person.loginName);
    const theirs = await beginPassword(twin, other.loginName);
    const late = web1.browser.copy();
    const replies = await Promise.all([
      web1.browser.submitOnce(mine, { password: PASSWORD }),
      late.submitOnce(theirs, { password: other.password }),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 404]);
    const sessions = await world.rows('SELECT 1 FROM session WHERE user_id = ANY($1)', [[person.id, other.id]]);
    expect(sessions).toHaveLength(1);
  });

  it('with the cookie value just replaced signs in no user but the one that it names [LOG-004]', async () => {
    const other = await world.add.person({ orgId: org.id });
    const theirs = await beginPassword(web1, other.loginName);
    const mine = await beginPassword(web1, person.loginName);
    const late = web1.browser.copy();
    expect(codeIn(await web1.browser.submitOnce(mine, { password: PASSWORD }))).toBeDefined();
    // Both users have the same password, and only the name says whose it is.
    expectRefused(await late.submitOnce(theirs, { password: PASSWORD }), 404);
    expect(codeIn(await late.submitOnce(mine, { password: PASSWORD }))).toBeDefined();
  });
});

/** Holds the users' rows until all forms have been taken and their passwords checked. */
async function atOnce(people: readonly TestPerson[], forms: ReadonlyArray<() => Promise<Reply>>): Promise<Reply[]> {
  const { replies } = await world.transaction(async (tx) => {
    await tx.entities.query('SELECT 1 FROM user_account WHERE id = ANY($1) FOR UPDATE', [people.map(({ id }) => id)]);
    const sent = Promise.all(forms.map((form) => form()));
    await untilSomebodyWaits(world, 'WITH person AS%', forms.length);
    return { replies: sent };
  });
  return replies;
}

describe('Right passwords that are sent with one cookie value at the same moment', () => {
  let limited: World;
  let client: RelyingParty;

  beforeAll(async () => {
    limited = await startWorld({ replicaOf: world, loginLimits: 'on' });
  });
  afterAll(() => limited.close());
  beforeEach(() => {
    client = new RelyingParty(limited, web1.client);
  });

  async function countsAfterAMoment(): Promise<object[]> {
    const counts = (): Promise<object[]> => world.rows('SELECT key, failures FROM attempt WHERE failures > 0');
    const deadline = Date.now() + 20_000;
    while ((await counts()).length > 0 && Date.now() < deadline) await sleep(20); // the winner's are returned soon
    return counts();
  }

  it('for two users sign in one of them; the other is told to start again, and has not guessed [LOG-004]', async () => {
    const other = await world.add.person({ orgId: org.id, password: 'Another-Horse-8' });
    const mine = await beginPassword(client, person.loginName);
    const theirs = await beginPassword(new RelyingParty(limited, client.client, client.browser), other.loginName);
    const late = client.browser.copy();
    const replies = await atOnce(
      [person, other],
      [
        () => client.browser.submitOnce(mine, { password: PASSWORD }),
        () => late.submitOnce(theirs, { password: other.password }),
      ],
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 404]);
    const refused = replies.find(({ status }) => status === 404)!;
    expect([refused.header('set-cookie'), new Page(refused, paths.password).heading]).toEqual([
      undefined,
      'Please sign in again',
    ]);
    expect(limited.logText()).toContain('"reason":"login.browser_unknown"');
    expect(limited.logText()).not.toContain('sign_in.');
    expect(await countsAfterAMoment()).toEqual([]);
    const failed = `SELECT 1 FROM event WHERE type = 'sign_in.password.check.failed' AND payload ->> 'userId' = ANY($1)`;
    expect(await world.rows(failed, [[person.id, other.id]])).toEqual([]);
  });

  it('for one user sign them in once, and none counts as a guess', async () => {
    const page = await beginPassword(client, person.loginName);
    const browsers = Array.from({ length: 8 }, () => client.browser.copy());
    const replies = await atOnce(
      [person],
      browsers.map((browser) => () => browser.submitOnce(page, { password: PASSWORD })),
    );
    expect(new Set(replies.map(({ status, location }) => `${status} ${location?.slice(0, 4)}`))).toEqual(
      new Set(['303 http']),
    );
    expect([await signInsOf(person), await countsAfterAMoment()]).toEqual([1, []]);
  });
});
