import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import type { Window } from './window.js';

const SCREENSHOTS = fileURLToPath(new URL('../screenshots/', import.meta.url));
const arePicturesWanted = process.env.SCREENSHOTS === '1';
const WIDTHS = [390, 1280];
export const SCHEMES = ['light', 'dark'] as const;

/** The locales of the browsers that look at every page. */
export const LOCALES = ['en-GB', 'de-CH'] as const;
export type Locale = (typeof LOCALES)[number];

/** Keeps a picture of the page in test/screenshots, with SCREENSHOTS=1. */
export async function photograph({ page }: Window, name: string): Promise<void> {
  if (!arePicturesWanted) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: `${SCREENSHOTS}${name}.png`, fullPage: true, animations: 'disabled' });
}

/**
 * Inspects the page on a phone and on a desktop, in light and dark mode, and checks that nothing was refused or failed.
 * Accessibility is checked on the phone in light mode and on the desktop in dark mode: problems depend on the width or
 * on the colours, not on both. They do not depend on the language either, so that half of the pages are checked in each
 * of the two.
 */
export async function inspect(window: Window, name: string, locale: Locale): Promise<void> {
  const { page } = window;
  const isLanguageExamined = locale === LOCALES[name.length % LOCALES.length];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width > 800 ? 800 : 844 });
    expect(await page.evaluate(factsOfPage)).toEqual({ isTooWide: false, language: locale.slice(0, 2) });
    for (const colorScheme of SCHEMES) {
      const isExamined = isLanguageExamined && width > 800 === (colorScheme === 'dark');
      if (!isExamined && !arePicturesWanted) continue;
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' }); // no colour half-way between two
      if (isExamined) expect(await window.accessibilityFindings()).toEqual([]);
      await photograph(window, `${name}.${locale}.${width}.${colorScheme}`);
    }
  }
  expect(window.complaints).toEqual([]);
}

/** At once, since each question takes its way to the browser. */
function factsOfPage(): { isTooWide: boolean; language: string } {
  const { scrollWidth, clientWidth, lang } = document.documentElement;
  return { isTooWide: scrollWidth > clientWidth, language: lang };
}

/** The heading of the page, once it is the one that was meant. */
export async function heading({ page }: Window): Promise<string> {
  await page.waitForLoadState();
  // Not by a locator: what playwright brings into the page for it costs as much as a third of the page.
  return page.evaluate(() => document.querySelector('h1')!.innerText);
}

/** Goes to an element with the keyboard. @throws Error when it cannot be reached */
export async function walkTo(window: Window, selector: string): Promise<void> {
  const { page } = window;
  await window.shows(selector);
  for (let steps = 0; steps < 30; steps += 1) {
    if (await page.evaluate((wanted) => document.querySelector(wanted) === document.activeElement, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${selector} cannot be reached with the keyboard.`);
}

/** Types into fields and sends the form, with the keyboard alone. */
export async function fillByKeyboard(window: Window, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    await walkTo(window, `input[name="${name}"]:not([hidden])`);
    await window.page.keyboard.press('ControlOrMeta+a');
    await window.page.keyboard.type(value);
  }
  await window.page.keyboard.press('Enter');
}

/** Follows a link, or presses a button, with the keyboard alone. */
export async function pressByKeyboard(window: Window, selector: string): Promise<void> {
  await walkTo(window, selector);
  await window.page.keyboard.press('Enter');
}
