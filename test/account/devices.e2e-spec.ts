import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { pageOf } from '../login/turns.js';
import type { Page } from '../support/browser.js';
import { RelyingParty } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import { AccountStage, tokenOf } from './account-stage.js';
import { statusOf } from './account-turns.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

let stage: AccountStage;
let world: World;

beforeAll(async () => {
  stage = await AccountStage.set();
  ({ world } = stage);
});
beforeEach(() => world.clock.advance('1h'));
afterAll(() => world.close());

describe('Devices', () => {
  it('are named in words, this one first, each with its end', async () => {
    const holder = await stage.holderOf();
    const other = new RelyingParty(world, await world.cast.web1);
    other.browser.headers = { 'User-Agent': FIREFOX };
    const tokens = await other.tokens(holder.person);
    world.clock.advance('1m');
    const page = await holder.open(paths.accountDevices);
    const devices = page.all('.account-items > li').map(({ text }) => text.replace(/\s+/g, ' '));
    expect(devices).toHaveLength(2);
    expect(devices[0]).toContain('This device');
    expect(devices[1]).toContain('Firefox · Linux');
    expect(devices[1]).toContain('127.0.0.0');
    const { device } = page.formWith('device').fields;
    const question = pageOf(
      await holder.browser.post(paths.accountDevices, { ...tokenOf(page), decision: 'one', device }),
    );
    expect(question.heading).toBe('Sign out on this device?');
    expect((await other.introspect(tokens.access_token)).json()).toMatchObject({ active: true });
    expect(statusOf(pageOf(await holder.browser.submit(question, { confirmed: 'true' })))).toBe(
      'Devices signed out: 1',
    );
    expect((await other.introspect(tokens.access_token)).json()).toEqual({ active: false });
  });

  it('of other users are as unknown as ids that never were [ACC-003]', async () => {
    const [holder, stranger] = [await stage.holderOf(), await stage.holderOf()];
    const page = await holder.open(paths.accountDevices);
    await stranger.open();
    const [{ id } = { id: '' }] = await world.rows<{ id: string }>('SELECT id FROM session WHERE user_id = $1', [
      stranger.person.id,
    ]);
    const end = (device: string): Promise<Page> =>
      holder.browser
        .post(paths.accountDevices, { ...tokenOf(page), decision: 'one', device, confirmed: 'true' })
        .then(pageOf);
    const [foreign, unknown] = [await end(id), await end('123')];
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.text).toBe(unknown.text);
    expect((await stranger.browser.get(paths.account)).page?.heading).toBe('Your account');
  });

  it('all end at once, and no token issued after the commit is alive [ACC-009]', async () => {
    const holder = await stage.holderOf();
    const other = new RelyingParty(world, await world.cast.web1);
    const families: string[] = [];
    for (let family = 0; family < 5; family += 1)
      families.push((await other.tokens(holder.person, { scope: 'openid offline_access' })).refresh_token);
    const page = await holder.open(paths.accountDevices);
    const requests = Array.from({ length: 50 }, (_, index) => other.refresh(families[index % families.length]!));
    const everywhere = holder.browser.post(paths.accountDevices, {
      ...tokenOf(page),
      decision: 'everywhere',
      confirmed: 'true',
    });
    const replies = await Promise.all(requests);
    expect((await everywhere).page?.heading).toBe('You are signed out');
    for (const reply of replies) {
      const { access_token: token } = reply.json<{ access_token?: string }>();
      if (token !== undefined) expect((await other.introspect(token)).json()).toEqual({ active: false });
    }
    expect((await holder.browser.get(paths.account)).page?.heading).not.toBe('Your account');
  });
});
