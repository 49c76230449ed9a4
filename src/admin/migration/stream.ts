import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { bodyUnreadable, checkSaysJson } from '../../http/json-body.js';
import { readLongBody } from '../../http/long-body.js';
import { hasNoBody } from '../../http/request.js';

/** The body of a request that is read as it comes. */
export type BodyStream = AsyncIterable<Uint8Array>;

/** Where an answer goes that is written as it is made. */
export interface AnswerStream {
  /**
   * The pieces of a JSON text. What fails before the first of them is an ordinary refusal; later the connection breaks off, as it
   * does when the caller has not taken all of them in time. In any case the pieces are given up then.
   */
  send(pieces: AsyncGenerator<string>, limitMs: number): Promise<void>;
  /** 202: what was asked for goes on without the caller, who finds out there what becomes of it. */
  accept(location: string, body: object): void;
}

/** RFC 7240 §4.1: whether the caller would rather not wait. */
export const RespondAsync = createParamDecorator((_: unknown, context: ExecutionContext): boolean => {
  const { prefer } = context.switchToHttp().getRequest<Request>().headersDistinct;
  return prefersAsync(prefer ?? []);
});

/** RFC 7240 §2: preferences in any number of fields, each perhaps with a value and parameters, of which the first counts. */
export function prefersAsync(fields: readonly string[]): boolean {
  const names = fields.flatMap((field) => field.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? []).map((preference) => preference.split(/[;=]/, 1)[0]!.trim().toLowerCase());
  return names.includes('respond-async');
}

/** @throws DomainError InvalidArgument `body.not_json`, `body.encoded`, and while it is read `body.unreadable` */
export const StreamedBody = createParamDecorator((_: unknown, context: ExecutionContext): BodyStream => {
  const request = context.switchToHttp().getRequest<Request>();
  if (hasNoBody(request)) return Readable.from([Buffer.from('{}')]);
  checkSaysJson(request);
  return chunksOf(request);
});

async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* readLongBody(request);
  } catch (error) {
    throw bodyUnreadable(error);
  }
}

export const StreamedAnswer = createParamDecorator((_: unknown, context: ExecutionContext): AnswerStream => {
  const request = context.switchToHttp().getRequest<Request>();
  const response = context.switchToHttp().getResponse<Response>();
  return {
    send: (pieces, limitMs) => send(request, response, pieces, limitMs),
    accept: (location, body) => {
      response.status(202).setHeader('Location', location).setHeader('Preference-Applied', 'respond-async').setHeader('Cache-Control', 'no-store').json(body);
    },
  };
});

/** What a stream says of a reader who has gone, or was too slow: no fault of ours. */
const GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE', 'ABORT_ERR']);
/** Beyond the time of the operation itself, for the last of its pieces. */
const GRACE_MS = 10_000;

async function send(request: Request, response: Response, pieces: AsyncGenerator<string>, limitMs: number): Promise<void> {
  const startedAt = performance.now();
  try {
    const first = await pieces.next();
    const all = Readable.from(onwards(first, pieces), { objectMode: false, highWaterMark: 65_536 });
    response.status(200).setHeader('Content-Type', 'application/json; charset=utf-8').setHeader('Cache-Control', 'no-store').setHeader('Vary', 'Accept-Encoding');
    const isZipped = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isZipped) response.setHeader('Content-Encoding', 'gzip');
    const signal = AbortSignal.timeout(Math.max(0, Math.ceil(limitMs - (performance.now() - startedAt))) + GRACE_MS);
    await (isZipped ? pipeline(all, createGzip({ level: 4 }), response, { signal }) : pipeline(all, response, { signal }));
  } catch (error) {
    if (!GONE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    // When the caller has gone before the first of them, nobody began to take them: what they hold would be held for ever.
    await pieces.return(undefined);
  }
}

async function* onwards(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    if (first.done !== true) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
