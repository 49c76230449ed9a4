import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import { Open } from 'gatehouse/admin';
import { ScimErrorFilter } from '../error/scim-error.filter.js';
import { ScimError } from '../error/scim-error.js';
import { listAnswer, send } from '../protocol/answer.js';
import { Asks, BASE_PATH } from '../protocol/asks.js';
import { queryOf } from '../protocol/list-query.js';
import type { JsonObject } from '../resource/write-resource.js';
import { resourceTypes, schemas, serviceProviderConfig } from './documents.js';

/**
 * RFC 7644 §4. Open, as RFC 7643 §5 recommends for what a directory needs before it has a token: it is the same for
 * every organization, whether that exists or not.
 */
@Controller(`${BASE_PATH}/:orgId`)
@UseFilters(ScimErrorFilter)
export class DiscoveryController {
  constructor(private readonly asks: Asks) {}

  @Get('ServiceProviderConfig')
  @Open()
  config(@Param('orgId') orgId: string, @Res() response: ServerResponse): void {
    send(response, { status: 200, body: serviceProviderConfig(this.asks.locations(orgId)) });
  }

  @Get('ResourceTypes')
  @Open()
  types(@Param('orgId') orgId: string, @Req() request: IncomingMessage, @Res() response: ServerResponse): void {
    sendAll(request, response, resourceTypes(this.asks.locations(orgId)));
  }

  @Get('ResourceTypes/:id')
  @Open()
  type(@Param('orgId') orgId: string, @Param('id') id: string, @Res() response: ServerResponse): void {
    sendOne(response, resourceTypes(this.asks.locations(orgId)), id);
  }

  @Get('Schemas')
  @Open()
  schemas(@Param('orgId') orgId: string, @Req() request: IncomingMessage, @Res() response: ServerResponse): void {
    sendAll(request, response, schemas(this.asks.locations(orgId)));
  }

  @Get('Schemas/:id')
  @Open()
  schema(@Param('orgId') orgId: string, @Param('id') id: string, @Res() response: ServerResponse): void {
    sendOne(response, schemas(this.asks.locations(orgId)), id);
  }
}

function sendAll(request: IncomingMessage, response: ServerResponse, resources: readonly JsonObject[]): void {
  // RFC 7644 §4: "If a "filter" is provided, the service provider SHOULD respond with HTTP status code 403".
  if (queryOf(request).has('filter'))
    throw new ScimError(
      403,
      undefined,
      'PermissionDenied',
      'scim.not_filtered',
      'What describes the service cannot be filtered.',
    );
  send(response, listAnswer({ total: resources.length, resources }));
}

/** RFC 7643 §2.1: names and URNs are compared regardless of case. */
function sendOne(response: ServerResponse, resources: readonly JsonObject[], id: string): void {
  const wanted = id.toLowerCase();
  const body = resources.find(({ id: known }) => typeof known === 'string' && known.toLowerCase() === wanted);
  if (!body)
    throw new ScimError(404, undefined, 'NotFound', 'scim.nothing_here', 'The service has nothing of this name.');
  send(response, { status: 200, body });
}
