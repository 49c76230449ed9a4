import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Delete, Get, Param, Patch, Post, Put, Req, Res, UseFilters } from '@nestjs/common';
import { Asking, type Caller, JsonBody, Requires } from 'gatehouse/admin';
import { ScimErrorFilter } from '../error/scim-error.filter.js';
import { BODY_TYPES, listAnswer, send } from '../protocol/answer.js';
import { Asks, BASE_PATH } from '../protocol/asks.js';
import { type ListQuery, queryOf, readListQuery, readSearch } from '../protocol/list-query.js';
import { ScimUsers } from './scim-users.js';

const ORG = { org: 'orgId' };
const BODY = { types: BODY_TYPES };

/** RFC 7644 §3.2, `/Users`. Each use case checks its own permission as well. */
@Controller(`${BASE_PATH}/:orgId/Users`)
@UseFilters(ScimErrorFilter)
export class UsersController {
  constructor(
    private readonly asks: Asks,
    private readonly users: ScimUsers,
  ) {}

  @Get()
  @Requires('user.read', ORG)
  async list(
    @Asking() caller: Caller,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    await this.answerList(caller, request, response, readListQuery(queryOf(request)));
  }

  @Post('.search')
  @Requires('user.read', ORG)
  async search(
    @Asking() caller: Caller,
    @JsonBody(BODY) body: unknown,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    await this.answerList(caller, request, response, readSearch(body));
  }

  @Post()
  @Requires('user.write', ORG)
  async create(
    @Asking() caller: Caller,
    @JsonBody(BODY) body: unknown,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, await this.users.create(this.asks.of(caller, request), body));
  }

  @Get(':id')
  @Requires('user.read', ORG)
  async get(
    @Asking() caller: Caller,
    @Param('id') id: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, await this.users.get(this.asks.of(caller, request), id));
  }

  @Put(':id')
  @Requires('user.write', ORG)
  async replace(
    @Asking() caller: Caller,
    @Param('id') id: string,
    @JsonBody(BODY) body: unknown,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, await this.users.replace(this.asks.of(caller, request), id, body));
  }

  @Patch(':id')
  @Requires('user.write', ORG)
  async patch(
    @Asking() caller: Caller,
    @Param('id') id: string,
    @JsonBody(BODY) body: unknown,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, await this.users.patch(this.asks.of(caller, request), id, body));
  }

  @Delete(':id')
  @Requires('user.delete', ORG)
  async remove(
    @Asking() caller: Caller,
    @Param('id') id: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, await this.users.remove(this.asks.of(caller, request), id));
  }

  private async answerList(
    caller: Caller,
    request: IncomingMessage,
    response: ServerResponse,
    query: ListQuery,
  ): Promise<void> {
    const { startIndex, count } = query;
    const range = { offset: startIndex - 1, limit: count };
    const found = await this.users.list(this.asks.of(caller, request, query), query.filter, range);
    send(response, listAnswer(found, startIndex));
  }
}
