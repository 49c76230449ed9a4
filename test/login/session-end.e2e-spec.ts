import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import type { TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { begin, beginPassword, pageOf } from './turns.js';

let world: World;
let web1: RelyingParty;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  web1 = new RelyingParty(world, await world.cast.web1);
  person = await world.add.person({ orgId: (await world.cast.orgA).id });
});

const cleanUp = (): Promise<number> => world.get(HousekeepingService).run();
const stored = async (
  table: 'session' | 'browser' | 'auth_request' | 'parked_request',
  column: string,
  id: string,
): Promise<number> => (await world.rows(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [id])).length;

describe('A session', () => {
  it('asks for the password again once the lifetime of the login policy is over, and shows no user as signed in [LOG-011]', async () => {
    await web1.signIn(person);
    world.clock.advance('239h');
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
    expect(pageOf(await web1.browser.get(paths.hub)).text).toContain(person.loginName);
    world.clock.advance('1h');
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBe('login_required');
    expect((await begin(web1)).find('input[name="password"]')).not.toBeNull();
    expect(pageOf(await web1.browser.get(paths.hub)).text).not.toContain(person.loginName);
  });

  it('goes with its cookie once nothing can name it any more, and not before [LOG-011]', async () => {
    const { access_token: token } = await web1.tokens(person);
    world.clock.advance('239h');
    const { access_token: lastToken } = await web1.tokens(person);
    world.clock.advance('11h');
    await cleanUp();
    expect((await web1.introspect(token)).json()).toEqual({ active: false }); // expired
    expect((await web1.introspect(lastToken)).json()).toMatchObject({ active: true });
    world.clock.advance('3h');
    await cleanUp();
    expect(await stored('session', 'user_id', person.id)).toBe(0);
    const cookie = web1.browser.cookies.get('gatehouse');
    const page = await begin(web1);
    expect([page.find('input[name="loginName"]') !== null, page.text.includes(person.loginName)]).toEqual([
      true,
      false,
    ]);
    expect(web1.browser.cookies.get('gatehouse')).not.toBe(cookie);
  });

  it('that is renewed by a password lives on', async () => {
    await web1.signIn(person);
    world.clock.advance('200h');
    await web1.signIn(person, { prompt: 'login' });
    world.clock.advance('200h');
    await cleanUp();
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
  });
});

describe('An unanswered request', () => {
  it('that waits for its browser is kept for an hour after it has expired, and then deleted', async () => {
    const native = new RelyingParty(world, await world.cast.nat1);
    const asked = await beginPassword(native, person.loginName);
    const last = await native.browser.submitOnce(asked, { password: person.password });
    const [, id = ''] = /callback\?id=(\d+)$/.exec(last.header('refresh') ?? '') ?? [];
    const path = `${paths.hub}?authRequestID=${id}`;
    world.clock.advance('119m');
    await cleanUp();
    expect((await native.browser.request('GET', path)).status).toBe(410);
    world.clock.advance('2m');
    await cleanUp();
    expect(await stored('parked_request', 'id', id)).toBe(0);
    expect((await native.browser.request('GET', path)).status).toBe(404);
  });

  it('that does not is kept by its pages only, and expires after an hour', async () => {
    const page = await begin(web1);
    world.clock.advance('61m');
    expect((await web1.browser.submitOnce(page, { loginName: 'alice' })).status).toBe(410);
    expect(await world.rows('SELECT 1 FROM parked_request')).toEqual([]);
  });

  it('goes alone: one that was answered is remembered for two days, so that a second use of its code is seen', async () => {
    const code = await web1.code(person);
    await web1.redeem(code);
    world.clock.advance('47h');
    await cleanUp();
    expect(await stored('auth_request', 'user_id', person.id)).toBe(1);
    world.clock.advance('2h');
    await cleanUp();
    expect(await stored('auth_request', 'user_id', person.id)).toBe(0);
  });
});

describe('A browser without a signed-in user', () => {
  it('has no row, however often it comes', async () => {
    const browsers = async (): Promise<number> => (await world.rows('SELECT 1 FROM browser')).length;
    const before = await browsers();
    for (let count = 0; count < 3; count += 1) await beginPassword(web1, 'nobody');
    expect(await browsers()).toBe(before);
    await web1.signIn(person);
    expect(await browsers()).toBe(before + 1);
  });

  it('from which a user has signed out keeps its row for a week', async () => {
    await web1.signIn(person);
    await world.rows('UPDATE session SET ended_at = $1 WHERE user_id = $2', [world.clock.now(), person.id]);
    const [own] = await world.rows<{ id: string }>('SELECT browser_id AS id FROM session WHERE user_id = $1', [
      person.id,
    ]);
    world.clock.advance('6d');
    await cleanUp();
    expect(await stored('browser', 'id', own!.id)).toBe(1);
    world.clock.advance('2d');
    await cleanUp();
    expect(await stored('browser', 'id', own!.id)).toBe(0);
  });
});
