import type { Request as ExpressRequest } from 'express';
import getRawBody from 'raw-body';
import { DomainError } from '../error/domain-error.js';

/** The refusal of a body; `reason` begins with `body.`. */
export function badBody(reason: string, message: string, cause?: unknown): DomainError {
  return new DomainError('InvalidArgument', reason, message, { cause });
}

/** The refusal of a body that ends too early. */
export function bodyUnreadable(cause: unknown): DomainError {
  return badBody('body.unreadable', 'The body could not be read completely.', cause);
}

/** @throws DomainError InvalidArgument `body.encoded` */
export function checkNotCompressed({ headers }: ExpressRequest): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw badBody('body.encoded', 'The body must not be compressed.');
}

/**
 * The whole body of a request, which must not be compressed.
 * @param tooLarge the refusal of a body that is longer than `limit` bytes
 * @throws DomainError InvalidArgument `body.encoded`, `body.unreadable`; the error of `tooLarge`, by default
 * InvalidArgument `body.too_large`
 */
export async function readBody(
  request: ExpressRequest,
  limit: number,
  tooLarge: (cause: unknown) => DomainError = (cause) =>
    badBody('body.too_large', `The body must have at most ${limit} bytes.`, cause),
): Promise<Buffer> {
  checkNotCompressed(request);
  const length = request.headers['content-length'];
  try {
    return await getRawBody(request, { limit, ...(length === undefined ? {} : { length }) });
  } catch (error) {
    throw (error as { type?: string }).type === 'entity.too.large' ? tooLarge(error) : bodyUnreadable(error);
  }
}
