import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, CDPSession, ConsoleMessage, Page } from 'playwright-core';
import type { TestPerson } from '../support/builders.js';

/** The status of a page that is meant to be a refusal; the browser notes it like a broken picture. */
const STATUS_OF_PAGE = /^Failed to load resource: the server responded with a status of/;

/** Against what hangs, not against what is slow: other tests keep the processors busy meanwhile. */
const TIMEOUT_MS = 25_000;

declare global {
  /** What a script of an attack calls. */
  function x(): void;
}

/** How often a page is asked for something that is not there yet. */
const LOOK_MS = 25;

/** In ASCII: V8 keeps and compares a text with a single letter from elsewhere at twice the size, for each page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8').replaceAll(
  /[^\0-\x7f]/g,
  (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

/** What playwright says when the page has gone while it was asked. */
const LEFT_MEANWHILE = /Execution context was destroyed|Cannot find context/;

/** Windows by their options. */
const opened = new WeakMap<Browser, Map<string, Window>>();

const VIEWPORT = { width: 1280, height: 720 };

/** A browser window of one person, which notes whatever scripts, the console and the content policy complain of. */
export class Window {
  readonly complaints: string[] = [];
  private onComplaint: ((text: string) => void) | undefined;
  private debugger: CDPSession | undefined;
  private remaining: Page | undefined;

  constructor(readonly page: Page) {}

  /** With cookies of its own. */
  static async open(browser: Browser, options: BrowserContextOptions = {}): Promise<Window> {
    const context = await browser.newContext({ locale: 'en-GB', viewport: VIEWPORT, ...options });
    context.setDefaultTimeout(TIMEOUT_MS);
    const window = new Window(await context.newPage());
    await window.listen();
    return window;
  }

  /**
   * The same as `open`, by a window that was opened so before: what it remembers is gone, but for the cache and for
   * what scripts have stored. Opening one takes as long as three pages. Not to be closed.
   */
  static async again(browser: Browser, options: BrowserContextOptions = {}): Promise<Window> {
    const windows = opened.get(browser) ?? new Map<string, Window>();
    opened.set(browser, windows);
    const key = JSON.stringify(options);
    const known = windows.get(key);
    if (known) {
      await known.reset();
      return known;
    }
    const window = await Window.open(browser, options);
    await window.keepProcess();
    windows.set(key, window);
    return window;
  }

  /** A page of the service's site that stays, and with it the process of all pages there (runner/chromium.mjs). */
  private async keepProcess(): Promise<void> {
    const page = await this.page.context().newPage();
    await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto('http://127.0.0.1/');
    this.remaining = page;
  }

  private async reset(): Promise<void> {
    const { page } = this;
    const context = page.context();
    await Promise.all(
      context
        .pages()
        .filter((other) => other !== page && other !== this.remaining)
        .map((other) => other.close()),
    );
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    page.removeAllListeners('request');
    await page.goto('about:blank');
    await context.clearCookies();
    await page.setViewportSize(VIEWPORT);
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
    this.complaints.length = 0;
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  /** Fills in the login pages; where the last of them leads to is not waited for. */
  async signIn(person: Pick<TestPerson, 'loginName' | 'password'>): Promise<void> {
    await this.submit({ loginName: person.loginName });
    await this.submit({ password: person.password });
  }

  /** Fills in fields, presses the button that every form of ours has, and waits until it has led to another page. */
  async submit(fields: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.fillIn(fields);
    await this.follow('#submit');
  }

  /** The same for a form that the browser itself would stop: what the service says of it is seen. */
  async submitUnchecked(fields: Readonly<Record<string, string>>): Promise<void> {
    await this.shows('#submit');
    await this.page.evaluate(() => document.querySelector('#submit')!.setAttribute('formnovalidate', ''));
    await this.submit(fields);
    await this.shows('.notice-error');
  }

  /** Types into fields, in the place of what is there. */
  async fillIn(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) {
      await this.find(`input[name="${name}"]`, selectField);
      await this.page.keyboard.insertText(value);
    }
  }

  /** Presses a link or a button, and waits until it has led to another page. */
  async follow(selector: string): Promise<void> {
    const { page } = this;
    // The address of a page that is left by a form changes before the next page comes (login.js).
    const left = page.waitForEvent('domcontentloaded');
    await Promise.all([left, this.press(selector)]).catch((error: unknown) => {
      if (!page.isClosed()) throw error; // a window that an application has opened closes at its end
    });
  }

  /**
   * Presses with the mouse what is to be seen and not covered. The mouse is not moved there first: a page that has just
   * come may be told of a move only seconds later.
   */
  async press(selector: string): Promise<void> {
    const wire = await this.wire();
    const button = { ...(await this.find(selector, middleOf)), button: 'left', clickCount: 1 } as const;
    await wire.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button });
    await wire.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button });
  }

  /** Waits until an element can be seen. */
  async shows(selector: string): Promise<void> {
    await this.find(selector, isShown);
  }

  /** Waits until an element is gone. */
  async isPast(selector: string): Promise<void> {
    await this.find(selector, isMissing);
  }

  /**
   * What `look` says of an element, as soon as it says something. It runs in the page. Not by the means of playwright,
   * which brings for them into each page what costs more than the page.
   */
  private async find<Found>(selector: string, look: (selector: string) => Found | undefined): Promise<Found> {
    const end = Date.now() + TIMEOUT_MS;
    for (;;) {
      const found = await this.page.evaluate<Found | undefined, string>(look, selector).catch((error: unknown) => {
        if (LEFT_MEANWHILE.test(String(error))) return undefined;
        throw error;
      });
      if (found !== undefined) return found;
      if (Date.now() > end) throw new Error(`${selector} cannot be used at ${this.page.url()}.`);
      await sleep(LOOK_MS);
    }
  }

  /** The next error or warning. */
  async nextComplaint(): Promise<string> {
    return new Promise((resolve) => {
      this.onComplaint = resolve;
    });
  }

  /** A page that needs to be moved sideways to be read is not made for this screen. */
  async isTooWide(): Promise<boolean> {
    return this.page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  }

  /** What axe finds wrong with the page as it stands, by rule and element (WCAG 2.2 AA and good practice). */
  async accessibilityFindings(): Promise<string[]> {
    if (!(await this.page.evaluate(() => 'axe' in window))) await this.loadAxe();
    return this.page.evaluate(async () => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      // The style sheets are applied already; reading them once more would be a request that the policy refuses.
      const { violations } = await axe.run(document, { preload: false, resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
    });
  }

  /**
   * Not as a script of the page, which its policy would refuse, and as one that Chromium compiles once for many pages.
   */
  private async loadAxe(): Promise<void> {
    await (await this.wire()).send('Runtime.evaluate', { expression: AXE });
  }

  private async wire(): Promise<CDPSession> {
    this.debugger ??= await this.page.context().newCDPSession(this.page);
    return this.debugger;
  }

  private complain(text: string): void {
    this.complaints.push(text);
    this.onComplaint?.(text);
  }

  private async listen(): Promise<void> {
    const context = this.page.context();
    await context.exposeFunction('complain', (text: string) => this.complain(text));
    await context.addInitScript(() => {
      const { complain } = window as unknown as { complain: (text: string) => void };
      globalThis.x = () => complain('A planted script has run.');
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        complain(`The content policy refused ${effectiveDirective} ${blockedURI}`);
      });
    });
    context.on('weberror', (error) => this.complain(String(error.error())));
    context.on('console', (message) => {
      if (isComplaint(message)) this.complain(`${message.text()} (${message.location().url})`);
    });
  }
}

function isShown(selector: string): true | undefined {
  const element = document.querySelector(selector);
  const { width, height } = element?.getBoundingClientRect() ?? { width: 0, height: 0 };
  return (element?.checkVisibility({ visibilityProperty: true }) && width * height > 0) || undefined;
}

function isMissing(selector: string): true | undefined {
  return document.querySelector(selector) === null || undefined;
}

function selectField(selector: string): true | undefined {
  const field = document.querySelector<HTMLInputElement>(selector);
  if (!field?.checkVisibility({ visibilityProperty: true }) || field.disabled || field.readOnly) return undefined;
  field.focus();
  field.select();
  return true;
}

/** Of a whole page, whose parts move no more. */
function middleOf(selector: string): { x: number; y: number } | undefined {
  const element = document.querySelector(selector);
  if (document.readyState !== 'complete' || !element || element.matches(':disabled')) return undefined;
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  return element.contains(document.elementFromPoint(x, y)) ? { x, y } : undefined;
}

function isComplaint(message: ConsoleMessage): boolean {
  if (!['error', 'warning'].includes(message.type())) return false;
  const isOfPage = message.location().url === message.page()?.url();
  return !(isOfPage && STATUS_OF_PAGE.test(message.text()));
}
