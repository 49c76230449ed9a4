import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { BrowserCookie } from '../session/browser-cookie.js';
import type { Answer } from './login.hub.js';
import { LoginPages } from './login-pages.js';
import type { Visit } from './visit.js';

const SEE_OTHER = 303;

/** Sends what the hub has decided, or a step with a route of its own. */
@Injectable()
export class AnswerSender {
  constructor(
    private readonly pages: LoginPages,
    private readonly cookie: BrowserCookie,
  ) {}

  async send(visit: Visit, response: Response, answer: Answer): Promise<void> {
    if ('redirectTo' in answer) {
      if (answer.cookieValue !== undefined)
        response.setHeader('Set-Cookie', this.cookie.toSetCookie(answer.cookieValue));
      response.redirect(SEE_OTHER, answer.redirectTo);
      return;
    }
    if (answer.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(answer.retryAfterSeconds));
    await this.pages.sendWithin(visit, response, answer.page, answer.status);
  }
}
