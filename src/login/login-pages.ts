import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InstanceService } from '../instance/instance.service.js';
import { OrgService } from '../org/org.service.js';
import type { LoginLanguage } from '../page/catalogue/catalogue.js';
import { languageFor } from '../page/catalogue/language-choice.js';
import { PageRenderer } from '../page/page-renderer.js';
import type { LoginPage } from '../page/render.js';
import type { Visit } from './visit.js';

/** Sends pages in the reader's language, under the name of whoever signs them in. */
@Injectable()
export class LoginPages {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly instances: InstanceService,
    private readonly orgs: OrgService,
  ) {}

  /** `ui_locales`, else Accept-Language, else the instance's default (OIDC Core §3.1.2.1). */
  async languageFor(http: Request, uiLocales: readonly string[] = []): Promise<LoginLanguage> {
    const { defaultLanguage } = await this.instances.get();
    return languageFor({ uiLocales, acceptLanguage: http.headers['accept-language'], fallback: defaultLanguage });
  }

  /** A page of a sign-in: its forms may lead on to the application's redirect URI, which was validated before. */
  async sendWithin(visit: Visit, response: Response, page: LoginPage, status: number): Promise<void> {
    const { requiredOrgId, redirectUri } = visit.request;
    const org = requiredOrgId === undefined ? undefined : await this.orgs.findActive(requiredOrgId);
    const brand = org?.name ?? (await this.instances.get()).name;
    this.renderer.send(response, page, { status, language: visit.language, brand, formTarget: redirectUri });
  }

  /** A page that belongs to no sign-in. */
  async send(http: Request, response: Response, page: LoginPage, status = 200): Promise<void> {
    const language = await this.languageFor(http);
    const { name: brand } = await this.instances.get();
    this.renderer.send(response, page, { status, language, brand });
  }

  /** For the moment in which not even the instance can be read. */
  sendBare(http: Request, response: Response, page: LoginPage, status: number): void {
    const language = languageFor({ uiLocales: [], acceptLanguage: http.headers['accept-language'], fallback: 'en' });
    this.renderer.send(response, page, { status, language, brand: 'Gatehouse' });
  }
}
