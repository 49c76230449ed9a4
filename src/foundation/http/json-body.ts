import { parse as parseContentType } from 'content-type';
import type { Request as ExpressRequest } from 'express';
import { duplicateMember, isNestedDeeperThan, NOT_STORABLE, unstorableIn } from '../crypto/json-members.js';
import { type DomainError, invalidFields } from '../error/domain-error.js';
import { badBody, checkNotCompressed, readBody } from './body.js';
import { hasNoBody } from './request.js';

/** Far more than any request has. Functions that walk through a value call themselves once for each level. */
const MAX_DEPTH = 100;
/** Removes a byte order mark, which may be ignored (RFC 8259 §8.1): some programs write one before each text. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });
const JSON_ALONE: readonly string[] = ['application/json'];

/**
 * Called before the body is read.
 * @throws DomainError InvalidArgument `body.not_json`, `body.encoded`
 */
export function checkSaysJson(request: ExpressRequest, types = JSON_ALONE): void {
  if (!isOf(types, request.headers['content-type'])) throw notJson(types);
  checkNotCompressed(request);
}

/**
 * The JSON in the body of a request; an empty body is an empty object. An object that has a member twice is refused:
 * which of the two counts differs from parser to parser (RFC 8259 §4), so a proxy that checks requests may have read
 * the other one.
 * @param types the media types that it may say
 * @throws DomainError InvalidArgument `body.not_json`, `body.encoded`, `body.too_large`, `body.unreadable`,
 * `body.too_deep`, `request.invalid`
 */
export async function readJson(request: ExpressRequest, maxBytes: number, types = JSON_ALONE): Promise<unknown> {
  if (hasNoBody(request)) return {};
  checkSaysJson(request, types);
  return parseJsonBody(await readBody(request, maxBytes), types);
}

/**
 * `readJson` of a body that has been read.
 * @throws DomainError InvalidArgument `body.not_json`, `body.too_deep`, `request.invalid`
 */
export function parseJsonBody(body: Buffer, types = JSON_ALONE): unknown {
  if (body.length === 0) return {};
  const text = decode(body, types);
  if (isNestedDeeperThan(MAX_DEPTH, text))
    throw badBody('body.too_deep', `The body must not be nested more than ${MAX_DEPTH} levels deep.`);
  const value = parse(text);
  const twice = duplicateMember(text);
  if (twice !== undefined) throw invalidFields([{ field: twice, description: 'must be sent only once' }]);
  return value;
}

/**
 * Like `readJson`, but refuses what nobody could store. Messages of the administrative API look at their fields
 * themselves, beside whatever else is wrong with them.
 */
export async function readStorableJson(request: ExpressRequest, maxBytes: number): Promise<unknown> {
  const value = await readJson(request, maxBytes);
  const unstorable = unstorableIn(value);
  if (unstorable !== undefined) throw invalidFields([{ field: unstorable, description: NOT_STORABLE }]);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw badBody('body.not_json', `The body is not valid JSON: ${whereIn(error)}.`);
  }
}

function decode(body: Buffer, types: readonly string[]): string {
  try {
    return UTF8.decode(body);
  } catch (error) {
    throw notJson(types, error);
  }
}

function notJson(types: readonly string[], cause?: unknown): DomainError {
  return badBody('body.not_json', `The body must be ${types.join(' or ')} in UTF-8.`, cause);
}

/** The position of the error; never the text around it, which may be a secret. */
function whereIn(error: unknown): string {
  const position = /position (\d+)/.exec(String(error))?.[1];
  return position === undefined ? 'it is truncated or contains invalid syntax' : `error at position ${position}`;
}

function isOf(types: readonly string[], header: string | undefined): boolean {
  if (header === undefined) return false;
  try {
    const { type, parameters } = parseContentType(header);
    return types.includes(type) && (parameters['charset'] ?? 'utf-8').toLowerCase() === 'utf-8';
  } catch {
    return false;
  }
}
