import type { Request as ExpressRequest } from 'express';

/** The known methods; whatever else a stranger writes into the request line is one word (OPS-011). */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method of a request, if it is one that is known. */
export function knownMethodOf({ method }: { readonly method?: string | undefined }): string | undefined {
  return method !== undefined && METHODS.has(method) ? method : undefined;
}

/** The template that the path of a request has matched, once it is answered; for gRPC the path of the procedure. */
export function routeOf(request: ExpressRequest): string | undefined {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : undefined;
}
