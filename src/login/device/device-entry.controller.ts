import { All, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { DomainError } from '../../foundation/error/domain-error.js';
import { Open } from '../../foundation/http/access.js';
import { readForm, readQuery } from '../../foundation/http/request.js';
import { Logger } from '../../foundation/log/logger.js';
import { paths } from '../../org/instance/paths.js';
import { type DeviceProps, USER_CODE } from '../../page/device.page.js';
import { tooManyAttempts } from '../../page/part/too-many-attempts.js';
import { BrowserCookie } from '../../session/browser-cookie.js';
import { AnswerSender } from '../hub/answer-sender.js';
import { LoginHub } from '../hub/login.hub.js';
import { LoginErrorFilter } from '../hub/login-error.filter.js';
import { LoginPages } from '../login-pages.js';
import { DeviceEntry, type DeviceVisitor } from './device-entry.js';

const AGAIN = 400;
const LIMITED = 429;
/** Longer than a code with everything that people type between its letters. */
const MAX_SHOWN_CHARACTERS = 40;

/** Where a device sends its user (RFC 8628 §3.3). Opening the page approves nothing and uses nothing up. */
@Open()
@UseFilters(LoginErrorFilter)
@Controller()
export class DeviceEntryController {
  constructor(
    private readonly entry: DeviceEntry,
    private readonly hub: LoginHub,
    private readonly answers: AnswerSender,
    private readonly pages: LoginPages,
    private readonly cookie: BrowserCookie,
    private readonly log: Logger,
  ) {}

  @Get(paths.device)
  async open(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const visitor = await this.entry.open(http);
    this.show(visitor, response, 200, readQuery(http).find(USER_CODE));
  }

  @Post(paths.device)
  async take(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const form = await readForm(http);
    const visitor = await this.entry.openFor(http, form);
    const typed = form.find(USER_CODE);
    if (typed === undefined)
      return this.show(visitor, response, AGAIN, typed, [{ field: USER_CODE, reason: 'codeMissing' }]);
    try {
      const visit = await this.entry.begin(http, visitor, typed);
      if (visit) {
        this.setCookie(visitor, response);
        return await this.answers.send(http, response, await this.hub.next(visit));
      }
    } catch (error) {
      if (!(error instanceof DomainError) || error.reason !== 'attempt.too_many') throw error;
      this.log.warn({ reason: error.reason, path: http.path, address: visitor.address }, 'limited');
      if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds));
      return this.show(visitor, response, LIMITED, typed, [tooManyAttempts(error, visitor.setting)]);
    }
    this.log.warn({ reason: 'device.user_code_wrong', path: http.path, address: visitor.address }, 'code refused');
    this.show(visitor, response, AGAIN, typed, [{ field: USER_CODE, reason: 'codeWrong' }]);
  }

  @All(paths.device)
  async otherMethod(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    response.setHeader('Allow', 'GET, HEAD, POST');
    await this.pages.send(http, response, { page: 'error', reason: 'notFound' }, 405);
  }

  private show(
    visitor: DeviceVisitor,
    response: ExpressResponse,
    status: number,
    code: string | undefined,
    errors?: DeviceProps['errors'],
  ): void {
    this.setCookie(visitor, response);
    const page = {
      page: 'device',
      form: visitor.form,
      userCode: code?.slice(0, MAX_SHOWN_CHARACTERS),
      errors,
    } as const;
    this.pages.sendAs(visitor.setting, response, page, { status });
  }

  private setCookie({ newCookieValue }: DeviceVisitor, response: ExpressResponse): void {
    if (newCookieValue !== undefined) response.setHeader('Set-Cookie', this.cookie.toSetCookie(newCookieValue));
  }
}
