import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type ServiceProcess, startProcess } from '../support/service-process.js';
import { closeWindows, openChromium } from './chromium.js';
import { SwaggerPage } from './swagger-page.js';
import { Window } from './window.js';

const LIMIT_MS = 600_000;
const WIDTHS = [1280, 390] as const;
const HEIGHT = 720;

let browser: Browser;
let service: ServiceProcess;
let window: Window;

beforeAll(async () => {
  browser = await openChromium();
  service = await startProcess();
  window = await Window.open(browser);
  await SwaggerPage.open(window.page, service.origin);
});
afterAll(async () => {
  await closeWindows();
  await service.close();
});

/** What is wrong with the page while all operations of a heading are open. */
interface Seen {
  readonly heading: string;
  readonly operations: number;
  readonly errors: readonly string[];
  /** Its width in pixels, by that of the window. */
  readonly widths: Readonly<Record<number, number>>;
}

describe('Swagger UI of the service as it ships', () => {
  it(
    `opens every operation without an error on the page or in the console, at ${WIDTHS.join(' and ')} pixels`,
    async () => {
      const seen: Seen[] = [];
      for (const heading of await window.page.locator('.opblock-tag').evaluateAll((all) => all.map(({ id }) => id)))
        seen.push(await lookAt(heading));
      expect(seen.reduce((sum, { operations }) => sum + operations, 0)).toBeGreaterThan(500);
      expect(seen.filter(({ errors }) => errors.length > 0)).toEqual([]);
      expect(seen.filter(({ widths }) => WIDTHS.some((width) => widths[width]! > width))).toEqual([]);
      expect(window.complaints).toEqual([]);
    },
    LIMIT_MS,
  );
});

async function lookAt(heading: string): Promise<Seen> {
  const { page } = window;
  const section = page.locator('.opblock-tag-section').filter({ has: page.locator(`[id="${heading}"]`) });
  const press = (selector: string): Promise<void> =>
    section.evaluate((within, wanted) => {
      for (const one of within.querySelectorAll<HTMLElement>(wanted)) one.click();
    }, selector);
  if ((await page.locator(`[id="${heading}"]`).getAttribute('data-is-open')) !== 'true') await press('.opblock-tag');
  await section.locator('.opblock').first().waitFor();
  const operations = await section.locator('.opblock').count();
  await press('.opblock:not(.is-open) .opblock-summary-control');
  await section
    .locator('.opblock-body')
    .nth(operations - 1)
    .waitFor();
  const widths: Record<number, number> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    widths[width] = await page.evaluate(() => document.documentElement.scrollWidth);
  }
  const errors = await page.locator('.errors-wrapper, .error-wrapper, .loading-container .failed').allInnerTexts();
  await press('.opblock.is-open .opblock-summary-control');
  await press('.opblock-tag');
  return { heading, operations, errors, widths };
}
