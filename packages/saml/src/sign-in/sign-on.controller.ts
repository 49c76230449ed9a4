import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { FormBody, type FormFields, Open } from 'gatehouse/admin';
import { BASE_PATH } from '../entity/our-entity.js';
import { MAX_FORM_BYTES, rawQueryOf, receivedInForm, receivedInQuery, valueOf } from './received.js';
import { RefusalPages } from './refusal-pages.js';
import { SignOn } from './sign-on.js';

/** Says that a form comes from here. */
const AGAIN = 'again';

const APPLICATION_ID = /^[\w-]{1,200}$/;

/** Where applications send users to sign in (SAML Bindings §3.4 and §3.5). */
@Controller(`${BASE_PATH}/SSO`)
export class SignOnController {
  constructor(
    private readonly signOn: SignOn,
    private readonly refusals: RefusalPages,
  ) {}

  @Get()
  @Open()
  async redirect(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const exchange = { request, response };
    await this.refusals.around(exchange, () => this.signOn.request(exchange, receivedInQuery(request)));
  }

  @Post()
  @Open()
  async post(
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
    @FormBody({ maxBytes: MAX_FORM_BYTES }) form: FormFields,
  ): Promise<void> {
    const exchange = { request, response };
    await this.refusals.around(exchange, async () => {
      const message = receivedInForm(form);
      if (form.isGiven(AGAIN)) return this.signOn.request(exchange, message);
      const { relayState } = message;
      await this.signOn.again(exchange, {
        SAMLRequest: valueOf(form, 'SAMLRequest') ?? '',
        ...(relayState === undefined ? {} : { RelayState: relayState }),
        [AGAIN]: '1',
      });
    });
  }

  @Get('init')
  @Open()
  async initiate(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    const exchange = { request, response };
    const application = new URLSearchParams(rawQueryOf(request)).get('application') ?? '';
    if (!APPLICATION_ID.test(application)) return this.refusals.show(exchange, 'invalid-request');
    await this.refusals.around(exchange, () => this.signOn.initiate(exchange, application));
  }
}
