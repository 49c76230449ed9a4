import { All, Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Open } from '../../foundation/http/access.js';
import { readForm } from '../../foundation/http/request.js';
import { Logger } from '../../foundation/log/logger.js';
import { refusalFields } from '../../foundation/log/refusal-fields.js';
import type { ServicePath } from '../../org/instance/paths.js';
import type { LoginPage } from '../../page/render.js';
import { pageNotFound } from '../../visit/visit.errors.js';
import { redirect, VisitProof } from '../../visit/visit-proof.js';
import { isRefusal } from '../kit/inner-calls.js';
import { Acts, type Deed } from './acts.js';
import { OverviewErrorFilter } from './overview-error.filter.js';
import { OverviewSender } from './overview-sender.js';
import type { OverviewVisit } from './overview-visit.js';
import { OverviewVisits } from './overview-visits.js';

const REFUSED = 409;
const METHOD_NOT_ALLOWED = 405;

type Find = (visit: OverviewVisit) => Promise<Deed>;

/** The six actions of the overview: a question by GET, the act by the form on it. */
@Open()
@UseFilters(OverviewErrorFilter)
@Controller()
export class OverviewActController {
  constructor(
    private readonly visits: OverviewVisits,
    private readonly acts: Acts,
    private readonly proof: VisitProof,
    private readonly sender: OverviewSender,
    private readonly log: Logger,
  ) {}

  @Get('/ui/admin/people/:userId/:act')
  async askOnPerson(
    @Req() http: ExpressRequest,
    @Res() response: ExpressResponse,
    @Param('userId') userId: string,
    @Param('act') act: string,
  ): Promise<void> {
    await this.ask(http, response, (visit) => this.acts.onPerson(visit, userId, act));
  }

  @Post('/ui/admin/people/:userId/:act')
  async takeOnPerson(
    @Req() http: ExpressRequest,
    @Res() response: ExpressResponse,
    @Param('userId') userId: string,
    @Param('act') act: string,
  ): Promise<void> {
    await this.take(http, response, (visit) => this.acts.onPerson(visit, userId, act));
  }

  @Get('/ui/admin/people/:userId/mails/:mailId/resend')
  async askOnMailOfPerson(
    @Req() http: ExpressRequest,
    @Res() response: ExpressResponse,
    @Param('userId') userId: string,
    @Param('mailId') mailId: string,
  ): Promise<void> {
    await this.ask(http, response, (visit) => this.acts.onMail(visit, mailId, userId));
  }

  @Post('/ui/admin/people/:userId/mails/:mailId/resend')
  async takeOnMailOfPerson(
    @Req() http: ExpressRequest,
    @Res() response: ExpressResponse,
    @Param('userId') userId: string,
    @Param('mailId') mailId: string,
  ): Promise<void> {
    await this.take(http, response, (visit) => this.acts.onMail(visit, mailId, userId));
  }

  @Get('/ui/admin/mails/:mailId/resend')
  async askOnMail(
    @Req() http: ExpressRequest,
    @Res() response: ExpressResponse,
    @Param('mailId') mailId: string,
  ): Promise<void> {
    await this.ask(http, response, (visit) => this.acts.onMail(visit, mailId));
  }

  @Post('/ui/admin/mails/:mailId/resend')
  async takeOnMail(
    @Req() http: ExpressRequest,
    @Res() response: ExpressResponse,
    @Param('mailId') mailId: string,
  ): Promise<void> {
    await this.take(http, response, (visit) => this.acts.onMail(visit, mailId));
  }

  @Get('/ui/admin/providers/:idpId/test')
  async askOnProvider(
    @Req() http: ExpressRequest,
    @Res() response: ExpressResponse,
    @Param('idpId') idpId: string,
  ): Promise<void> {
    await this.ask(http, response, (visit) => this.acts.onProvider(visit, idpId));
  }

  @Post('/ui/admin/providers/:idpId/test')
  async takeOnProvider(
    @Req() http: ExpressRequest,
    @Res() response: ExpressResponse,
    @Param('idpId') idpId: string,
  ): Promise<void> {
    await this.take(http, response, (visit) => this.acts.onProvider(visit, idpId));
  }

  @All(['/ui/admin', '/ui/admin/*path'])
  refuse(@Req() { method }: ExpressRequest, @Res() response: ExpressResponse): void {
    if (method === 'GET' || method === 'HEAD') throw pageNotFound();
    response.status(METHOD_NOT_ALLOWED).setHeader('Allow', 'GET, HEAD');
    response.end();
  }

  private async ask(http: ExpressRequest, response: ExpressResponse, find: Find): Promise<void> {
    const visit = await this.visits.open(http, response);
    if (!visit) return;
    const deed = await find(visit);
    if (await this.isProved(visit, deed)) this.sender.send(visit, response, this.question(visit, deed));
    else await this.prove(visit, response);
  }

  private async take(http: ExpressRequest, response: ExpressResponse, find: Find): Promise<void> {
    const visit = await this.visits.openFor(http, await readForm(http));
    const deed = await find(visit);
    // The proof was asked for with the question, and has become too old since.
    if (!(await this.isProved(visit, deed))) return this.prove(visit, response);
    try {
      const answer = await this.acts.take(visit, deed);
      if (deed.done === undefined) return this.sender.send(visit, response, this.tested(visit, deed, answer));
      redirect(http, response, `${deed.backHref}?done=${deed.done}`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.log.warn({ ...refusalFields(error), path: http.path, address: visit.visit.address }, 'refused');
      this.sender.send(visit, response, this.question(visit, deed, error.message), REFUSED);
    }
  }

  private async isProved({ visit }: OverviewVisit, { needsProof }: Deed): Promise<boolean> {
    return !needsProof || this.proof.isProved(visit.http, visit.browser, visit.session);
  }

  /** Leads through the sign-in pages, and back to the question. */
  private async prove({ visit }: OverviewVisit, response: ExpressResponse): Promise<void> {
    const { http, session } = visit;
    await this.proof.signIn(http, response, visit, { path: http.path as ServicePath, session }, true);
  }

  private question({ visit, frame }: OverviewVisit, deed: Deed, refusal?: string): LoginPage {
    const { act, thing, backHref } = deed;
    const target = visit.formTo(visit.http.path as ServicePath);
    return { page: 'overviewAct', frame, act, thing, target, backHref, docs: this.acts.docsOf(deed), refusal };
  }

  private tested({ frame }: OverviewVisit, deed: Deed, { ok, parts }: Readonly<Record<string, unknown>>): LoginPage {
    const checked = (parts ?? []) as ReadonlyArray<{ part: string; ok?: boolean; detail: string }>;
    return {
      page: 'overviewTested',
      frame,
      provider: deed.thing,
      isGood: ok === true,
      parts: checked.map(({ part, ok: isGood, detail }) => ({ part, isGood: isGood === true, detail })),
      backHref: deed.backHref,
      docs: this.acts.docsOf(deed),
    };
  }
}
