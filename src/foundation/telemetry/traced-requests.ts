import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction, RequestHandler } from 'express';
import type { IssuerConfig } from '../config/config.js';
import { knownMethodOf, routeOf } from '../http/request-labels.js';
import { isFromTrustedProxy } from '../http/trusted-proxy.js';
import { type Attributes, asSpan } from '../trace/span.js';
import type { CallerTrace, Tracer } from '../trace/tracer.js';
import { readTraceParent } from './trace-parent.js';

/**
 * A span for each request, by its route: paths and queries contain ids and codes. Must see a request before what it is
 * to report.
 */
export function traceRequests(tracer: Tracer, { publicUrl }: IssuerConfig): RequestHandler {
  const { hostname, port, protocol } = new URL(publicUrl);
  const origin: Attributes = {
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
  return (request: ExpressRequest, response: ExpressResponse, next: NextFunction): void => {
    const method = knownMethodOf(request);
    const attributes: Attributes = {
      ...origin,
      'http.request.method': method ?? '_OTHER',
      'network.protocol.version': request.httpVersionMajor === 2 ? '2' : request.httpVersion,
    };
    const span = tracer.request(method ?? 'HTTP', attributes, callerOf(request));
    if (!span) return next();
    response.once('close', () => {
      const route = routeOf(request);
      if (route !== undefined) {
        span.rename(`${method ?? 'HTTP'} ${route}`);
        span.set('http.route', route);
      }
      if (response.headersSent) span.set('http.response.status_code', response.statusCode);
      if (response.statusCode >= 500) span.fail(String(response.statusCode));
      else if (!response.writableFinished) span.fail('not_taken');
      span.end();
    });
    asSpan(span, next);
  };
}

/**
 * The trace of the caller: a request of a proxy in `TRUSTED_PROXIES` is a part of it, and its sampling is kept. Anybody
 * else could make all of their requests be reported, or none, and put them into traces of others: theirs are only named
 * (OPS-057). `tracestate` and `baggage` are not read, as they hold whatever was put into them.
 */
function callerOf(request: ExpressRequest): CallerTrace | undefined {
  const parent = readTraceParent(request.headersDistinct['traceparent']);
  return parent && { ...parent, isContinued: isFromTrustedProxy(request) };
}
