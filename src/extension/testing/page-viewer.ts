import type { Browser, CDPSession, ConsoleMessage, Page, Route } from 'playwright-core';
import { optionalPackage } from './optional-package.js';

/**
 * The Chromium, Chrome or Edge in which pages are looked at; by default the one that `npx playwright-core install
 * chromium` has installed.
 * @public
 */
export interface BrowserProgram {
  /** The path of another browser. */
  readonly executablePath?: string;
  /** The name of a browser that is installed on the machine, instead of a path: `chrome`, `msedge`. */
  readonly channel?: string;
  /** Further arguments: `--no-sandbox` for root in a container. */
  readonly args?: readonly string[];
  /** The environment variables of the browser; by default those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A page as it is sent. */
export interface SentPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

/** Demands on a page: it fits without moving sideways; axe finds nothing; nothing is refused or missing or foreign. */
export type Demand = 'fits' | 'accessible' | 'undisturbed';

export interface Fault {
  readonly demand: Demand;
  /** The fault, with the rule and the selector. */
  readonly what: string;
  /** The screen with the fault: `320 px wide in dark mode`. */
  readonly where?: string;
  /** Equal if it is the same fault on another screen, or in another language. */
  readonly same: string;
  /** Equal if it is the same fault on the same screen, whatever surrounds it. */
  readonly key: string;
}

const PURPOSE = 'The browser in which pages are looked at';
/** The narrowest screen that WCAG 2.2 §1.4.10 knows, and a usual phone. */
const WIDTHS = [320, 390] as const;
const HEIGHT = 844;
const SCHEMES = ['light', 'dark'] as const;
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** A limit against what hangs, not against what is slow. */
const TIMEOUT_MS = 45_000;

/*
 * What runs in the page is text, so that nothing is added to it when the package is made; and it is the debugger that
 * runs it, because the policy of the page would refuse a script.
 */

/** Waits until no colour and no place is half-way between two. */
const SETTLE = `
for (const animation of document.getAnimations()) {
  try { animation.finish(); } catch { animation.cancel(); }
}`;

/**
 * By how much the page is too wide, and because of what: the innermost element without which it would not be. What a
 * container of its own scrolls or cuts off does not widen the page.
 */
const TOO_WIDE = `(() => {
  const root = document.documentElement;
  const excess = () => root.scrollWidth - root.clientWidth;
  const by = excess();
  if (by <= 0) return null;
  const isRtl = getComputedStyle(root).direction === 'rtl';
  const sticksOut = (element) => {
    const { left, right } = element.getBoundingClientRect();
    return isRtl ? left < -0.5 : right > root.clientWidth + 0.5;
  };
  const isCause = (element) => {
    element.style.setProperty('display', 'none', 'important');
    const isIt = excess() <= 0;
    element.removeAttribute('style'); // pages have none
    return isIt;
  };
  const found = [...document.body.querySelectorAll('*')].filter(sticksOut);
  const cause = found.findLast(isCause) ?? found[0] ?? document.body;
  const classes = [...cause.classList].map((name) => '.' + CSS.escape(name)).join('');
  return { by, selector: cause.id === '' ? cause.localName + classes : '#' + CSS.escape(cause.id) };
})()`;

interface Excess {
  readonly by: number;
  readonly selector: string;
}

// The style sheets are applied already; reading them once more would be a request that the policy refuses.
const EXAMINE = `axe.run(document, ${JSON.stringify({
  runOnly: { type: 'tag', values: TAGS },
  resultTypes: ['violations'],
  preload: false,
})}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ target, html, failureSummary }) => ({ rule: id, selector: target.flat().join(' '), html, why: failureSummary }))))`;

interface Violation {
  readonly rule: string;
  readonly selector: string;
  readonly html: string;
  /** "Fix any of the following:", and then a line for each. */
  readonly why?: string;
}

/**
 * Packages that only this needs.
 * @throws Error that says what to install
 */
export function viewerOf(program: BrowserProgram): (origin: string) => Promise<PageViewer> {
  const { chromium } = optionalPackage<typeof import('playwright-core')>('playwright-core', PURPOSE);
  const { source } = optionalPackage<{ readonly source: string }>('axe-core', PURPOSE);
  return async (origin) => {
    const browser = await chromium
      .launch({ ...program, args: [...(program.args ?? [])] })
      .catch((error: Error) => notStarted(program, error));
    return PageViewer.open(browser, origin, source);
  };
}

function notStarted({ executablePath, channel }: BrowserProgram, error: Error): never {
  const which = executablePath ?? channel ?? 'of Playwright';
  throw new Error(
    `The browser ${which} does not start. Give another executablePath or channel, or run "npx playwright-core install chromium". ${error.message.split('\n', 1).join('')}`,
    { cause: error },
  );
}

/**
 * A browser that shows pages as if the service had sent them. Their style sheets and pictures come from the service.
 */
export class PageViewer {
  private sent: (SentPage & { readonly url: string }) | undefined;
  private complaints = new Set<string>();

  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
    private readonly debug: CDPSession,
    private readonly origin: string,
    private readonly axe: string,
  ) {}

  /** @param axe the text of axe-core */
  static async open(browser: Browser, origin: string, axe: string): Promise<PageViewer> {
    const context = await browser.newContext({ viewport: { width: WIDTHS[0], height: HEIGHT } });
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    const viewer = new PageViewer(browser, page, await context.newCDPSession(page), origin, axe);
    await context.route('**/*', (route) => viewer.answer(route));
    context.on('console', (message) => viewer.hear(message));
    context.on('weberror', (error) => viewer.complaints.add(`a script fails: ${error.error().message}`));
    return viewer;
  }

  async close(): Promise<void> {
    await this.page.context().unrouteAll({ behavior: 'ignoreErrors' });
    await this.browser.close();
  }

  /**
   * Looks at the page on screens of each width, in light and dark mode. @param depth `width`: only whether it needs to
   * be moved sideways, and whether it is disturbed
   */
  async look(page: SentPage, path: string, depth: 'everything' | 'width'): Promise<Fault[]> {
    this.sent = { ...page, url: `${this.origin}${path}` };
    this.complaints = new Set();
    await this.page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
    await this.page.emulateMedia({ colorScheme: SCHEMES[0], reducedMotion: 'reduce' });
    await this.page.goto(this.sent.url);
    if (depth === 'everything') await this.run(`${this.axe};undefined`);
    const faults: Fault[] = [];
    for (const width of WIDTHS) {
      await this.page.setViewportSize({ width, height: HEIGHT });
      for (const colorScheme of SCHEMES) {
        await this.page.emulateMedia({ colorScheme });
        await this.run(SETTLE);
        const where = `${width} px wide in ${colorScheme} mode`;
        faults.push(...(await this.excess(where)), ...(depth === 'everything' ? await this.violations(where) : []));
      }
    }
    await this.page.goto('about:blank'); // whatever the page has complained of has been heard then
    const complaints = [...this.complaints].map(
      (what): Fault => ({ demand: 'undisturbed', what, same: what, key: what }),
    );
    return [...faults, ...complaints];
  }

  private async excess(where: string): Promise<Fault[]> {
    const found = await this.run<Excess | null>(TOO_WIDE);
    if (!found) return [];
    const { by, selector } = found;
    const what = `it is ${by} px wider than the screen because of ${selector}`;
    return [{ demand: 'fits', where, what, same: selector, key: `${where} ${selector}` }];
  }

  private async violations(where: string): Promise<Fault[]> {
    const found = await this.run<readonly Violation[]>(EXAMINE);
    return found.map(({ rule, selector, html, why = '' }) => {
      const reasons = why.split('\n').map((line) => line.trim());
      const what = `${rule} at ${selector}: ${reasons.filter((line) => line !== '' && !line.endsWith(':')).join('; ')}`;
      return { demand: 'accessible', where, what, same: what, key: `${where} ${rule} ${html}` };
    });
  }

  private async run<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.debug.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails)
      throw new Error(
        `The page cannot be examined: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`,
      );
    return result.value as T;
  }

  private async answer(route: Route): Promise<void> {
    const url = route.request().url();
    const { sent } = this;
    if (url === sent?.url) return route.fulfill({ headers: sent.headers, body: sent.html });
    if (new URL(url).origin === this.origin) return route.continue();
    this.complaints.add(`it loads ${url}`);
    return route.abort();
  }

  private hear(message: ConsoleMessage): void {
    if (message.type() !== 'error') return;
    const { url } = message.location();
    const place = url === '' || url === this.sent?.url ? '' : ` (${url.replace(this.origin, '')})`;
    this.complaints.add(`the browser says: ${message.text()}${place}`);
  }
}
