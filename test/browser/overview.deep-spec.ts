import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { DayCounts } from '../../src/foundation/day-count/day-counts.js';
import { paths } from '../../src/org/instance/paths.js';
import { Manager } from '../admin/overview/manager.js';
import { setPolicy } from '../login/factor-turns.js';
import { setState } from '../login/turns.js';
import type { TestOrg, TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { closeWindows, openChromium } from './chromium.js';
import { heading, inspect, LOCALES, pressByKeyboard } from './inspection.js';
import { Window } from './window.js';

let browser: Browser;
let world: World;
let acme: TestOrg;
let ilse: TestPerson;
let manager: TestPerson;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true });
  acme = await world.add.org(undefined, 'Acme');
  ilse = await world.add.person({ orgId: acme.id, profile: { firstName: 'Ilse', lastName: 'Brandt' } });
  manager = (await Manager.of(world, acme, 'IAM_OWNER')).holder.person;
  await setPolicy(world, acme.id, { hidePasswordReset: true });
  const rp = new RelyingParty(world, await world.cast.web1);
  await rp.tokens(ilse);
  await rp.elsewhere().enter(await rp.elsewhere().authorize(), { ...ilse, password: 'Wrong-Horse-7' });
  await setState(world, ilse, 'locked');
  await world.get(DayCounts).write();
});

afterAll(async () => {
  await closeWindows();
  await world.close();
});

const open = async (window: Window, path: string): Promise<void> => {
  await window.page.goto(`${world.issuer}${path}`);
};

const enter = async (options: Parameters<typeof Window.again>[1] = {}): Promise<Window> => {
  const window = await Window.again(browser, options);
  await open(window, paths.overview);
  await window.signIn(manager);
  await window.shows('.overview-nav');
  return window;
};

describe('The overview on a phone and on a desk', () => {
  it.each(LOCALES)('is readable, accessible and complete, in %s', async (locale) => {
    const window = await enter({ locale });
    for (const [name, path] of [
      ['home', paths.overview],
      ['people', `${paths.overviewPeople}?query=brandt`],
      ['person', `${paths.overviewPeople}/${ilse.id}`],
      ['orgs', paths.overviewOrgs],
      ['applications', paths.overviewApplications],
      ['policies', `${paths.overviewPolicies}?org=${acme.id}`],
      ['operation', paths.overviewService],
      ['question', `${paths.overviewPeople}/${ilse.id}/unlock`],
    ] as const) {
      await open(window, path);
      await window.shows('.overview-nav');
      await inspect(window, `real-overview-${name}`, locale);
    }
  });
});

describe('With the keyboard alone and without JavaScript', () => {
  it('a person is found and unlocked', async () => {
    const window = await enter({ javaScriptEnabled: false });
    await window.page.focus('input[name="query"]');
    await window.page.keyboard.type('brand');
    await window.page.keyboard.press('Enter');
    await pressByKeyboard(window, `a[href="${paths.overviewPeople}/${ilse.id}"]`);
    await pressByKeyboard(window, 'a[href$="/unlock"]');
    await window.shows('form button');
    await pressByKeyboard(window, 'form[action$="/unlock"] button');
    await window.shows('.notice-done');
    expect(await heading(window)).toContain('Ilse Brandt');
    await setState(world, ilse, 'locked');
  });
});

describe('A line of the overview', () => {
  it('leads to its operation at /docs, filled in', async () => {
    const window = await enter();
    await open(window, `${paths.overviewPeople}/${ilse.id}`);
    await window.page.click(`a[href^="/docs#/Users/UnlockUser"]`);
    await window.shows('#operations-Users-UnlockUser.is-open');
    expect(await window.page.locator('#operations-Users-UnlockUser input').first().inputValue()).toBe(ilse.id);
  });
});
