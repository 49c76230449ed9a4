import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { bodyUnreadable } from '../../foundation/http/body.js';
import { checkSaysJson } from '../../foundation/http/json-body.js';
import { readLongBody } from '../../foundation/http/long-body.js';
import { hasNoBody } from '../../foundation/http/request.js';
import type { AnswerStream, BodyStream, Exchange } from '../wire/exchange.js';
import { prefersAsync } from '../wire/prefer.js';

/** An operation that streams, over HTTP. */
export const Streamed = createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
  const request = context.switchToHttp().getRequest<Request>();
  const response = context.switchToHttp().getResponse<Response>();
  return {
    get body(): BodyStream {
      return bodyOf(request);
    },
    answer: answerTo(request, response),
    mayLeave: prefersAsync(request.headersDistinct['prefer'] ?? []),
  };
});

function bodyOf(request: Request): BodyStream {
  if (hasNoBody(request)) return Readable.from([Buffer.from('{}')]);
  checkSaysJson(request);
  return chunksOf(request);
}

async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* readLongBody(request);
  } catch (error) {
    throw bodyUnreadable(error);
  }
}

function answerTo(request: Request, response: Response): AnswerStream {
  return {
    maxErrors: Infinity,
    send: (pieces, limitMs) => send(request, response, pieces, limitMs),
    sendDocument: (pieces, limitMs) => send(request, response, pieces, limitMs),
    accept: (location, body) => {
      response
        .status(202)
        .setHeader('Location', location)
        .setHeader('Preference-Applied', 'respond-async')
        .setHeader('Cache-Control', 'no-store')
        .json(body);
    },
  };
}

/** Errors of a stream whose reader has disconnected or was too slow: not a defect. */
const GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE', 'ABORT_ERR']);
/** Beyond the time of the operation itself, for the last of its pieces. */
const GRACE_MS = 10_000;

async function send(
  request: Request,
  response: Response,
  pieces: AsyncGenerator<string>,
  limitMs: number,
): Promise<void> {
  const startedAt = performance.now();
  try {
    const first = await pieces.next();
    const all = Readable.from(onwards(first, pieces), { objectMode: false, highWaterMark: 65_536 });
    response
      .status(200)
      .setHeader('Content-Type', 'application/json; charset=utf-8')
      .setHeader('Cache-Control', 'no-store')
      .setHeader('Vary', 'Accept-Encoding');
    const isZipped = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isZipped) response.setHeader('Content-Encoding', 'gzip');
    const signal = AbortSignal.timeout(Math.max(0, Math.ceil(limitMs - (performance.now() - startedAt))) + GRACE_MS);
    await (isZipped
      ? pipeline(all, createGzip({ level: 4 }), response, { signal })
      : pipeline(all, response, { signal }));
  } catch (error) {
    if (!GONE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    // If the caller has disconnected before the first chunk, nothing consumes the stream, and its resources would never be released.
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
