import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import { DIRECTORY_KIND } from '../../src/idp/directory-kind.js';
import { ExtKinds } from '../../src/idp/ext-kinds.js';
import { paths } from '../../src/org/instance/paths.js';
import { OUTBOUND, setPolicy, startPath } from '../idp/external.js';
import { begin, errorsOf, pageOf } from '../login/turns.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { Page } from '../support/browser.js';
import type { TestOrg } from '../support/builders.js';
import { LineDirectory } from '../support/line-directory.js';
import { answerOf, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { LineKind, line, SERVICE_PASSWORD } from './line-kind.js';

let directory: LineDirectory;
let world: World;
let org: TestOrg;
let admin: AdminApi;
let web: RelyingParty;
let id: string;
let count = 0;

const person = (): { loginName: string; password: string; email: string } => {
  count += 1;
  const added = { loginName: `person${count}`, password: `their own word ${count}`, email: `p${count}@mail.test` };
  directory.add(added);
  return added;
};

async function addProvider(over: object = {}): Promise<{ id: string; parts: object[] }> {
  count += 1;
  const added = await admin.call<{ id: string; parts: object[] }>('POST', '/admin/v1/idps/extension', {
    name: `Lines ${count}`,
    kind: 'ext:line',
    settings: { host: '127.0.0.1', port: directory.port, servicePassword: SERVICE_PASSWORD },
    providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
    ...over,
  });
  await world.changesToArrive();
  return added;
}

async function pageOfDirectory(party = web, over = {}): Promise<Page> {
  return pageOf(await party.browser.get(await startPath(party, id, over)));
}

async function signIn(party: RelyingParty, page: Page, who: { loginName: string; password: string }) {
  let arrival = await party.browser.submit(page, { loginName: who.loginName, password: who.password });
  if (arrival.page?.find('button[name="factor"][value="skip"]'))
    arrival = await party.browser.submit(arrival.page, { factor: 'skip' });
  return arrival;
}

beforeAll(async () => {
  directory = await LineDirectory.start();
  world = await startWorld({
    extensions: [line],
    env: OUTBOUND,
    loginLimits: 'on',
    timeouts: new Timeouts(2_000, 2_000),
  });
  world.plant(SERVICE_PASSWORD);
  org = await world.add.org('lines.test');
  admin = (await callerWith(world, org, ['IAM_OWNER'])).api;
  ({ id } = await addProvider());
});
beforeEach(async () => {
  web = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => {
  LineKind.does = {};
  directory.misdeed = undefined;
});
afterAll(async () => {
  await world.close();
  await directory.close();
});

describe('The page of a directory', () => {
  it('asks for name and password, with the mark of the kind, the hinted name, and a way back', async () => {
    const page = await pageOfDirectory(web, { login_hint: 'hinted' });
    expect(page.status).toBe(200);
    expect(page.find('input[name="loginName"]')?.attributes['value']).toBe('hinted');
    expect(page.find('h1')?.text).toBe('Sign in');
    expect(page.find('.provider-mark-own svg')).not.toBeNull();
    const back = pageOf(await web.browser.press(page, 'Sign in another way'));
    expect(back.find('input[name="password"]')).toBeNull();
  });

  it('says what is missing, and keeps the name', async () => {
    const page = await pageOfDirectory();
    const again = pageOf(await web.browser.submit(page, { loginName: 'somebody', password: '' }));
    expect([again.status, errorsOf(again)]).toEqual([400, ['Enter your password.']]);
    expect(again.find('input[name="loginName"]')?.attributes['value']).toBe('somebody');
  });

  it('is the first page where the policy forbids passwords and leaves one provider', async () => {
    const own = await world.add.org();
    await setPolicy(world, own.id, { allowUsernamePassword: false, allowExternalIdp: true });
    const owner = (await callerWith(world, own, ['ORG_OWNER'])).api;
    await owner.call('POST', '/management/v1/policies/login/idps', { idpId: id, ownerType: 'IDP_OWNER_TYPE_SYSTEM' });
    await world.changesToArrive();
    const page = await begin(web, { scope: `openid urn:service:iam:org:id:${own.id}` });
    expect(page.find('input[name="password"]')).not.toBeNull();
    expect(page.find(`input[name="idpConfigID"]`)?.attributes['value']).toBe(id);
  });

  it('shows nothing for a provider that is none, or of another sort', async () => {
    const page = await pageOfDirectory();
    const { status } = await web.browser.request('POST', paths.directory, {
      ...page.formWith('password').fields,
      idpConfigID: 'nobody',
      loginName: 'a',
      password: 'b',
    });
    expect(status).toBe(403);
  });
});

describe('A sign-in at a directory', () => {
  it('makes an account that has no password here, and is a fresh proof each time [ACC-018]', async () => {
    const who = person();
    const first = await signIn(web, await pageOfDirectory(), who);
    expect(first.redirect).toMatch(/code=/);
    world.clock.advance('10m');
    const again = await pageOfDirectory(web, { prompt: 'login' });
    const { redirect } = await signIn(web, again, who);
    const { id_token } = (await web.redeem(answerOf(redirect!)['code']!)).json<{ id_token: string }>();
    expect(await web.verify(id_token)).toMatchObject({ auth_time: world.now() });
  });

  it('counts guesses with those of our own passwords by address, and names by what they are', async () => {
    const who = person();
    for (let guess = 0; guess < 10; guess += 1) {
      const page = await pageOfDirectory();
      await web.browser.submit(page, { loginName: who.loginName, password: `guess ${guess}` });
    }
    const asked = directory.connections;
    for (const loginName of [who.loginName, who.loginName.toUpperCase(), `${who.loginName}\u00ad`]) {
      const page = pageOf(await web.browser.submit(await pageOfDirectory(), { loginName, password: who.password }));
      expect([loginName, page.status]).toEqual([loginName, 429]);
    }
    expect(directory.connections).toBe(asked);
    const other = person();
    expect((await signIn(web, await pageOfDirectory(), other)).redirect).toMatch(/code=/);
  });

  it('is journaled and logged when it is refused, without what was typed [LOG-125]', async () => {
    const from = world.logText().length;
    await web.browser.submit(await pageOfDirectory(), { loginName: 'typed-by-mistake', password: 'a wrong one' });
    const [event] = await world.sql<{ type: string; payload: object }>`
      SELECT type, payload FROM event ORDER BY position DESC LIMIT 1`;
    expect(event).toEqual({
      type: 'sign_in.password.check.failed',
      payload: { reason: 'directory_wrong', userId: null, userName: null },
    });
    const lines = world.logText().slice(from);
    expect(lines).toContain('sign_in.directory_wrong');
    expect(lines).not.toMatch(/typed-by-mistake|a wrong one/);
  });

  it('does not count what a directory could not answer', async () => {
    const who = person();
    directory.misdeed = 'closed connections';
    for (let failure = 0; failure < 11; failure += 1) {
      const page = await pageOfDirectory();
      await expect(web.browser.submit(page, who)).rejects.toThrow(/answered 502/);
    }
    directory.misdeed = undefined;
    expect((await signIn(web, await pageOfDirectory(), who)).redirect).toMatch(/code=/);
  });
});

describe('A directory that hangs', () => {
  it('holds twenty checks, tells others to try again, and harms nobody else', async () => {
    const hanging = person();
    const parties = Array.from({ length: 20 }, () => web.elsewhere());
    const pages = await Promise.all(parties.map((party) => pageOfDirectory(party)));
    let asked = 0;
    LineKind.does.check = async (_, __, signal) => {
      asked += 1;
      await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
    };
    const waiting = parties.map((party, place) =>
      party.browser.submit(pages[place]!, { loginName: `${hanging.loginName}-${place}`, password: 'x' }).catch(String),
    );
    while (asked < 20) await new Promise((resolve) => setTimeout(resolve, 10));
    const busy = pageOf(await web.browser.submit(await pageOfDirectory(), hanging));
    expect([busy.status, errorsOf(busy)]).toEqual([
      400,
      ['Many people are signing in right now. Please try again in a moment.'],
    ]);
    LineKind.does = {};
    const other = (await addProvider()).id;
    const elsewhere = web.elsewhere();
    const page = pageOf(await elsewhere.browser.get(await startPath(elsewhere, other)));
    expect((await signIn(elsewhere, page, person())).redirect).toMatch(/code=/);
    expect(await Promise.all(waiting)).toEqual(Array(20).fill(expect.stringMatching(/answered 502/)));
  });

  it('loses its connections when the call is over, however it ends', async () => {
    const who = person();
    directory.misdeed = 'silence';
    await expect(web.browser.submit(await pageOfDirectory(), who)).rejects.toThrow(/answered 502/);
    while (directory.openConnections > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  });
});

describe('A kind of directories', () => {
  it('shares its name space with those to which browsers are sent', async () => {
    const filled = [{ extension: 'line', name: 'LineKind', part: new LineKind() }];
    const kinds = new ExtKinds(filled as never, filled, world.get(ExtKinds)['settings']);
    expect(kinds.mistakes()).toEqual(['Several classes are the identity provider kind ext:line. Give each its own.']);
    expect(DIRECTORY_KIND.mistakes([{ ...filled[0]!, extension: 'other' }] as never)).toHaveLength(1);
  });

  it('is tested with its own words', async () => {
    expect((await addProvider()).parts).toEqual([
      { part: 'extension', ok: true, detail: 'The extension line has the kind ext:line.' },
      { part: 'directory', ok: true, detail: 'The directory answers, and users can be found in it.' },
    ]);
    const { parts } = await addProvider({ settings: { host: '10.0.0.1', port: 1 } });
    expect(parts[1]).toMatchObject({ ok: false, detail: expect.stringMatching(/OUTBOUND_ALLOW/) });
  });
});
