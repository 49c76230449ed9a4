import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { SessionService } from '../../src/session/session.service.js';
import { PASSWORD, type TestPerson } from '../support/builders.js';
import type { Reply } from '../support/http.js';
import { answerOf, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { withApp } from './factor-turns.js';
import { beginPassword, expectRefused, requestIdOf, setState } from './turns.js';

const CALLBACK = '/oauth/v2/authorize/callback';

let world: World;
let native: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  native = new RelyingParty(world, await world.cast.nat1);
});

/** Signs in, and returns what the browser gets after the password. */
async function signIn(client: RelyingParty, redirectUri: string): Promise<Reply> {
  const page = await beginPassword(client, (await world.cast.alice).loginName, { redirect_uri: redirectUri });
  return client.browser.submitOnce(page, { password: PASSWORD });
}

/** Where the page continues by itself. */
function onwardOf(reply: Reply): string {
  return /^0; url=(.+)$/.exec(reply.header('refresh') ?? '')?.[1] ?? '';
}

describe('An application of the device', () => {
  it.each(['com.example.app:/cb', 'http://127.0.0.1:4711/cb', 'http://[::1]:4711/cb'])(
    'is answered at %s from a page that stays behind in the browser',
    async (redirectUri) => {
      const reply = await signIn(native, redirectUri);
      expect([reply.status, reply.header('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(reply.text).toContain('You can close this window now.');
      const onward = onwardOf(reply);
      expect(onward).toMatch(new RegExp(`^${CALLBACK}\\?id=\\d+$`));
      expect(reply.text).toContain(`href="${onward}"`); // for browsers that do not follow it by themselves
      const answer = await native.browser.request('GET', onward);
      expect(answer.location?.startsWith(redirectUri)).toBe(true);
      expect((await native.redeem(answerOf(answer.location!).code!, { redirect_uri: redirectUri })).status).toBe(200);
    },
  );

  it('is answered without a page if the user was not asked anything', async () => {
    const alice = await world.cast.alice;
    await native.signIn(alice, { redirect_uri: 'com.example.app:/cb' });
    const silent = await native.authorizeOnce({ redirect_uri: 'com.example.app:/cb', prompt: 'none' });
    expect(silent.location).toMatch(/^com\.example\.app:\/cb\?code=/);
  });

  it('is answered at once where it wants no page, or comes back to an address of the web', async () => {
    const projectId = await world.cast.projectP;
    const settings = { projectId, authMethod: 'none', clientType: 'native' } as const;
    const skipping = new RelyingParty(
      world,
      await world.add.client({ ...settings, redirectUris: ['com.example.skip:/cb'], skipNativeAppSuccessPage: true }),
    );
    expect((await signIn(skipping, 'com.example.skip:/cb')).location).toMatch(/^com\.example\.skip:/);
    const claimed = new RelyingParty(
      world,
      await world.add.client({ ...settings, redirectUris: ['https://app.example.test/cb'] }),
    );
    expect((await signIn(claimed, 'https://app.example.test/cb')).location).toMatch(
      /^https:\/\/app\.example\.test\/cb\?code=/,
    );
  });

  it('is answered once, and only to the browser that has signed in [AUT-057, AUT-059]', async () => {
    const redirectUri = 'com.example.app:/cb';
    const onward = onwardOf(await signIn(native, redirectUri));
    const other = native.elsewhere();
    await other.signIn(await world.cast.alice, { redirect_uri: redirectUri });
    expectRefused(await other.browser.request('GET', onward), 403);
    expect(answerOf((await native.browser.request('GET', onward)).location!)['code']).toBeDefined();
    expectRefused(await native.browser.request('GET', onward), 410);
  });

  const endSessions = async ({ id }: TestPerson): Promise<unknown> => {
    const sessions = await world.rows<{ id: string }>('SELECT id FROM session WHERE user_id = $1', [id]);
    const ids = sessions.map((session) => session.id);
    return world.transaction((tx) => world.get(SessionService).end(tx, ids));
  };

  it.each<[string, RegExp, (person: TestPerson) => Promise<unknown>]>([
    ['has added a second factor', /name="code"/, (person) => withApp(world, person)],
    ['was locked', /name="password"/, (person) => setState(world, person, 'locked')],
    ['has signed out', /name="password"/, endSessions],
  ])('is not answered by a user who %s since the page was shown', async (_, due, change) => {
    const person = await world.add.person({ orgId: (await world.cast.orgA).id });
    const page = await beginPassword(native, person.loginName, { redirect_uri: 'com.example.app:/cb' });
    const onward = onwardOf(await native.browser.submitOnce(page, { password: PASSWORD }));
    await change(person);
    const reply = await native.browser.request('GET', onward);
    expect([reply.status, reply.location]).toEqual([200, undefined]);
    expect(reply.text).toMatch(due);
  });

  it('has no such page before a user has signed in [LOG-040]', async () => {
    const page = await beginPassword(native, 'nobody', { redirect_uri: 'com.example.app:/cb' });
    const jumped = await native.browser.request('GET', `${paths.success}?authRequestID=${requestIdOf(page)}`);
    expect([jumped.status, jumped.header('refresh')]).toEqual([200, undefined]);
    expect(jumped.text).toContain('Enter your password');
    expectRefused(
      await native.elsewhere().browser.request('GET', `${paths.success}?authRequestID=${requestIdOf(page)}`),
      400,
    );
  });
});
