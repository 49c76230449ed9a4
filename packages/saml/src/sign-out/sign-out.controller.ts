import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { FormBody, type FormFields, Open } from 'gatehouse/admin';
import type { ReceivedMessage } from '../bindings/message.js';
import { BASE_PATH } from '../entity/our-entity.js';
import { MAX_FORM_BYTES, rawQueryOf, receivedInForm, receivedInQuery } from '../sign-in/received.js';
import { type Exchange, RefusalPages } from '../sign-in/refusal-pages.js';
import { SignOut } from './sign-out.js';

/** Where applications send users to sign out, and back from there (SAML Bindings §3.4 and §3.5). */
@Controller(`${BASE_PATH}/SLO`)
export class SignOutController {
  constructor(
    private readonly signOut: SignOut,
    private readonly refusals: RefusalPages,
  ) {}

  @Get()
  @Open()
  async redirect(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    await this.receive({ request, response }, () => receivedInQuery(request));
  }

  @Post()
  @Open()
  async post(
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
    @FormBody({ maxBytes: MAX_FORM_BYTES }) form: FormFields,
  ): Promise<void> {
    await this.receive({ request, response }, () => receivedInForm(form));
  }

  @Get('continue')
  @Open()
  async continue(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const exchange = { request, response };
    const order = new URLSearchParams(rawQueryOf(request)).get('order') ?? '';
    await this.refusals.around(exchange, () => this.signOut.continue(exchange, order));
  }

  private async receive(exchange: Exchange, read: () => ReceivedMessage): Promise<void> {
    await this.refusals.around(exchange, async () => {
      const message = read();
      if (message.parameter === 'SAMLRequest') await this.signOut.request(exchange, message);
      else await this.signOut.response(exchange, message);
    });
  }
}
