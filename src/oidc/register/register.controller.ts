import { Controller, Delete, Get, type OnModuleInit, Param, Post, Put, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { SelfDescribedConfig } from '../../foundation/config/config.js';
import { Open } from '../../foundation/http/access.js';
import { readAccessToken } from '../../foundation/http/access-token-header.js';
import { sendJson } from '../../foundation/http/json.js';
import { readStorableJson } from '../../foundation/http/json-body.js';
import { addressOf } from '../../foundation/http/request.js';
import { RouteTable } from '../../foundation/http/route-table.js';
import { Logger } from '../../foundation/log/logger.js';
import { endpoints } from '../oidc.paths.js';
import { OidcErrorFilter } from '../oidc-error.filter.js';
import { RegisterEndpoint } from './register.endpoint.js';

/** Room for the keys of a client, which are the longest member. */
const MAX_BYTES = 102_400;

/** RFC 7591 §3 and RFC 7592 §2; unless the operator turns registration on, paths like any unknown ones. */
@Controller('oauth/v2/register')
@Open()
@UseFilters(OidcErrorFilter)
export class RegisterController implements OnModuleInit {
  constructor(
    private readonly endpoint: RegisterEndpoint,
    private readonly config: SelfDescribedConfig,
    private readonly routes: RouteTable,
    private readonly log: Logger,
  ) {}

  onModuleInit(): void {
    if (this.config.registration === 'open')
      this.log.warn(
        { reason: 'config.open_registration' },
        'REGISTRATION is open: anybody can ask users for their consent',
      );
    if (this.config.registration !== 'off') return;
    this.routes.close(endpoints.registration);
    this.routes.close(`${endpoints.registration}/:clientId`);
  }

  @Post()
  async register(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const body = (): Promise<unknown> => readStorableJson(request, MAX_BYTES);
    sendJson(response, await this.endpoint.register(readAccessToken(request), body, addressOf(request)), 201);
  }

  @Get(':clientId')
  async read(
    @Param('clientId') clientId: string,
    @Req() request: ExpressRequest,
    @Res() response: ExpressResponse,
  ): Promise<void> {
    sendJson(response, await this.endpoint.read(readAccessToken(request), clientId));
  }

  @Put(':clientId')
  async replace(
    @Param('clientId') clientId: string,
    @Req() request: ExpressRequest,
    @Res() response: ExpressResponse,
  ): Promise<void> {
    const body = (): Promise<unknown> => readStorableJson(request, MAX_BYTES);
    sendJson(response, await this.endpoint.replace(readAccessToken(request), clientId, body, addressOf(request)));
  }

  @Delete(':clientId')
  async remove(
    @Param('clientId') clientId: string,
    @Req() request: ExpressRequest,
    @Res() response: ExpressResponse,
  ): Promise<void> {
    await this.endpoint.remove(readAccessToken(request), clientId);
    response.status(204).end();
  }
}
