import { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { bodyUnreadable } from '../../foundation/http/body.js';
import { checkSaysJson } from '../../foundation/http/json-body.js';
import { sendJsonPieces } from '../../foundation/http/json-pieces.js';
import { readLongBody } from '../../foundation/http/long-body.js';
import { hasNoBody } from '../../foundation/http/request.js';
import type { AnswerStream, BodyStream, Exchange } from '../kit/wire/exchange.js';
import { prefersAsync } from '../kit/wire/prefer.js';

/** An operation that streams, over HTTP. */
export const Streamed = createParamDecorator((_: unknown, context: ExecutionContext): Exchange => {
  const request = context.switchToHttp().getRequest<ExpressRequest>();
  const response = context.switchToHttp().getResponse<ExpressResponse>();
  return {
    get body(): BodyStream {
      return bodyOf(request);
    },
    answer: answerTo(request, response),
    mayLeave: prefersAsync(request.headersDistinct['prefer'] ?? []),
  };
});

function bodyOf(request: ExpressRequest): BodyStream {
  if (hasNoBody(request)) return Readable.from([Buffer.from('{}')]);
  checkSaysJson(request);
  return chunksOf(request);
}

async function* chunksOf(request: ExpressRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* readLongBody(request);
  } catch (error) {
    throw bodyUnreadable(error);
  }
}

function answerTo(request: ExpressRequest, response: ExpressResponse): AnswerStream {
  return {
    maxErrors: Infinity,
    send: (pieces, limitMs) => sendJsonPieces(request, response, pieces, limitMs),
    sendDocument: (pieces, limitMs) => sendJsonPieces(request, response, pieces, limitMs),
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
