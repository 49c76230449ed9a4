import type { RequestHandler } from 'express';

/** As the controllers write the one path in which the word of the installation stands (`URN_WORD`). */
const WRITTEN = '/auth/v1/permissions/service/me/_search';

/** A path as clients of this installation know it. */
export function withWord(path: string, word: string): string {
  return path === WRITTEN ? WRITTEN.replace('service', word) : path;
}

/** Leads requests by the path with the word to the route; the path as it is written stays, too. */
export function readWordedPath(word: string): RequestHandler {
  const worded = withWord(WRITTEN, word).toLowerCase();
  return (request, _response, next) => {
    const [path = '', ...query] = request.url.split('?');
    if (path.replace(/\/$/, '').toLowerCase() === worded) request.url = [WRITTEN, ...query].join('?');
    next();
  };
}
