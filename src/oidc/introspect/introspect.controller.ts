import { Controller, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import type { Request } from 'express';
import type { Form } from '../../http/form.js';
import { FormBody, addressOf } from '../../http/request.js';
import { Open } from '../../http/access.js';
import { ClientAuthenticator } from '../client-auth/client-authenticator.js';
import { readCredentials } from '../client-auth/credentials.js';
import { OidcErrorFilter } from '../oidc-error.filter.js';
import { refusal } from '../oidc.errors.js';
import { checkParameters, required } from '../parameters.js';
import { IntrospectEndpoint, type IntrospectionResponse } from './introspect.endpoint.js';

@Controller()
@Open()
@UseFilters(OidcErrorFilter)
export class IntrospectController {
  constructor(
    private readonly endpoint: IntrospectEndpoint,
    private readonly clientAuth: ClientAuthenticator,
  ) {}

  @Post('oauth/v2/introspect')
  @HttpCode(200)
  async introspect(@FormBody() form: Form, @Req() request: Request): Promise<IntrospectionResponse> {
    checkParameters(form);
    const client = await this.clientAuth.authenticate(readCredentials(request, form), addressOf(request));
    // RFC 7662 §2.1: a public client could be anybody, and anybody must not be able to scan for tokens.
    if (!client.isConfidential) throw refusal.clientNotConfidential();
    return this.endpoint.introspect(required(form, 'token'), client);
  }
}
