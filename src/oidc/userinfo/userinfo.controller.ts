import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Open } from '../../foundation/http/access.js';
import { sendJson, sendJwt } from '../../foundation/http/json.js';
import { PresentedTokens } from '../../token/proof/presented-token.js';
import { OidcErrorFilter } from '../oidc-error.filter.js';
import { UserinfoEndpoint } from './userinfo.endpoint.js';
import { readUserinfoToken } from './userinfo-token.js';

@Controller()
@Open()
@UseFilters(OidcErrorFilter)
export class UserinfoController {
  constructor(
    private readonly endpoint: UserinfoEndpoint,
    private readonly presented: PresentedTokens,
  ) {}

  @Get('oidc/v1/userinfo')
  async get(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.answer(request, response);
  }

  /** OIDC Core §5.3.1: GET and POST are served alike. */
  @Post('oidc/v1/userinfo')
  async post(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.answer(request, response);
  }

  private async answer(request: ExpressRequest, response: ExpressResponse): Promise<void> {
    const presented = await this.presented.present(await readUserinfoToken(request), request);
    const claims = await this.endpoint.userinfo(presented);
    const nextNonce = presented.proof?.nextNonce;
    if (nextNonce !== undefined) response.setHeader('DPoP-Nonce', nextNonce); // RFC 9449 §8.2
    if (typeof claims === 'string') sendJwt(response, claims);
    else sendJson(response, claims);
  }
}
