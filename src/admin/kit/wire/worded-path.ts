import type { RequestHandler } from 'express';

/** The placeholder for the word of the installation (`URN_WORD`) in the paths of controllers. */
const WRITTEN = '/auth/v1/permissions/service/me/_search';

/** A path as clients of this installation know it. */
export function withWord(path: string, word: string): string {
  return path === WRITTEN ? WRITTEN.replace('service', word) : path;
}

/** Routes requests for the path with the word; the path with the placeholder remains valid. */
export function readWordedPath(word: string): RequestHandler {
  const worded = withWord(WRITTEN, word).toLowerCase();
  return (request, _response, next) => {
    const [path = '', ...query] = request.url.split('?');
    if (path.replace(/\/$/, '').toLowerCase() === worded) request.url = [WRITTEN, ...query].join('?');
    next();
  };
}
