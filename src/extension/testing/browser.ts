import { parse } from 'node-html-parser';
import { type Headers, type Parameters, type Reply, send, toQuery } from './http.js';
import type { Place, RunningService } from './running-service.js';

const MAX_REDIRECTS = 10;
/** The beginning of the address of a page amid a sign-in. */
const PAGE_OF_SIGN_IN = '/ui/login/login?authRequestID=';
/** Names of form controls that a browser sends only when they are switched on. */
const SWITCHES = new Set(['checkbox', 'radio']);

/** An element of a page. @public */
export interface PageElement {
  readonly id: string;
  /** In capitals. */
  readonly tagName: string;
  /** What is to be read in it. */
  readonly text: string;
  readonly innerHTML: string;
  readonly outerHTML: string;
  readonly attributes: Readonly<Record<string, string>>;
  getAttribute(name: string): string | undefined;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): PageElement[];
  closest(selector: string): PageElement | null;
}

/** @public */
export interface PageForm {
  readonly action: string;
  readonly method: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A link, or a button that looks like one. @public */
export interface Way {
  readonly text: string;
  readonly to: string;
  readonly form: PageForm | undefined;
}

/** A page as a browser shows it. @public */
export class Page {
  private readonly document: PageElement;

  constructor(
    readonly reply: Reply,
    /** Path and query it was shown at. */
    readonly path: string,
  ) {
    this.document = parse(reply.text);
  }

  get status(): number {
    return this.reply.status;
  }

  /** What is to be read on it, white space folded. */
  get text(): string {
    return this.document.querySelector('body')?.text.replace(/\s+/g, ' ').trim() ?? '';
  }

  get title(): string {
    return this.document.querySelector('title')?.text ?? '';
  }

  /** The title without the name of the owner of the page. */
  get heading(): string {
    return this.title.replace(/ · [^·]*$/, '');
  }

  find(selector: string): PageElement | null {
    return this.document.querySelector(selector);
  }

  all(selector: string): PageElement[] {
    return this.document.querySelectorAll(selector);
  }

  /** The forms with what they would send untouched, without buttons. */
  get forms(): PageForm[] {
    return this.all('form').map((form) => ({
      action: form.getAttribute('action') ?? this.path,
      method: (form.getAttribute('method') ?? 'get').toUpperCase(),
      fields: Object.fromEntries(
        form
          .querySelectorAll('input, select, textarea')
          .filter((input) => !SWITCHES.has(input.getAttribute('type') ?? '') || input.hasAttribute('checked'))
          .map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? ''] as const)
          .filter(([name]) => name !== ''),
      ),
    }));
  }

  /** @throws Error when the page has no form with such a field */
  formWith(field: string): PageForm {
    const form = this.forms.find((candidate) => field in candidate.fields) ?? this.formOfButton(field);
    if (!form)
      throw new Error(`The page at ${this.path} (${this.status}) has no field "${field}": ${this.text.slice(0, 300)}`);
    return form;
  }

  /** The links to other pages, and the buttons that look like them: within a sign-in a way carries it as a form. */
  get ways(): Way[] {
    return this.all('a[href], button[form="ways"][formaction]').map((element) => ({
      text: element.text,
      to: element.getAttribute('href') ?? element.getAttribute('formaction') ?? '',
      form:
        element.tagName === 'BUTTON' ? this.forms[this.all('form').findIndex((form) => form.id === 'ways')] : undefined,
    }));
  }

  private formOfButton(name: string): PageForm | undefined {
    const owner = this.find(`button[name="${name}"]`)?.getAttribute('form');
    return this.forms[
      this.all('form').findIndex((form) =>
        owner === undefined ? form.querySelector(`button[name="${name}"]`) : form.id === owner,
      )
    ];
  }
}

/** Where a navigation ended: on a page of Gatehouse, or at another origin to which it redirected. @public */
export type Arrival =
  | { readonly page: Page; readonly redirect?: undefined }
  | { readonly page?: undefined; readonly redirect: string; readonly reply: Reply };

/**
 * A browser with cookies and forms and without scripts. It follows redirects within the service and stops at others.
 * @public
 */
export class Browser {
  readonly cookies = new Map<string, string>();
  acceptLanguage = 'en';
  /** Further headers of every request. */
  headers: Headers = {};

  /** The replica to talk to. */
  at: Place;
  private readonly world: Pick<RunningService, 'issuer' | 'origin' | 'plant'>;

  /** @internal Use `world.browser()`. */
  constructor(world: Pick<RunningService, 'issuer' | 'origin' | 'plant'>, at: Place = world) {
    this.world = world;
    this.at = at;
  }

  /** A copy with the same cookies, as a thief or a second window has them. */
  copy(): Browser {
    const copy = new Browser(this.world, this.at);
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }

  /**
   * One request, redirects not followed, except from a form of a sign-in to the page that answers it. `url`: a path, or
   * a URL of the issuer.
   */
  async request(method: string, url: string, body?: Parameters, headers: Headers = {}): Promise<Reply> {
    const path = this.toPath(url);
    if (path === undefined) throw new Error(`${url} is not of this service.`);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await send(this.at.origin, {
      method,
      path,
      headers: {
        'Accept-Language': this.acceptLanguage,
        ...(cookie === '' ? {} : { Cookie: cookie }),
        ...this.headers,
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    this.keepCookies(reply);
    const isOfForm = method === 'POST' && reply.status === 303 && reply.location?.startsWith(PAGE_OF_SIGN_IN);
    return isOfForm ? this.request('GET', reply.location!, undefined, headers) : reply;
  }

  async get(url: string): Promise<Arrival> {
    return this.follow(await this.request('GET', url), url);
  }

  async post(url: string, body: Parameters): Promise<Arrival> {
    return this.follow(await this.request('POST', url, body), url);
  }

  /** Submits the form of the page that has the first of these fields, filled in. */
  async submit(page: Page, fields: Parameters): Promise<Arrival> {
    const [first] = Object.keys(fields);
    const form = page.formWith(first ?? 'csrf');
    const url = this.resolve(form.action, page.path);
    const values = { ...form.fields, ...fields };
    return form.method === 'POST' ? this.post(url, values) : this.get(`${url}?${toQuery(values)}`);
  }

  /** Like `submit`, but follows no redirects. */
  async submitOnce(page: Page, fields: Parameters): Promise<Reply> {
    const [first] = Object.keys(fields);
    const form = page.formWith(first ?? 'csrf');
    return this.request(form.method, this.resolve(form.action, page.path), { ...form.fields, ...fields });
  }

  /** Follows the way with this text, or to an address that matches. @throws Error when the page has none */
  async press(page: Page, what: string | RegExp): Promise<Arrival> {
    const way = page.ways.find(({ text, to }) => (typeof what === 'string' ? text === what : what.test(to)));
    if (!way) throw new Error(`The page at ${page.path} has no way "${what}": ${page.text.slice(0, 300)}`);
    if (way.form) return this.post(way.to, way.form.fields);
    return this.toPath(way.to) === undefined ? { redirect: way.to, reply: page.reply } : this.get(way.to);
  }

  private async follow(first: Reply, url: string): Promise<Arrival> {
    let reply = first;
    let path = this.toPath(url) ?? url;
    for (let count = 0, next = nextOf(reply); next !== undefined; count += 1, next = nextOf(reply)) {
      if (count >= MAX_REDIRECTS) throw new Error(`${url} redirects without end.`);
      const target = this.resolve(next, path);
      const own = this.toPath(target);
      if (own === undefined) return { redirect: target, reply };
      path = own;
      reply = await this.request('GET', own);
    }
    return { page: new Page(reply, path) };
  }

  /** Custom schemes have no base: they are taken as written. */
  private resolve(target: string, base: string): string {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return target;
    return new URL(target, `${this.world.issuer}${base}`).href;
  }

  private toPath(url: string): string | undefined {
    if (url.startsWith('/')) return url;
    for (const origin of [this.world.issuer, this.at.origin]) {
      if (url === origin || url.startsWith(`${origin}/`)) return url.slice(origin.length) || '/';
    }
    return undefined;
  }

  private keepCookies(reply: Reply): void {
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [pair = '', ...attributes] = line.split(';');
      const equals = pair.indexOf('=');
      const name = pair.slice(0, equals);
      const isGone = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute));
      if (isGone) this.cookies.delete(name);
      else this.cookies.set(name, pair.slice(equals + 1));
      this.world.plant(pair.slice(equals + 1));
    }
  }
}

/** The address at which a browser continues by itself: of a redirect, or of a page with a refresh of 0 seconds. */
function nextOf(reply: Reply): string | undefined {
  if (reply.status >= 300 && reply.status < 400) return reply.location ?? '';
  return /^0; url=(.+)$/.exec(reply.header('refresh') ?? '')?.[1];
}
