import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Open } from '../../foundation/http/access.js';
import { sendJson } from '../../foundation/http/json.js';
import { OidcErrorFilter } from '../oidc-error.filter.js';
import { UserinfoEndpoint } from './userinfo.endpoint.js';
import { readUserinfoToken } from './userinfo-token.js';

@Controller()
@Open()
@UseFilters(OidcErrorFilter)
export class UserinfoController {
  constructor(private readonly endpoint: UserinfoEndpoint) {}

  @Get('oidc/v1/userinfo')
  async get(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendJson(response, await this.endpoint.userinfo(await readUserinfoToken(request)));
  }

  /** OIDC Core §5.3.1: GET and POST are served alike. */
  @Post('oidc/v1/userinfo')
  async post(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendJson(response, await this.endpoint.userinfo(await readUserinfoToken(request)));
  }
}
