import { parse as parseContentType } from 'content-type';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import { duplicateMember } from '../crypto/json-members.js';
import { DomainError, invalidFields } from '../error/domain-error.js';
import { hasNoBody } from './request.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** For a body that is refused; `reason` begins with `body.`. */
function badBody(reason: string, message: string, cause?: unknown): DomainError {
  return new DomainError('InvalidArgument', reason, message, { cause });
}

/** For a body that ends too early. */
export function bodyUnreadable(cause: unknown): DomainError {
  return badBody('body.unreadable', 'The body could not be read completely.', cause);
}

/**
 * Called before the body is read.
 * @throws DomainError InvalidArgument `body.not_json`, `body.encoded`
 */
export function checkSaysJson({ headers }: Request): void {
  if (!isJson(headers['content-type'])) throw badBody('body.not_json', 'The body must be application/json in UTF-8.');
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw badBody('body.encoded', 'The body must not be compressed.');
}

/**
 * The JSON in the body of a request; an empty body is an empty object. An object that has a member twice is refused: which
 * of the two counts differs from parser to parser (RFC 8259 §4), so a proxy that checks requests may have read the other one.
 * @throws DomainError InvalidArgument `body.not_json`, `body.encoded`, `body.too_large`, `body.unreadable`,
 * `request.invalid`
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const length = request.headers['content-length'];
  if (hasNoBody(request)) return {};
  checkSaysJson(request);
  const text = await readText(request, maxBytes, length);
  if (text === '') return {};
  const value = parse(text);
  const twice = duplicateMember(text);
  if (twice !== undefined) throw invalidFields([{ field: twice, description: 'must be sent only once' }]);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw badBody('body.not_json', `The body is not valid JSON: ${whereIn(error)}.`);
  }
}

async function readText(request: Request, limit: number, length: string | undefined): Promise<string> {
  try {
    return UTF8.decode(await getRawBody(request, { limit, ...(length === undefined ? {} : { length }) }));
  } catch (error) {
    if (error instanceof TypeError)
      throw badBody('body.not_json', 'The body must be application/json in UTF-8.', error);
    const tooLarge = (error as { type?: string }).type === 'entity.too.large';
    throw tooLarge
      ? badBody('body.too_large', `The body must have at most ${limit} bytes.`, error)
      : bodyUnreadable(error);
  }
}

/** The position of the error; never the text around it, which may be a secret. */
function whereIn(error: unknown): string {
  const position = /position (\d+)/.exec(String(error))?.[1];
  return position === undefined ? 'it is truncated or contains invalid syntax' : `error at position ${position}`;
}

function isJson(header: string | undefined): boolean {
  if (header === undefined) return false;
  try {
    const { type, parameters } = parseContentType(header);
    return type === 'application/json' && (parameters['charset'] ?? 'utf-8').toLowerCase() === 'utf-8';
  } catch {
    return false;
  }
}
