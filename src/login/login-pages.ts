import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { paths, type ServicePath } from '../org/instance/paths.js';
import { type PageOptions, PageRenderer } from '../page/page-renderer.js';
import { type PageSetting, PageSettings } from '../page/page-settings.js';
import type { LoginPage } from '../page/render.js';
import type { Visit } from './visit.js';

/** Pages that can be opened at their own address; the hub finds any other step. */
const OPENED_BY_LINK: ReadonlySet<ServicePath> = new Set([paths.loginName, paths.accounts, paths.register]);

/** Pages that have a button for it, or after which nothing is left to decline. */
const ENDS: ReadonlySet<LoginPage['page']> = new Set(['consent', 'deviceConfirm', 'success', 'onward', 'done']);

/** Sends pages in the reader's language and with the label of the organization. */
@Injectable()
export class LoginPages {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly settings: PageSettings,
  ) {}

  /** A page of a sign-in: its forms may redirect to the application's redirect URI, which was validated before. */
  async sendWithin(visit: Visit, response: ExpressResponse, page: LoginPage, status: number): Promise<void> {
    const own =
      page.page === 'directory'
        ? page.provider.href
        : 'form' in page && page.form !== undefined && OPENED_BY_LINK.has(page.form.action)
          ? page.form.action
          : isRefusalOfProvider(page)
            ? paths.loginName
            : paths.hub;
    // The browser continues by itself, and keeps the page if that opens another program.
    const next = page.page === 'success' ? page.continueHref : page.page === 'onward' ? page.href : undefined;
    if (next !== undefined) response.setHeader('Refresh', `0; url=${next}`);
    this.renderer.send(response, page, {
      ...visit.setting,
      status,
      formTarget: visit.formTarget,
      request: visit.carried,
      backTo: ENDS.has(page.page) ? undefined : visit.backTo,
      languageSwitch: { action: own, fields: {} },
    });
  }

  /** Sends a page outside any sign-in. */
  async send(http: ExpressRequest, response: ExpressResponse, page: LoginPage, status = 200): Promise<void> {
    const setting = await this.settings.forReader(http);
    // The answer to a form cannot be requested again: another language begins at the entry.
    const languageSwitch = setting.languageSwitch ?? { action: paths.hub, fields: {} };
    this.sendAs({ ...setting, languageSwitch }, response, page, { status });
  }

  /** Like `send`, for a known organization. */
  sendAs(
    setting: PageSetting,
    response: ExpressResponse,
    page: LoginPage,
    options: Pick<PageOptions, 'status' | 'formTarget' | 'request'> = {},
  ): void {
    this.renderer.send(response, page, { ...setting, ...options });
  }
}

/**
 * The sign-in is over; the hub might redirect to the provider again, where none of our forms may lead (CSP Level 3,
 * form-action).
 */
function isRefusalOfProvider(page: LoginPage): boolean {
  return page.page === 'error' && page.backHref !== undefined && page.providers === undefined;
}
