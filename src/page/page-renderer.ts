import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { packageFile } from '../foundation/config/package-file.js';
import { paths, type ServicePath } from '../org/instance/paths.js';
import type { LoginLanguage, PageTexts } from './catalogue/catalogue.js';
import { ExtLooks } from './ext-looks.js';
import type { PageContext } from './part/context.js';
import { type LanguageSwitch, type PageLook, PLAIN_LOOK } from './part/look.js';
import type { PageName } from './part/page-names.js';
import type { LoginPage } from './render.js';

const STYLESHEET = readFileSync(new URL('./style/login.css', import.meta.url));
const ICON = readFileSync(new URL('./style/icon.svg', import.meta.url));
const FORM_POST_SCRIPT = readFileSync(new URL('./style/form-post.js', import.meta.url));
const SCRIPT = readFileSync(new URL('./style/login.js', import.meta.url));
const PASSKEY_SCRIPT = readFileSync(new URL('./style/passkey.js', import.meta.url));
/** The library between pages and authenticators, as its package has it for browsers. */
const WEBAUTHN_SCRIPT = readFileSync(packageFile('@simplewebauthn/browser/dist/bundle/index.umd.min.js'));

/** Pages besides those of sign-ins on which a script of ours helps; none needs it. */
const HELPED: ReadonlySet<PageName> = new Set([
  'directory',
  'password',
  'passwordChange',
  'register',
  'code',
  'recoveryCodes',
  'accountActivity',
  'accountApplications',
  'accountDevices',
  'accountKeys',
  'accountLinks',
  'accountPassword',
  'overviewHome',
  'overviewPerson',
  'overviewService',
]);

export interface PageOptions {
  readonly status?: number;
  readonly language: LoginLanguage;
  /** The instance or organization of the page. */
  readonly brand: string;
  readonly look?: PageLook;
  readonly texts?: PageTexts;
  readonly languageSwitch?: LanguageSwitch | undefined;
  /** The sign-in that the page belongs to. */
  readonly request?: PageContext['request'];
  readonly backTo?: PageContext['backTo'];
  /** The address at which the redirects after a form of this page may end: the application's validated redirect URI. */
  readonly formTarget?: string | undefined;
  /** Whether the page needs a script file of ours. */
  readonly runsScript?: boolean;
}

/** A page ready to be sent. */
export interface ComposedPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

/** Static files of the pages; their URLs carry a hash of the content, so they may be cached for good. */
export const assets = {
  stylesheet: STYLESHEET,
  script: SCRIPT,
  passkeyScript: PASSKEY_SCRIPT,
  webauthnScript: WEBAUTHN_SCRIPT,
  icon: ICON,
  formPostScript: FORM_POST_SCRIPT,
} as const;

const STYLESHEET_PATH = versioned(paths.stylesheet, STYLESHEET);
const SCRIPT_PATH = versioned(paths.script, SCRIPT);
const PASSKEY_SCRIPT_PATHS = [
  versioned(paths.webauthnScript, WEBAUTHN_SCRIPT),
  versioned(paths.passkeyScript, PASSKEY_SCRIPT),
];

/** The scripts of a page; those for passkeys where it has a form for them, or something to tell a password manager. */
function scriptsOf(page: LoginPage, { request }: PageOptions): readonly ServicePath[] {
  const helping = request !== undefined || HELPED.has(page.page) ? [SCRIPT_PATH] : [];
  const isAboutKeys =
    ('passkey' in page && page.passkey !== undefined) || ('signals' in page && page.signals !== undefined);
  return isAboutKeys ? [...helping, ...PASSKEY_SCRIPT_PATHS] : helping;
}

function versioned(path: ServicePath, content: Buffer): ServicePath {
  return `${path}?v=${createHash('sha256').update(content).digest('base64url').slice(0, 12)}` as const;
}

/** Sends a page with the headers that pages need. */
@Injectable()
export class PageRenderer {
  constructor(private readonly looks: ExtLooks) {}

  send(response: ExpressResponse, page: LoginPage, options: PageOptions): void {
    const { headers, html } = this.compose(page, options);
    response.status(options.status ?? 200);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.end(html);
  }

  /** @param render what makes the HTML; by default with the look of the extensions */
  compose(
    page: LoginPage,
    options: PageOptions,
    render: ExtLooks['render'] = (...given) => this.looks.render(...given),
  ): ComposedPage {
    const { language, brand, look = PLAIN_LOOK, texts, languageSwitch, request, backTo } = options;
    const scripts = scriptsOf(page, options);
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': language,
      'Content-Security-Policy': contentPolicy({
        ...options,
        runsScript: options.runsScript === true || scripts.length > 0,
      }),
    };
    const stylesheet = STYLESHEET_PATH;
    const extScopes = this.looks.scopesIn(language);
    return {
      headers,
      html: render(page, {
        language,
        brand,
        look,
        texts,
        languageSwitch,
        request,
        backTo,
        stylesheet,
        scripts,
        extScopes,
      }),
    };
  }
}

/**
 * No inline script, nothing from elsewhere. Browsers apply `form-action` to the redirects that follow a post as well,
 * so without the application's own origin they would stop the way back to it after a sign-in.
 */
function contentPolicy({ formTarget, runsScript }: PageOptions): string {
  const target = formTarget === undefined ? '' : ` ${sourceOf(formTarget)}`;
  const script = runsScript === true ? "; script-src 'self'" : '';
  return `default-src 'none'${script}; style-src 'self'; img-src 'self'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`;
}

/**
 * A redirect URI as a CSP source: its origin, or its scheme where it has no host, or one that CSP cannot name
 * (`[::1]`). The URI was validated at registration.
 */
function sourceOf(uri: string): string {
  const url = new URL(uri);
  if (url.origin !== 'null' && !url.hostname.startsWith('[')) return url.origin;
  return url.protocol;
}
