import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Delete, Get, Param, Patch, Post, Put, Req, Res, UseFilters } from '@nestjs/common';
import { Asking, type Caller, JsonBody, Requires } from 'gatehouse/admin';
import { ScimErrorFilter } from '../error/scim-error.filter.js';
import { BODY_TYPES, listAnswer, send } from '../protocol/answer.js';
import { Asks, BASE_PATH } from '../protocol/asks.js';
import { type ListQuery, queryOf, readListQuery, readSearch } from '../protocol/list-query.js';
import { ScimGroups } from './scim-groups.js';

const ORG = { org: 'orgId' };
/** A body with more members than a request may have is still read, so that the answer says how many it may. */
const BODY = { types: BODY_TYPES, maxBytes: 4_194_304 };

/** RFC 7644 §3.2, `/Groups`. Each use case checks its own permission as well. */
@Controller(`${BASE_PATH}/:orgId/Groups`)
@UseFilters(ScimErrorFilter)
export class GroupsController {
  constructor(
    private readonly asks: Asks,
    private readonly groups: ScimGroups,
  ) {}

  @Get()
  @Requires('group.read', ORG)
  async list(
    @Asking() caller: Caller,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    await this.answerList(caller, request, response, readListQuery(queryOf(request)));
  }

  @Post('.search')
  @Requires('group.read', ORG)
  async search(
    @Asking() caller: Caller,
    @JsonBody(BODY) body: unknown,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    await this.answerList(caller, request, response, readSearch(body));
  }

  @Post()
  @Requires('group.write', ORG)
  async create(
    @Asking() caller: Caller,
    @JsonBody(BODY) body: unknown,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, await this.groups.create(this.asks.of(caller, request), body));
  }

  @Get(':id')
  @Requires('group.read', ORG)
  async get(
    @Asking() caller: Caller,
    @Param('id') id: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, await this.groups.get(this.asks.of(caller, request), id));
  }

  @Put(':id')
  @Requires('group.write', ORG)
  async replace(
    @Asking() caller: Caller,
    @Param('id') id: string,
    @JsonBody(BODY) body: unknown,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, await this.groups.replace(this.asks.of(caller, request), id, body));
  }

  @Patch(':id')
  @Requires('group.write', ORG)
  async patch(
    @Asking() caller: Caller,
    @Param('id') id: string,
    @JsonBody(BODY) body: unknown,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, await this.groups.patch(this.asks.of(caller, request), id, body));
  }

  @Delete(':id')
  @Requires('group.delete', ORG)
  async remove(
    @Asking() caller: Caller,
    @Param('id') id: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, await this.groups.remove(this.asks.of(caller, request), id));
  }

  private async answerList(
    caller: Caller,
    request: IncomingMessage,
    response: ServerResponse,
    query: ListQuery,
  ): Promise<void> {
    const { startIndex, count } = query;
    const range = { offset: startIndex - 1, limit: count };
    const found = await this.groups.list(this.asks.of(caller, request, query), query.filter, range);
    send(response, listAnswer(found, startIndex));
  }
}
