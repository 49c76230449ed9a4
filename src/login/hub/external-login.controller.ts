import { Controller, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Open } from '../../foundation/http/access.js';
import type { Form } from '../../foundation/http/form.js';
import { readForm, readQuery } from '../../foundation/http/request.js';
import { extCallbackPath } from '../../idp/callback-url.js';
import type { ProviderAnswer } from '../../idp/provider-kind.js';
import { paths, type ServicePath } from '../../org/instance/paths.js';
import { ExternalLogin, type Homecoming, type Returned } from '../idp/external-login.js';
import { ExternalMessages } from '../idp/external-messages.js';
import { externalUnknown } from '../login.errors.js';
import type { Visit } from '../visit.js';
import { Visits } from '../visits.js';
import { AnswerSender } from './answer-sender.js';
import { BroughtForm } from './brought-form.js';
import { LoginHub } from './login.hub.js';
import { LoginErrorFilter } from './login-error.filter.js';

const FOUND = 302;
const SEE_OTHER = 303;
/** Longer values of `code` and `state` cannot have come from a query. */
const MAX_CHARACTERS = 4_096;
/** The parameter that carries what a form brought. */
const BROUGHT = 'brought';

/**
 * Redirects to identity providers and back. Their administrators have configured these addresses, so they must not
 * change.
 */
@Open()
@UseFilters(LoginErrorFilter)
@Controller()
export class ExternalLoginController {
  constructor(
    private readonly external: ExternalLogin,
    private readonly messages: ExternalMessages,
    private readonly visits: Visits,
    private readonly hub: LoginHub,
    private readonly answers: AnswerSender,
    private readonly brought: BroughtForm,
  ) {}

  /** The button of a provider. Which one it is stands in the address. */
  @Post(paths.externalStart)
  async startByForm(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const query = readQuery(http);
    const visit = await this.visits.openFor(http, await readForm(http));
    await this.start(visit, query, http, response);
  }

  @Get(paths.externalStart)
  async startByLink(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const query = readQuery(http);
    await this.start(await this.visits.open(http, query.find('authRequestID') ?? ''), query, http, response);
  }

  @Get(paths.externalCallback)
  async callback(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.takeBack(paths.externalCallback, readAnswer(readQuery(http)), http, response);
  }

  /**
   * A provider of an extension's kind has a path of its own, so that no provider can answer for another one (RFC 9700
   * §4.4.2).
   */
  @Get(`${paths.externalCallback}/:idpId`)
  async extCallback(
    @Param('idpId') idpId: string,
    @Req() http: ExpressRequest,
    @Res() response: ExpressResponse,
  ): Promise<void> {
    const query = readQuery(http);
    const awaited = await this.messages.awaitedFrom(idpId);
    if (awaited) {
      const answer = this.messages.inQuery(awaited, query);
      return this.takeBack(extCallbackPath(idpId), answer, http, response);
    }
    const answer = readAnswer(query);
    const form = this.brought.open(query.find(BROUGHT), answer.state);
    await this.takeBack(extCallbackPath(idpId), { ...answer, form }, http, response);
  }

  /**
   * OAuth 2.0 Form Post Response Mode: a cross-site POST, with which browsers do not send our cookie (SameSite), so it
   * is redirected to a GET.
   */
  @Post(paths.externalCallback)
  async callbackForm(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    toQuery(paths.externalCallback, readAnswer(await readForm(http)), response);
  }

  @Post(`${paths.externalCallback}/:idpId`)
  async extCallbackForm(
    @Param('idpId') idpId: string,
    @Req() http: ExpressRequest,
    @Res() response: ExpressResponse,
  ): Promise<void> {
    const path = extCallbackPath(encodeURIComponent(idpId));
    const awaited = await this.messages.awaitedFrom(idpId);
    if (awaited) {
      const onward = await this.messages.receive(awaited, http);
      return toQuery(path, onward, response);
    }
    const form = await readForm(http);
    const answer = readAnswer(form);
    toQuery(path, { ...answer, [BROUGHT]: this.brought.seal(form, answer.state) }, response);
  }

  /** Reached through a proxy that adds the header, possibly under the proxy's host name and without our cookie. */
  @Get(paths.jwtAuthorize)
  async jwtAuthorize(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const query = readQuery(http);
    const target = await this.external.proveByHeader(
      query.find('userAgentID') ?? '',
      query.find('authRequestID') ?? '',
      http.headersDistinct,
    );
    response.redirect(FOUND, target);
  }

  @Get(paths.jwtCallback)
  async jwtCallback(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const query = readQuery(http);
    const homecoming = await this.external.receive(http, query.find('state') ?? '');
    if (homecoming.login.authRequestId !== query.find('authRequestID')) throw externalUnknown();
    await this.goOn(homecoming, http, response, () =>
      this.external.take(homecoming, paths.jwtCallback, { state: query.find('state') ?? '' }),
    );
  }

  private async takeBack(
    path: ServicePath,
    answer: ProviderAnswer,
    http: ExpressRequest,
    response: ExpressResponse,
  ): Promise<void> {
    const homecoming = await this.external.receive(http, answer.state);
    await this.goOn(homecoming, http, response, () => this.external.take(homecoming, path, answer));
  }

  private async start(visit: Visit, query: Form, http: ExpressRequest, response: ExpressResponse): Promise<void> {
    const idpId = query.find('idpConfigID') ?? '';
    const answer = await this.hub.leave(visit, idpId, query.find('choose') === 'true');
    await this.answers.send(http, response, answer);
  }

  private async goOn(
    { visit }: Homecoming,
    http: ExpressRequest,
    response: ExpressResponse,
    take: () => Promise<Returned>,
  ): Promise<void> {
    const answer = await this.hub.orRefuse(visit, async () => this.hub.goOn(visit, await take()));
    await this.answers.send(http, response, answer);
  }
}

function toQuery(path: ServicePath, answer: object, response: ExpressResponse): void {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(answer)) if (typeof value === 'string') query.set(name, value);
  response.redirect(SEE_OTHER, `${path}?${query.toString()}`);
}

/** @throws DomainError FailedPrecondition `login.external_unknown`, also for a repeated parameter */
function readAnswer(form: Form): ProviderAnswer {
  const read = (name: string): string | undefined => {
    const value = form.find(name);
    if (form.problemOf(name) !== undefined || (value !== undefined && value.length > MAX_CHARACTERS))
      throw externalUnknown();
    return value;
  };
  const state = read('state');
  if (state === undefined) throw externalUnknown();
  return { state, code: read('code'), iss: read('iss'), error: read('error') };
}
