import { Controller, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import { Open } from '../../foundation/http/access.js';
import type { Form } from '../../foundation/http/form.js';
import { addressOf, FormBody } from '../../foundation/http/request.js';
import { Logger } from '../../foundation/log/logger.js';
import { ClientAuthenticator } from '../client-auth/client-authenticator.js';
import { readCredentials } from '../client-auth/credentials.js';
import { OidcErrorFilter } from '../oidc-error.filter.js';
import { checkParameters, required } from '../parameters.js';
import { RevokeEndpoint } from './revoke.endpoint.js';

@Controller()
@Open()
@UseFilters(OidcErrorFilter)
export class RevokeController {
  constructor(
    private readonly endpoint: RevokeEndpoint,
    private readonly clientAuth: ClientAuthenticator,
    private readonly log: Logger,
  ) {}

  @Post('oauth/v2/revoke')
  @HttpCode(200)
  async revoke(@FormBody() form: Form, @Req() request: ExpressRequest): Promise<void> {
    checkParameters(form);
    const client = await this.clientAuth.authenticate(readCredentials(request, form), addressOf(request));
    const actors = await this.endpoint.revoke(required(form, 'token'), client);
    if (actors) this.log.info({ clientId: client.id, ...actors, address: addressOf(request) }, 'token revoked');
  }
}
