import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { paths } from '../../src/org/instance/paths.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { newcomerUnder } from '../login/factor-turns.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { closeWindows, openChromium } from './chromium.js';
import { fillByKeyboard, heading, inspect, LOCALES, pressByKeyboard } from './inspection.js';
import { Window } from './window.js';

const NEW = 'Another-Horse-8';

let browser: Browser;
let world: World;
let window: Window;
let person: TestPerson;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true });
});

afterAll(async () => {
  await closeWindows();
  await world.close();
});

const open = async (path: string): Promise<void> => {
  await window.page.goto(`${world.issuer}${path}`);
};

beforeEach(async () => {
  person = await newcomerUnder(world, { secondFactors: ['otp', 'otp_email'] });
});

describe('The account page on a phone and on a desk', () => {
  it.each(LOCALES)('is readable, accessible and complete, in %s', async (locale) => {
    window = await Window.again(browser, { locale });
    await new RelyingParty(world, await world.cast.web1).tokens(person, { scope: 'openid profile offline_access' });
    await open(paths.account);
    await window.signIn(person);
    await window.shows('.account-groups');
    for (const [name, path] of [
      ['overview', paths.account],
      ['profile', paths.accountProfile],
      ['contact', paths.accountContact],
      ['password', paths.accountPassword],
      ['keys', paths.accountKeys],
      ['steps', paths.accountSteps],
      ['devices', paths.accountDevices],
      ['applications', paths.accountApplications],
    ] as const) {
      await open(path);
      await inspect(window, `account-${name}`, locale);
    }
    await window.page.click('button[value="remove"]');
    await window.shows('.button-danger');
    await inspect(window, 'account-question', locale);
  });
});

describe('The pages of the account that are opened seldom', () => {
  it('have no fault on a phone', async () => {
    window = await Window.again(browser);
    await world.transaction((tx) =>
      world.get(PolicyService).set(tx, 'selfService', person.orgId, { deleteAccount: true }, EDITOR),
    );
    await open(paths.account);
    await window.signIn(person);
    await window.shows('.account-groups');
    await window.page.setViewportSize({ width: 390, height: 844 });
    for (const path of [paths.accountLinks, paths.accountActivity, paths.accountData, paths.accountDeletion]) {
      await open(path);
      expect(await heading(window)).not.toBe('Page not found');
      expect([path, await window.isTooWide(), await window.accessibilityFindings()]).toEqual([path, false, []]);
    }
  });
});

describe('With the keyboard alone and without JavaScript', () => {
  it('the password is changed, and the other devices are signed out', async () => {
    window = await Window.again(browser, { javaScriptEnabled: false });
    await new RelyingParty(world, await world.cast.web1).tokens(person);
    await open(paths.accountDevices);
    await window.signIn(person);
    await window.shows('button[value="others"]');
    await pressByKeyboard(window, 'button[value="others"]');
    await window.shows('.button-danger');
    await pressByKeyboard(window, '.button-danger');
    await window.shows('[role="status"]');
    expect(await window.page.locator('.account-items > li').count()).toBe(1);
    await open(paths.accountPassword);
    await fillByKeyboard(window, { oldPassword: person.password, newPassword: NEW, newPasswordRepeat: NEW });
    await window.shows('[role="status"]');
    expect(await heading(window)).toBe('Password');
  });
});
