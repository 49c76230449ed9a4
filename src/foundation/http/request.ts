import type { Readable, Writable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { parse as parseContentType } from 'content-type';
import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction } from 'express';
import { badBody, readBody } from './body.js';
import { Form } from './form.js';
import { Http2Request } from './http2-messages.js';

/** Many times larger than our forms; bodies of other sizes have readers of their own. */
const MAX_FORM_BYTES = 65_536;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * The form in the body of a POST.
 * @throws DomainError InvalidArgument `body.not_a_form`, `body.encoded`, `body.too_large`, `body.unreadable`
 */
export async function readForm(request: ExpressRequest, maxBytes = MAX_FORM_BYTES): Promise<Form> {
  if (!isForm(request.headers['content-type'])) {
    throw badBody('body.not_a_form', `The body must be ${FORM_TYPE} in UTF-8.`);
  }
  const body = await readBody(request, maxBytes);
  const form = Form.parse(body.toString('latin1')); // Kept as bytes until each value is decoded strictly.
  forms.set(request, form);
  return form;
}

const forms = new WeakMap<ExpressRequest, Form>();

/** The form of a request, for what is written about the request after it was refused. */
export function formThatWasRead(request: ExpressRequest): Form | undefined {
  return forms.get(request);
}

/** The query parameters of a request, as they were sent. */
export function readQuery(request: ExpressRequest): Form {
  const question = request.url.indexOf('?');
  return Form.parse(question < 0 ? '' : request.url.slice(question + 1));
}

/** Whether the `Content-Type` is that of a form that `readForm` reads. */
export function isForm(header: string | undefined): boolean {
  if (header === undefined) return false;
  try {
    const { type, parameters } = parseContentType(header);
    return type === FORM_TYPE && (parameters['charset'] ?? 'utf-8').toLowerCase() === 'utf-8';
  } catch {
    return false;
  }
}

/** The form of a POST body, as a parameter of a controller's method. */
export const FormBody = createParamDecorator((_: unknown, context: ExecutionContext) =>
  readForm(context.switchToHttp().getRequest<ExpressRequest>()),
);

/**
 * Whether there can be no body: in HTTP/1.1 by the headers (RFC 9112 §6.3), in HTTP/2 by the end of the stream (RFC
 * 9113 §8.1).
 */
export function hasNoBody(request: ExpressRequest | Http2Request): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (length !== undefined) return length === '0';
  return request instanceof Http2Request ? request.stream.endAfterHeaders : coding === undefined;
}

const addresses = new WeakMap<ExpressRequest, string>();

/** Keeps the address; must come first: once its connection has ended, an HTTP/2 request has none. */
export function keepAddress(request: ExpressRequest, _response: ExpressResponse, next: NextFunction): void {
  addresses.set(request, addressOf(request));
  next();
}

/** The address of the peer, or the one reported by a trusted proxy (`TRUSTED_PROXIES`). */
export function addressOf(request: ExpressRequest): string {
  return addresses.get(request) ?? request.ip ?? 'unknown';
}

/** A sender whose body was refused may continue for this long; closing at once could destroy the answer. */
export const LINGER_MS = 2_000;

/** Discards the rest of a refused body, within limits; the connection is closed if it does not end. */
export function closeIfUnread(
  request: Pick<Readable, 'destroy' | 'resume' | 'once'> & { readonly complete: boolean },
  response: Pick<Writable, 'once'>,
): void {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.destroy(), LINGER_MS).unref(); // Does not keep the process alive.
    request.once('close', () => clearTimeout(timer));
    request.resume();
  });
}
