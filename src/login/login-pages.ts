import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { OrgService } from '../org/org.service.js';
import { PageRenderer } from '../page/page-renderer.js';
import { PageSettings } from '../page/page-settings.js';
import type { LoginPage } from '../page/render.js';
import type { Visit } from './visit.js';

/** Sends pages in the reader's language, under the name of whoever signs them in. */
@Injectable()
export class LoginPages {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly settings: PageSettings,
    private readonly orgs: OrgService,
  ) {}

  /** A page of a sign-in: its forms may lead on to the application's redirect URI, which was validated before. */
  async sendWithin(visit: Visit, response: Response, page: LoginPage, status: number): Promise<void> {
    const { requiredOrgId, redirectUri } = visit.request;
    const org = requiredOrgId === undefined ? undefined : await this.orgs.findActive(requiredOrgId);
    const { language, brand } = visit.setting;
    this.renderer.send(response, page, { status, language, brand: org?.name ?? brand, formTarget: redirectUri });
  }

  /** A page that belongs to no sign-in. */
  async send(http: Request, response: Response, page: LoginPage, status = 200): Promise<void> {
    this.renderer.send(response, page, { status, ...(await this.settings.forReader(http)) });
  }
}
