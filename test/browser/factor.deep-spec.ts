import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import jsQr from 'jsqr';
import { TOTP, URI } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { type App, newcomerUnder, withApp } from '../login/factor-turns.js';
import type { TestClient, TestPerson } from '../support/builders.js';
import { type Parameters, toQuery } from '../support/http.js';
import { lastMailTo } from '../support/mails.js';
import { paths, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { type Application, OTHER_SITE, startApplication } from './application.js';
import { closeWindows, openChromium } from './chromium.js';
import { heading, inspect, LOCALES, SCHEMES } from './inspection.js';
import { Window } from './window.js';

let browser: Browser;
let world: World;
let application: Application;
let client: TestClient;
let window: Window;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true });
  application = await startApplication((origin) => ({
    authority: world.issuer,
    client_id: 'wiki',
    redirect_uri: `${origin}/`,
  }));
  client = await world.add.client({
    projectId: await world.cast.projectP,
    name: 'Wiki',
    clientId: 'wiki',
    devMode: true,
    redirectUris: [`${application.at(OTHER_SITE)}/`],
  });
});
afterAll(async () => {
  await closeWindows();
  await application.close();
  await world.close();
});

beforeEach(async () => {
  window = await Window.again(browser);
});

async function begin(over: Parameters = {}): Promise<void> {
  await window.page.goto(
    `${world.issuer}${paths.authorize}?${toQuery(new RelyingParty(world, client).parameters(over))}`,
  );
}

/** At the application. @throws Error with the text of the page that came instead */
async function isBack(): Promise<void> {
  try {
    await window.page.waitForURL(`${application.at(OTHER_SITE)}/?*`);
  } catch (error) {
    throw new Error(`Not back, but at: ${await window.page.locator('body').innerText()}`, { cause: error });
  }
}

const headed = (text: string): Promise<unknown> => window.page.waitForSelector(`h1:text-is("${text}")`);
const press = (name: string, value: string): Promise<void> => window.follow(`button[name="${name}"][value="${value}"]`);

/** A person whose organization lists both ways, and forces one; with a name that is read from right to left. */
const forced = (): Promise<TestPerson> => newcomerUnder(world, { forceMfa: true, secondFactors: ['otp', 'otp_email'] });

async function beginAs(person: TestPerson, over: Parameters = {}): Promise<void> {
  await begin(over);
  await window.signIn(person);
}

/** Where a phone looks at its pictures. */
let darkroom: Page | undefined;

/** What a phone sees: the picture on the screen, pixel by pixel. */
async function scan(): Promise<string | undefined> {
  const picture = await window.page.locator('.qr-code').screenshot({ animations: 'disabled' });
  darkroom ??= await browser.newPage();
  const { pixels, width, height } = await darkroom.evaluate(
    async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const bytes = context.getImageData(0, 0, image.width, image.height).data;
      // As one text: a list of numbers takes seconds to come over.
      return {
        pixels: Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''),
        width: image.width,
        height: image.height,
      };
    },
    `data:image/png;base64,${picture.toString('base64')}`,
  );
  return jsQr.default(Uint8ClampedArray.from(Buffer.from(pixels, 'latin1')), width, height)?.data;
}

async function setUpApp(): Promise<TOTP> {
  await press('factor', 'otp');
  const uri = await scan();
  const totp = URI.parse(uri ?? '') as TOTP;
  world.plant(totp.secret.base32);
  return totp;
}

/** As the app shows it; not one that is about to change, nor one that was used. */
const codeOf = (totp: TOTP): string => totp.generate();

describe('A second factor in a browser', () => {
  it.each(SCHEMES)(
    'is scanned from the screen, set up and asked for from then on, by the %s of a phone',
    async (colorScheme) => {
      const { page } = window;
      await page.setViewportSize({ width: 390, height: 844 });
      await page.emulateMedia({ colorScheme });
      const person = await forced();
      await beginAs(person);
      const totp = await setUpApp();
      expect([totp.issuer, totp.label, totp.algorithm, totp.digits, totp.period]).toEqual([
        person.loginName.split('@')[1],
        person.loginName,
        'SHA1',
        6,
        30,
      ]);
      await window.submit({ code: codeOf(totp) });
      await page.waitForSelector('.codes');
      const [code = ''] = await page.locator('.codes code').allInnerTexts();
      world.plant(code);
      await window.submit();
      await isBack();
      expect(window.complaints).toEqual([]);

      await page.context().clearCookies();
      await beginAs(person);
      await page.click('text=Use a recovery code');
      await window.submit({ code });
      await isBack();
      expect(window.complaints).toEqual([]);
    },
  );

  it('comes with recovery codes that can be copied, saved as a file and printed', async () => {
    const { page } = window;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(() => {
      globalThis.print = () => (document.documentElement.dataset['printed'] = 'yes');
    });
    await beginAs(await forced());
    await window.submit({ code: codeOf(await setUpApp()) });
    await page.waitForSelector('.codes');
    const codes = await page.locator('.codes code').allInnerTexts();

    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save as a file' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('recovery-codes.txt');
    expect(readFileSync(await download.path(), 'utf8')).toBe(`${codes.join('\n')}\n`);

    await page.getByRole('button', { name: 'Print' }).click();
    expect(await page.locator('html').getAttribute('data-printed')).toBe('yes');
    await page.emulateMedia({ media: 'print' });
    const onPaper = await page.locator('.codes, .extras, form, .foot').filter({ visible: true }).all();
    await page.emulateMedia({ media: null }); // the window is that of the next test, too
    expect(await Promise.all(onPaper.map((part) => part.getAttribute('class')))).toEqual(['codes']);
    expect(window.complaints).toEqual([]);
  });

  it('works without JavaScript and with the keyboard alone', async () => {
    window = await Window.again(browser, { javaScriptEnabled: false });
    const person = await forced();
    const app = await withApp(world, person);
    await beginAs(person);
    await window.shows('#code');
    await window.page.focus('#code');
    await window.page.keyboard.type(app.code());
    await window.page.keyboard.press('Enter');
    await isBack();
  });

  it('by mail is sent, typed, and sent again without a code in the field', async () => {
    const person = await forced();
    await beginAs(person);
    await press('factor', 'otp_email');
    await window.shows('#code');
    await press('decision', 'send');
    await headed('Enter your code');
    const { text } = await lastMailTo(world, person.email);
    const code = /\b\d{8}\b/.exec(text)![0];
    world.plant(code);
    await window.submit({ code });
    await isBack();
    expect(window.complaints).toEqual([]);
  });
});

let app: App;

/** Every page, and how one comes to it. */
const pages: ReadonlyArray<readonly [string, () => Promise<void>]> = [
  ['factor-offer', async () => beginAs(await newcomerUnder(world, {}), { acr_values: '2' })],
  ['factor-required', async () => beginAs(await forced())],
  ['factor-unavailable', async () => beginAs(await newcomerUnder(world, { forceMfa: true, secondFactors: [] }))],
  [
    'factor-totp-set-up',
    async () => {
      await beginAs(await forced());
      await press('factor', 'otp');
    },
  ],
  [
    'factor-totp-set-up-wrong',
    async () => {
      await beginAs(await forced());
      await press('factor', 'otp');
      await window.submit({ code: '12' });
    },
  ],
  [
    'factor-email-set-up',
    async () => {
      await beginAs(await forced());
      await press('factor', 'otp_email');
    },
  ],
  [
    'factor-recovery-codes',
    async () => {
      await beginAs(await forced());
      await window.submit({ code: codeOf(await setUpApp()) });
    },
  ],
  [
    'factor-totp',
    async () => {
      await beginAs(await holder());
    },
  ],
  [
    'factor-totp-wrong',
    async () => {
      await beginAs(await holder());
      await window.submit({ code: app.wrong() });
    },
  ],
  [
    'factor-email',
    async () => {
      await beginAs(await holder());
      await window.page.locator('main .ways .link').first().click();
    },
  ],
  [
    'factor-recovery-code',
    async () => {
      await beginAs(await holder());
      await window.page.locator('main .ways .link').last().click();
    },
  ],
];

/** Who holds every kind, and has a name that is read from right to left. */
async function holder(): Promise<TestPerson> {
  const { orgId } = await forced();
  const person = await world.add.person({
    orgId,
    userName: `ليلى-${Date.now()}`,
    email: 'layla@mail.test',
    profile: { firstName: 'ליאור', lastName: 'כהן' },
  });
  app = await withApp(world, person, ['recovery-1']);
  await world.rows(
    "INSERT INTO auth_factor (id, user_id, kind, state, created_at) VALUES ($1, $2, 'otp_email', 'ready', now())",
    [`factor-of-${person.id}`, person.id],
  );
  return person;
}

describe.each(LOCALES)('The pages of second factors in %s', (locale) => {
  const headings = new Set<string>();

  beforeEach(async () => {
    window = await Window.again(browser, { locale });
  });

  it.each(pages)(
    '%s fits a phone and a desktop, in light and dark mode, is accessible, and nothing is refused or fails',
    async (name, reach) => {
      await reach();
      headings.add(await heading(window));
      await inspect(window, name, locale);
    },
  );

  it('have all been visited', () => {
    expect(headings.size).toBe(5);
  });
});
