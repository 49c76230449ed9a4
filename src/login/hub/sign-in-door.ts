import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Handover, type OpenedRequest, type SignInPages } from '../../session/auth-request/handover.js';
import { Visits } from '../visits.js';
import { AnswerSender } from './answer-sender.js';
import { LoginHub } from './login.hub.js';

/** Where the authorization endpoint brings users who have to sign in: it answers with their first page. */
@Injectable()
export class SignInDoor implements SignInPages, OnModuleInit {
  constructor(
    private readonly handover: Handover,
    private readonly visits: Visits,
    private readonly hub: LoginHub,
    private readonly answers: AnswerSender,
  ) {}

  onModuleInit(): void {
    this.handover.registerPages(this);
  }

  async begin(
    http: ExpressRequest,
    response: ExpressResponse,
    opened: OpenedRequest & { readonly cookieValue: string },
  ): Promise<void> {
    const visit = await this.visits.begin(http, opened);
    await this.answers.send(http, response, await this.hub.next(visit));
  }
}
