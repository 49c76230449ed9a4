import type { IncomingMessage, ServerResponse } from 'node:http';
import { All, Controller, Req, Res, UseFilters } from '@nestjs/common';
import { Open } from 'gatehouse/admin';
import { ScimErrorFilter } from '../error/scim-error.filter.js';
import { ScimError } from '../error/scim-error.js';
import { BASE_PATH } from '../protocol/asks.js';

/** The methods of the paths that there are, behind the ID of the organization. */
const METHODS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(Users|Groups)$/, 'GET, POST'],
  [/^((Users|Groups)\/)?\.search$/, 'POST'],
  [/^(Users|Groups)\/[^/]+$/, 'GET, PUT, PATCH, DELETE'],
  [/^Bulk$/, 'POST'],
  [/^(ServiceProviderConfig|(ResourceTypes|Schemas)(\/[^/]+)?)?$/, 'GET'],
];

/** What no other controller answers, so that directories read every refusal. It comes last in the module. */
@Controller(BASE_PATH)
@UseFilters(ScimErrorFilter)
export class ElsewhereController {
  /** RFC 7644 §3.11: the caller is a service user, which is no resource of this protocol. */
  @All([':orgId/Me', ':orgId/Me/*rest'])
  @Open()
  me(): never {
    throw new ScimError(501, undefined, 'FailedPrecondition', 'scim.me', '/Me is not supported.');
  }

  @All(['', '*rest'])
  @Open()
  rest(@Req() request: IncomingMessage, @Res() response: ServerResponse): never {
    const [address = ''] = (request.url ?? '').split('?', 1);
    const words = address.split('/').filter((word) => word !== '');
    const [orgId, ...path] = words.slice(BASE_PATH.split('/').length);
    const methods = orgId === undefined ? undefined : METHODS.find(([pattern]) => pattern.test(path.join('/')))?.[1];
    if (methods === undefined)
      throw new ScimError(404, undefined, 'NotFound', 'scim.nothing_here', 'There is nothing at this path.');
    response.setHeader('Allow', methods);
    throw new ScimError(405, undefined, 'FailedPrecondition', 'scim.method', 'The path has no such method.');
  }
}
