import { Controller, Get, HttpCode, Post, Req, UseFilters } from '@nestjs/common';
import type { Request } from 'express';
import type { Claims } from '../../token/claims/user-claims.js';
import { Open } from '../../http/access.js';
import { OidcErrorFilter } from '../oidc-error.filter.js';
import { readUserinfoToken } from './bearer.js';
import { UserinfoEndpoint } from './userinfo.endpoint.js';

@Controller()
@Open()
@UseFilters(OidcErrorFilter)
export class UserinfoController {
  constructor(private readonly endpoint: UserinfoEndpoint) {}

  @Get('oidc/v1/userinfo')
  async get(@Req() request: Request): Promise<Claims> {
    return this.endpoint.userinfo(await readUserinfoToken(request));
  }

  /** OIDC Core §5.3.1: GET and POST are served alike. */
  @Post('oidc/v1/userinfo')
  @HttpCode(200)
  async post(@Req() request: Request): Promise<Claims> {
    return this.endpoint.userinfo(await readUserinfoToken(request));
  }
}
