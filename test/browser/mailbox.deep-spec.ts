import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { PersonService } from '../../src/user/person.service.js';
import { EDITOR } from '../support/builders.js';
import { codeIn, lastMailTo } from '../support/mails.js';
import { startWorld, type World } from '../support/world.js';
import { closeWindows, openChromium } from './chromium.js';
import { photograph } from './inspection.js';
import { Window } from './window.js';

let browser: Browser;
let world: World;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true });
  const { id: orgId } = await world.cast.orgA;
  for (const [userName, firstName, preferredLanguage] of [
    ['ilse', 'Ilse', 'de'],
    ['omar', 'عمر', 'en'],
    ['long', `${'Maximiliane-'.repeat(8)}`, 'fr'],
  ] as const) {
    await world.transaction((tx) =>
      world.get(PersonService).add(
        tx,
        {
          orgId,
          userName,
          email: `${userName}@mail.test`,
          profile: { firstName, lastName: 'Brandt', preferredLanguage },
        },
        EDITOR,
      ),
    );
    codeIn(world, await lastMailTo(world, `${userName}@mail.test`));
  }
});
afterAll(async () => {
  await closeWindows();
  await world.close();
});

const PAGES = ['list', 'mail'] as const;

describe.each(PAGES)('The %s of the development mailbox', (name) => {
  it.each([
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('at %d px, %s: fits, can be read by everybody, and runs nothing', async (width, colorScheme) => {
    const window = await Window.again(browser);
    await window.page.setViewportSize({ width, height: 900 });
    await window.page.emulateMedia({ colorScheme });
    const { id } = await lastMailTo(world, 'omar@mail.test');
    await window.page.goto(`${world.issuer}/dev/mail${name === 'list' ? '' : `/${id}`}`);
    await window.page.waitForLoadState(); // the frame of a mail included
    await photograph(window, `mailbox-${name}.${width}.${colorScheme}`);
    expect(await window.isTooWide()).toBe(false);
    expect(window.complaints).toEqual([]);
    expect(await window.accessibilityFindings()).toEqual([]); // asks the frame too, which has no origin to ask
  });
});

it('the button of a mail in its frame opens the page that it leads to, elsewhere', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const { id } = await lastMailTo(world, 'ilse@mail.test');
  await page.goto(`${world.issuer}/dev/mail/${id}`);
  const opened = context.waitForEvent('page');
  await page.frameLocator('iframe').locator('a').first().click();
  expect(new URL((await opened).url() || 'about:blank').protocol).toMatch(/^(http|about):$/);
  await (await opened).waitForURL(/\/ui\/login\/user\/init\?userID=/);
  await context.close();
});
