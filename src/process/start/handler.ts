import type { IncomingMessage } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { LazyGrpcServer } from '../../admin/kit/grpc/lazy-grpc-server.js';
import { pathOf } from '../../foundation/http/request-target.js';
import { RouteTable } from '../../foundation/http/route-table.js';
import type { GatehouseHandler } from './gatehouse-options.js';
import { ServedPaths } from './served-paths.js';

/** The service as a handler for another server of the process. */
export function handlerOf(nest: NestExpressApplication): GatehouseHandler {
  const paths = new ServedPaths(
    nest.get(RouteTable).routes.map(({ path }) => path),
    nest.get(LazyGrpcServer).services,
  );
  const server = nest.getHttpServer();
  return (request, response, next) => {
    const target = request.url ?? '';
    const [path = ''] = (target.startsWith('/') ? target : (pathOf(target) ?? '')).split('?', 1);
    if (next && !paths.include(path)) return next();
    checkPlace(request);
    response.removeHeader('X-Powered-By'); // of an Express that comes before
    server.emit('request', request, response);
  };
}

/** @throws Error for a mistake in the program that has put it there */
function checkPlace(request: IncomingMessage & { readonly originalUrl?: string }): void {
  const { originalUrl = request.url, url, readableDidRead } = request;
  if (originalUrl !== url)
    throw new Error(
      'The handler of Gatehouse stands below a path. Its issuer, cookies and pages have none: put it at the root, by app.use(gatehouse.handler).',
    );
  if (readableDidRead)
    throw new Error(
      'The body was read before the handler of Gatehouse, which reads bodies within limits of its own. Put the handler before all readers of bodies.',
    );
}
