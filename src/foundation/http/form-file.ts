import type { Request } from 'express';
import getRawBody from 'raw-body';
import { DomainError } from '../error/domain-error.js';

/** Room for boundaries, headers of the part, and other fields. */
const AROUND_FILE = 16_384;

function badBody(reason: string, message: string, cause?: unknown): DomainError {
  return new DomainError('InvalidArgument', reason, message, { cause });
}

/**
 * The only file of a form (RFC 7578), by field name. The sender's file name and type are ignored.
 * @throws DomainError InvalidArgument `body.not_a_file_form`, `body.encoded`, `body.unreadable`, `body.file_missing`;
 * the error of `tooLarge`
 */
export async function readFormFile(
  request: Request,
  field: string,
  maxBytes: number,
  tooLarge: () => DomainError,
): Promise<Buffer> {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw badBody('body.not_a_file_form', `The body must be multipart/form-data with the file in the field ${field}.`);
  }
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw badBody('body.encoded', 'The body must not be compressed.');
  }
  const length = request.headers['content-length'];
  const body = await getRawBody(request, {
    limit: maxBytes + AROUND_FILE,
    ...(length === undefined ? {} : { length }),
  }).catch((error: unknown) => {
    throw (error as { type?: string }).type === 'entity.too.large'
      ? tooLarge()
      : badBody('body.unreadable', 'The body could not be read completely.', error);
  });
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } })
    .formData()
    .catch((error: unknown) => {
      throw badBody(
        'body.unreadable',
        'The parts of the body could not be read: it must be multipart/form-data with the declared boundary.',
        error,
      );
    });
  const [file, ...others] = form.getAll(field);
  if (!(file instanceof File) || others.length > 0)
    throw badBody('body.file_missing', `The form must contain one file in the field ${field}.`);
  if (file.size > maxBytes) throw tooLarge();
  return Buffer.from(await file.arrayBuffer());
}
