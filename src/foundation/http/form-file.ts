import type { Request as ExpressRequest } from 'express';
import type { DomainError } from '../error/domain-error.js';
import { badBody, readBody } from './body.js';

/** Room for boundaries, headers of the part, and other fields. */
const AROUND_FILE = 16_384;

/**
 * The only file of a form (RFC 7578), by field name. The sender's file name and type are ignored.
 * @throws DomainError InvalidArgument `body.not_a_file_form`, `body.encoded`, `body.unreadable`, `body.file_missing`;
 * the error of `tooLarge`
 */
export async function readFormFile(
  request: ExpressRequest,
  field: string,
  maxBytes: number,
  tooLarge: () => DomainError,
): Promise<Buffer> {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw badBody('body.not_a_file_form', `The body must be multipart/form-data with the file in the field ${field}.`);
  }
  const body = await readBody(request, maxBytes + AROUND_FILE, tooLarge);
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
