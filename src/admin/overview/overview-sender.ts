import { Injectable } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import type { ServicePath } from '../../org/instance/paths.js';
import { PageRenderer } from '../../page/page-renderer.js';
import type { LoginPage } from '../../page/render.js';
import type { OverviewVisit } from './overview-visit.js';

/** Sends a page in the language and look of its reader. */
@Injectable()
export class OverviewSender {
  constructor(private readonly renderer: PageRenderer) {}

  send({ visit }: OverviewVisit, response: ExpressResponse, page: LoginPage, status = 200): void {
    const { setting, http } = visit;
    // The answer to a form cannot be requested again: another language begins at the question's own page.
    const languageSwitch = setting.languageSwitch ?? { action: http.path as ServicePath, fields: {} };
    this.renderer.send(response, page, { ...setting, languageSwitch, status });
  }
}
