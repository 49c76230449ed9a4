import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Open } from '../../foundation/http/access.js';
import type { Form } from '../../foundation/http/form.js';
import { sendJson } from '../../foundation/http/json.js';
import { addressOf, FormBody } from '../../foundation/http/request.js';
import { ClientAuthenticator } from '../client-auth/client-authenticator.js';
import { readCredentials } from '../client-auth/credentials.js';
import { refusal } from '../oidc.errors.js';
import { OidcErrorFilter } from '../oidc-error.filter.js';
import { checkParameters, required } from '../parameters.js';
import { IntrospectEndpoint } from './introspect.endpoint.js';

@Controller()
@Open()
@UseFilters(OidcErrorFilter)
export class IntrospectController {
  constructor(
    private readonly endpoint: IntrospectEndpoint,
    private readonly clientAuth: ClientAuthenticator,
  ) {}

  @Post('oauth/v2/introspect')
  async introspect(
    @FormBody() form: Form,
    @Req() request: ExpressRequest,
    @Res() response: ExpressResponse,
  ): Promise<void> {
    checkParameters(form);
    const client = await this.clientAuth.authenticate(readCredentials(request, form), addressOf(request));
    // RFC 7662 §2.1: a public client could be anybody, and anybody must not be able to scan for tokens.
    if (!client.isConfidential) throw refusal.clientNotConfidential();
    sendJson(response, await this.endpoint.introspect(required(form, 'token'), client));
  }
}
