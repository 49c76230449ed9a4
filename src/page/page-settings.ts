import { Injectable } from '@nestjs/common';
import type { LoginLanguage } from './catalogue/catalogue.js';
import { languageFor } from './catalogue/language-choice.js';

/** What pages take from whoever runs the service. Given to `PageModule`: a page knows nothing of where it is kept. */
export abstract class PageDefaults {
  abstract get(): Promise<{ readonly name: string; readonly defaultLanguage: string }>;
}

/** The part of an HTTP request that says who reads the page. */
export interface Reader {
  readonly headers: { readonly 'accept-language'?: string | undefined };
}

export interface PageSetting {
  readonly language: LoginLanguage;
  readonly brand: string;
}

const WITHOUT_DATABASE = { defaultLanguage: 'en', name: 'Gatehouse' };

/** In which language and under whose name a page is shown: decided here, for every page. */
@Injectable()
export class PageSettings {
  constructor(private readonly defaults: PageDefaults) {}

  /** `uiLocales`, else Accept-Language, else the default (OIDC Core §3.1.2.1). Never fails, for it serves error pages too. */
  async forReader(reader: Reader, uiLocales: readonly string[] = []): Promise<PageSetting> {
    const { name, defaultLanguage } = await this.defaults.get().catch(() => WITHOUT_DATABASE);
    const language = languageFor({ uiLocales, acceptLanguage: reader.headers['accept-language'], fallback: defaultLanguage });
    return { language, brand: name };
  }
}
