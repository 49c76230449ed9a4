import { Injectable } from '@nestjs/common';
import { Form } from '../foundation/http/form.js';
import { TimeLimit } from '../foundation/time/time-limit.js';
import type { ServicePath } from '../org/instance/paths.js';
import { type LoginLanguage, type PageTexts, textsFor } from './catalogue/catalogue.js';
import { findLanguage, languageFor } from './catalogue/language-choice.js';
import { type LanguageSwitch, type PageLook, PLAIN_LOOK } from './part/look.js';

/** The owner of the page; without an organization it is the instance. */
export interface PageOwner {
  /** The organization whose links and texts the page has. */
  readonly orgId?: string | undefined;
  /** Whose name and colours it has, where an application wants others. */
  readonly brandId?: string | undefined;
}

/** The facts from the rest of the service that pages need. Given to `PageModule`: pages do not know their source. */
export abstract class PageDefaults {
  abstract defaultLanguage(): Promise<string>;
  abstract of(
    owner: PageOwner,
    language: LoginLanguage,
  ): Promise<{ readonly name: string; readonly look: PageLook; readonly texts: PageTexts }>;
}

/** The part of an HTTP request that identifies the reader and the place. */
export interface Reader {
  readonly method?: string;
  readonly url?: string;
  readonly headers: { readonly 'accept-language'?: string | undefined };
}

/** The facts about the page besides its reader. */
export interface PageWish extends PageOwner {
  /** `ui_locales`, in order of preference. */
  readonly uiLocales?: readonly string[];
}

export interface PageSetting {
  readonly language: LoginLanguage;
  readonly brand: string;
  readonly look: PageLook;
  readonly texts: PageTexts;
  readonly languageSwitch?: LanguageSwitch | undefined;
}

/** A limit for a database that hangs: the page is then likely one that says so, and its reader has waited enough. */
const LIMIT_MS = 1_000;
const WITHOUT_DATABASE = { defaultLanguage: 'en', name: 'Gatehouse' };

/**
 * The query parameters that a page keeps when its language changes. No others are repeated: people type passwords into
 * addresses, and others make people follow links.
 */
const KEPT: ReadonlySet<string> = new Set([
  'authRequestID',
  'query',
  'org',
  'application',
  'orgID',
  'userID',
  'loginname',
  'passwordset',
  'code',
  'user_code',
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'resource',
  'prompt',
  'max_age',
  'login_hint',
  'code_challenge',
  'code_challenge_method',
  'id_token_hint',
  'post_logout_redirect_uri',
]);
const MAX_KEPT_CHARACTERS = 4000;

/** Decides the language, name and colours of every page. */
@Injectable()
export class PageSettings {
  constructor(private readonly defaults: PageDefaults) {}

  /**
   * The language chosen on the page, else `uiLocales`, else Accept-Language, else the default (OIDC Core §3.1.2.1).
   * Never fails, because error pages need it too.
   */
  async forReader(reader: Reader, { uiLocales = [], ...owner }: PageWish = {}): Promise<PageSetting> {
    using limit = new TimeLimit(LIMIT_MS);
    const over = limit.passed;
    const inTime = async <T>(read: Promise<T>, otherwise: T): Promise<T> =>
      Promise.race([read.catch(() => otherwise), over.then(() => otherwise)]);
    const query = queryOf(reader);
    const fallback = await inTime(this.defaults.defaultLanguage(), WITHOUT_DATABASE.defaultLanguage);
    const language = languageFor({
      uiLocales: [...(query?.words('ui_locales') ?? []), ...uiLocales],
      acceptLanguage: reader.headers['accept-language'],
      fallback,
    });
    const { name, look, texts } = await inTime(this.defaults.of(owner, language), {
      name: WITHOUT_DATABASE.name,
      look: PLAIN_LOOK,
      texts: textsFor(language),
    });
    return { language, brand: name, look, texts, languageSwitch: query && switchOf(reader, query) };
  }
}

/** The language chosen on a page (`ui_locales`), if it is supported. */
export function chosenLanguage([first]: readonly string[]): LoginLanguage | undefined {
  return first === undefined ? undefined : findLanguage(first);
}

/** The query of a page that can be requested again. */
function queryOf({ method, url = '' }: Reader): Form | undefined {
  if (method !== 'GET') return undefined;
  const question = url.indexOf('?');
  return Form.parse(question < 0 ? '' : url.slice(question + 1));
}

function switchOf({ url = '' }: Reader, query: Form): LanguageSwitch | undefined {
  const path = url.split('?', 1)[0] ?? '';
  const fields: Record<string, string> = {};
  for (const name of KEPT) {
    const value = query.find(name);
    if (value !== undefined) fields[name] = value;
  }
  const length = Object.values(fields).join('').length;
  if (length > MAX_KEPT_CHARACTERS || !/^\/[\w./-]*$/.test(path) || path.startsWith('//')) return undefined;
  return { action: path as ServicePath, fields };
}
