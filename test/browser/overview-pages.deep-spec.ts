import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { overviewPagesSaying } from '../../src/extension/testing/page/every-overview-page.js';
import { paths } from '../../src/org/instance/paths.js';
import type { LoginLanguage } from '../../src/page/catalogue/catalogue.js';
import { PageRenderer } from '../../src/page/page-renderer.js';
import { startWorld, type World } from '../support/world.js';
import { closeWindows, openChromium } from './chromium.js';
import { inspect, LOCALES, photograph } from './inspection.js';
import { Window } from './window.js';

const NAME = 'Ada Lovelace';
const LONG = `Wilhelmina-Katharina Oppenheimer-Kruse ${'a-name-without-end-'.repeat(6)}@birkenhof.example`;

type Sample = keyof ReturnType<typeof overviewPagesSaying>;
const names = Object.keys(overviewPagesSaying('x')) as readonly Sample[];

let browser: Browser;
let world: World;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true });
});

afterAll(async () => {
  await closeWindows();
  await world.close();
});

/** A page with all that it can show, unfolded, as the service sends it and with the style that it has for it. */
async function show(window: Window, name: Sample, word: string, language: LoginLanguage): Promise<void> {
  const address = `${world.issuer}${paths.overview}`;
  const { headers, html } = world
    .get(PageRenderer)
    .compose(overviewPagesSaying(word)[name], { language, brand: 'Birkenhof' });
  await window.page.route(address, (route) => route.fulfill({ headers, body: html }));
  await window.page.goto(address);
  await window.page.evaluate(() => {
    for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '');
  });
}

describe.each(names)('The page %s', (name) => {
  it.each(LOCALES)(
    'fits a phone and a desktop, in light and dark mode, is accessible, and nothing is refused or fails, in %s',
    async (locale) => {
      const window = await Window.again(browser, { locale });
      await show(window, name, NAME, locale.startsWith('de') ? 'de' : 'en');
      await inspect(window, name, locale);
    },
  );

  it('fits a phone though every name is long, and is accessible from right to left', async () => {
    const window = await Window.again(browser);
    await window.page.setViewportSize({ width: 390, height: 844 });
    for (const [word, language] of [
      [LONG, 'en'],
      [NAME, 'ar'],
    ] as const) {
      await window.page.unrouteAll();
      await show(window, name, word, language);
      expect([language, await window.isTooWide(), await window.accessibilityFindings()]).toEqual([language, false, []]);
      await photograph(window, `${name}.${language}.of-${word.length}`);
    }
  });
});
