import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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
   * The same as `open`, by a window that was opened so before: what it remembers is gone, but for the cache and for what scripts
   * have stored. Opening one takes as long as three pages. Not to be closed.
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

  /** Fills in fields, once they are there, and presses the button that every form of ours has. */
  async submit(fields: Readonly<Record<string, string>> = {}): Promise<void> {
    for (const [name, value] of Object.entries(fields)) await this.page.fill(`input[name="${name}"]`, value);
    await this.page.click('#submit');
  }

  /** The same for a form that the browser itself would stop: what the service says of it is seen. */
  async submitUnchecked(fields: Readonly<Record<string, string>>): Promise<void> {
    await this.page.waitForSelector('#submit');
    await this.page.evaluate(() => document.querySelector('#submit')!.setAttribute('formnovalidate', ''));
    await this.submit(fields);
    await this.page.waitForSelector('.notice-error');
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

  /** Not as a script of the page, which its policy would refuse, and as one that Chromium compiles once for many pages. */
  private async loadAxe(): Promise<void> {
    this.debugger ??= await this.page.context().newCDPSession(this.page);
    await this.debugger.send('Runtime.evaluate', { expression: AXE });
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

function isComplaint(message: ConsoleMessage): boolean {
  if (!['error', 'warning'].includes(message.type())) return false;
  const isOfPage = message.location().url === message.page()?.url();
  return !(isOfPage && STATUS_OF_PAGE.test(message.text()));
}
