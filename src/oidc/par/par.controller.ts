import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Open } from '../../foundation/http/access.js';
import { certificateOf } from '../../foundation/http/client-certificate.js';
import type { Form } from '../../foundation/http/form.js';
import { sendJson } from '../../foundation/http/json.js';
import { addressOf, FormBody } from '../../foundation/http/request.js';
import { readCredentials } from '../client-auth/credentials.js';
import { OidcErrorFilter } from '../oidc-error.filter.js';
import { checkParameters } from '../parameters.js';
import { RESOURCE } from '../requested-resources.js';
import { ParEndpoint } from './par.endpoint.js';

/** RFC 9126 §2.2. */
export interface PushedAuthorizationResponse {
  readonly request_uri: string;
  readonly expires_in: number;
}

@Controller()
@Open()
@UseFilters(OidcErrorFilter)
export class ParController {
  constructor(private readonly endpoint: ParEndpoint) {}

  @Post('oauth/v2/par')
  async push(@FormBody() form: Form, @Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    checkParameters(form, [RESOURCE]);
    const caller = {
      credentials: readCredentials(request, form),
      address: addressOf(request),
      certificate: certificateOf(request),
    };
    const { requestUri, expiresInSeconds, nextNonce } = await this.endpoint.push(form, request, caller);
    if (nextNonce !== undefined) response.setHeader('DPoP-Nonce', nextNonce);
    const body: PushedAuthorizationResponse = { request_uri: requestUri, expires_in: expiresInSeconds };
    sendJson(response, body, 201);
  }
}
