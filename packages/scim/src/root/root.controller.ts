import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { Asking, type Caller, JsonBody, Requires, Within } from 'gatehouse/admin';
import { Bulk } from '../bulk/bulk.js';
import { MOST_BYTES } from '../bulk/bulk-request.js';
import { ScimErrorFilter } from '../error/scim-error.filter.js';
import { BODY_TYPES, send } from '../protocol/answer.js';
import { Asks, BASE_PATH } from '../protocol/asks.js';
import { queryOf, readListQuery, readSearch } from '../protocol/list-query.js';
import { SearchAll } from './search-all.js';

const ORG = { org: 'orgId' };
/** A hundred operations, each of which may hash a password. */
const BULK_SECONDS = 60;

/** RFC 7644 §3.4.2.1 and §3.7: what is about resources of all kinds. */
@Controller(`${BASE_PATH}/:orgId`)
@UseFilters(ScimErrorFilter)
export class RootController {
  constructor(
    private readonly asks: Asks,
    private readonly all: SearchAll,
    private readonly operations: Bulk,
  ) {}

  @Get()
  @Requires('user.read', ORG)
  async list(
    @Asking() caller: Caller,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const query = readListQuery(queryOf(request));
    send(response, await this.all.list(this.asks.of(caller, request, query), query));
  }

  @Post('.search')
  @Requires('user.read', ORG)
  async search(
    @Asking() caller: Caller,
    @JsonBody({ types: BODY_TYPES }) body: unknown,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const query = readSearch(body);
    send(response, await this.all.list(this.asks.of(caller, request, query), query));
  }

  /** Each operation checks the permission that it needs. */
  @Post('Bulk')
  @Requires('user.read', ORG)
  @Within(BULK_SECONDS)
  async bulk(
    @Asking() caller: Caller,
    @JsonBody({ types: BODY_TYPES, maxBytes: MOST_BYTES }) body: unknown,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    send(response, await this.operations.run(this.asks.of(caller, request), body));
  }
}
