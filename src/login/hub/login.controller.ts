import { All, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Open } from '../../foundation/http/access.js';
import type { Form } from '../../foundation/http/form.js';
import { readForm, readQuery } from '../../foundation/http/request.js';
import { paths } from '../../org/instance/paths.js';
import { SHOW } from '../../page/part/way.js';
import { Lobby } from '../lobby.js';
import { pageNotFound } from '../login.errors.js';
import { LoginPages } from '../login-pages.js';
import type { LoginStep } from '../login-step.js';
import { sentForm } from '../sent-form.js';
import { Visits } from '../visits.js';
import { AnswerSender } from './answer-sender.js';
import { type Answer, LoginHub } from './login.hub.js';
import { LoginErrorFilter } from './login-error.filter.js';

const METHOD_NOT_ALLOWED = 405;

/** The pages of a sign-in. Scripts and conformance tests depend on their names and fields (`paths`). */
@Open()
@UseFilters(LoginErrorFilter)
@Controller()
export class LoginController {
  constructor(
    private readonly hub: LoginHub,
    private readonly visits: Visits,
    private readonly pages: LoginPages,
    private readonly lobby: Lobby,
    private readonly answers: AnswerSender,
  ) {}

  @Get([paths.hub, paths.success])
  async open(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const authRequestId = readQuery(http).find('authRequestID');
    if (authRequestId === undefined) return this.lobby.receive(http, response);
    const visit = await this.visits.open(http, authRequestId);
    return this.answers.send(http, response, await this.hub.open(visit));
  }

  /** Only the id is read from the query: credentials in an address are ignored (LOG-003). */
  @Get('/ui/login/*path')
  async turnTo(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const step = this.hub.findStep(http.path);
    if (!step) throw pageNotFound();
    if (step.reach !== 'link') return this.refuseMethod(http, response, 'POST');
    const visit = await this.visits.open(http, readQuery(http).find('authRequestID') ?? '');
    return this.answers.send(http, response, await this.hub.turnTo(step, visit));
  }

  /** The user goes back to the application without signing in. */
  @Post(paths.decline)
  async decline(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const visit = await this.visits.openFor(http, await readForm(http));
    if (visit.backTo === undefined) throw pageNotFound();
    return this.answers.send(http, response, { kind: 'declined', visit });
  }

  @Post('/ui/login/*path')
  async take(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const step = this.hub.findStep(http.path);
    if (!step && http.path !== paths.hub) return this.otherMethod(http, response);
    const form = await readForm(http);
    return this.answers.send(http, response, await this.answerTo(step, http, form));
  }

  private async answerTo(step: LoginStep | undefined, http: ExpressRequest, form: Form): Promise<Answer> {
    if (step && !form.hasField(SHOW)) return this.hub.take(step, await this.visits.openRepeatable(http, form), form);
    const visit = await this.visits.openFor(http, form);
    const sent = sentForm(step?.reach === 'link' ? step.path : paths.hub, form);
    return step ? this.hub.turnTo(step, visit, sent) : this.hub.next(visit, { sent });
  }

  @All('/ui/login/*path')
  async otherMethod(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const step = this.hub.findStep(http.path);
    if (step) return this.refuseMethod(http, response, step.reach === 'link' ? 'GET, HEAD, POST' : 'POST');
    if (!(Object.values(paths) as string[]).includes(http.path)) throw pageNotFound();
    return this.refuseMethod(http, response, http.path === paths.decline ? 'POST' : 'GET, HEAD');
  }

  private async refuseMethod(http: ExpressRequest, response: ExpressResponse, allowed: string): Promise<void> {
    response.setHeader('Allow', allowed);
    await this.pages.send(http, response, { page: 'error', reason: 'notFound' }, METHOD_NOT_ALLOWED);
  }
}
