import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { begin, beginPassword, errorsOf, pageOf, requestIdOf, setState, withoutTokens } from './turns.js';

let world: World;
let replica: World;
let alice: TestPerson;
let bob: TestPerson;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  replica = await startWorld({ replicaOf: world });
  alice = await world.cast.alice;
  bob = await world.cast.bob;
});

afterAll(async () => {
  await replica.close();
  await world.close();
});

beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});

/** Both are signed in in this browser. */
async function signInBoth(client: RelyingParty): Promise<void> {
  await client.signIn(alice);
  await client.enter({ page: await begin(client, { login_hint: 'bob' }) }, bob);
}

const subjectOf = async (client: RelyingParty, code: string | undefined): Promise<string | undefined> =>
  (await client.verify((await client.redeem(code!)).json<{ id_token: string }>().id_token)).sub;

describe('Choosing an account', () => {
  it('is shown if two users are signed in, and continues as the chosen one', async () => {
    await signInBoth(web1);
    for (const person of [bob, alice]) {
      const page = await begin(web1);
      expect([page.title, page.all('.account-button').length]).toEqual(['Choose an account · Acme', 2]);
      const { code } = web1.toAnswer(await web1.browser.submit(page, { userID: person.id }));
      expect(await subjectOf(web1, code)).toBe(person.id);
    }
  });

  it('puts the hinted account first, which is the one that Enter chooses; an unknown hint fills the name', async () => {
    await signInBoth(web1);
    for (const [hint, person] of [
      ['bob', bob],
      [alice.loginName, alice],
    ] as const) {
      const page = await begin(web1, { prompt: 'select_account', login_hint: hint });
      expect(page.all('.account-button').map((button) => button.getAttribute('value'))[0]).toBe(person.id);
      expect(page.find('#submit')?.getAttribute('value')).toBe(person.id);
    }
    const page = await begin(web1, { prompt: 'select_account', login_hint: 'nobody@orga.test' });
    expect(page.all('.account-button')).toHaveLength(2);
    expect(
      pageOf(await web1.browser.press(page, 'Use another account'))
        .find('#loginName')
        ?.getAttribute('value'),
    ).toBe('nobody@orga.test');
    const alone = await begin(web1.elsewhere(), { prompt: 'select_account', login_hint: 'nobody@orga.test' });
    expect(alone.find('#loginName')?.getAttribute('value')).toBe('nobody@orga.test');
  });

  it('asks for the password of an account whose sign-in is too old, and says so', async () => {
    await web1.signIn(alice);
    world.clock.advance('11d');
    const page = await begin(web1, { prompt: 'select_account' });
    expect(page.text).toContain('Signed out');
    const next = pageOf(await web1.browser.submit(page, { userID: alice.id }));
    expect([next.title, next.forms[0]?.fields['loginName']]).toEqual([
      'Enter your password · orga.test',
      alice.loginName,
    ]);
    expect(web1.toAnswer(await web1.browser.submit(next, { password: alice.password })).code).toBeDefined();
  });

  it('leaves the way to another account open, without changing anything by a link', async () => {
    await web1.signIn(alice);
    const page = await begin(web1, { prompt: 'select_account' });
    const named = pageOf(await web1.browser.press(page, 'Use another account'));
    expect([named.title, named.find('#loginName')?.getAttribute('value') ?? '']).toEqual(['Sign in · Acme', '']);
    expect(pageOf(await web1.browser.get(`${paths.hub}?authRequestID=${requestIdOf(page)}`)).title).toBe(
      'Choose an account · Acme',
    );
    expect(await subjectOf(web1, web1.toAnswer(await web1.enter({ page: named }, bob)).code)).toBe(bob.id);
  });

  it('accepts only accounts of this browser, and shows no other [LOG-012]', async () => {
    await web1.elsewhere().signIn(bob);
    await web1.signIn(alice);
    const page = await begin(web1, { prompt: 'select_account' });
    const [session] = await world.rows<{ id: string }>('SELECT id FROM session WHERE user_id = $1', [bob.id]);
    const replies = await Promise.all(
      [bob.id, session!.id, 'unknown', '1', "' OR 1=1", alice.id.slice(1)].map((userID) =>
        web1.browser.submitOnce(page, { userID }),
      ),
    );
    for (const reply of replies) {
      expect([reply.status, withoutTokens(reply)]).toEqual([400, withoutTokens(replies[0]!)]);
      // Without the sealed values, which may contain any letters.
      expect(withoutTokens(reply)).not.toContain('bob');
    }
    expect(await subjectOf(web1, web1.toAnswer(await web1.browser.submit(page, { userID: alice.id })).code)).toBe(
      alice.id,
    );
  });

  it('offers only accounts of the organization that the application asks for', async () => {
    const carol = await world.cast.carol;
    await signInBoth(web1);
    await web1.enter({ page: await begin(web1, { login_hint: carol.loginName }) }, carol);
    const scope = `openid urn:service:iam:org:id:${carol.orgId}`;
    expect(web1.toAnswer(await web1.authorize({ scope })).code).toBeDefined();
    const page = await begin(web1, { scope, prompt: 'select_account' });
    expect([page.all('.account-button').length, page.title]).toEqual([1, 'Choose an account · orgb.test']);
    const refused = pageOf(await web1.browser.submit(page, { userID: alice.id }));
    expect([refused.status, errorsOf(refused)]).toEqual([
      400,
      ['This page was out of date. Please send the form again.'],
    ]);
  });

  it('admits by password only members of the organization that the application asks for', async () => {
    const carol = await world.cast.carol;
    const scope = `openid urn:service:iam:org:id:${carol.orgId}`;
    const page = pageOf(await web1.enter({ page: await beginPassword(web1, 'alice', { scope }) }, alice));
    expect(errorsOf(page)).toEqual(['The login name or the password is not correct.']);
    expect((await web1.elsewhere().signIn({ ...carol, loginName: 'carol' }, { scope })).code).toBeDefined();
  });
});

describe('An account that is signed in in three browsers at two processes', () => {
  const ways: Array<[string, (person: TestPerson) => Promise<unknown>]> = [
    ['deactivated', (person) => setState(world, person, 'inactive')],
    ['locked', (person) => setState(world, person, 'locked')],
    ['removed', (person) => world.transaction((tx) => world.get(UserService).remove(tx, person.id, EDITOR))],
  ];

  it.each(ways)(
    'is signed out everywhere with the next request when it is %s, and its tokens are dead [LOG-051]',
    async (_, end) => {
      const person = await world.add.person({ orgId: alice.orgId });
      const browsers = [web1, web1.elsewhere(), web1.elsewhere()];
      browsers[1]!.browser.at = replica;
      const tokens = [];
      for (const browser of browsers) tokens.push(await browser.tokens(person, { scope: 'openid offline_access' }));
      await end(person);
      for (const [index, browser] of browsers.entries()) {
        expect(browser.toAnswer(await browser.authorize({ prompt: 'none' })).error).toBe('login_required');
        expect((await begin(browser)).title).toBe('Sign in · Acme');
        const { access_token: access, refresh_token: refresh } = tokens[index]!;
        for (const at of [world, replica])
          expect((await web1.introspect(access, {}, at)).json()).toEqual({ active: false });
        expect((await web1.refresh(refresh)).json()).toMatchObject({ error: 'invalid_grant' });
      }
    },
  );
});
