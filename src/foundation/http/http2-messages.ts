import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, Http2ServerRequest, Http2ServerResponse, type Http2Session } from 'node:http2';
import { Readable } from 'node:stream';
import express, { type Express } from 'express';

/** RFC 9113 §6.8: no stream has a higher number, so nothing is refused yet. */
const EVERY_STREAM = 2 ** 31 - 1;
/** Requests that were on their way when the notice was sent have arrived by then. */
const NOTICE_MS = 500;

/**
 * Frames are made of all that a stream is given, for as long as its peer has windows, whether or not it reads: a
 * hundred streams of one connection would stop everybody else for as long as that takes (OPS-014).
 */
const PIECE_BYTES = 65_536;

const retiring = new WeakSet<Http2Session>();

/** An HTTP/2 request, with what the application expects of an HTTP/1.1 request. */
export class Http2Request extends Http2ServerRequest {
  get headersDistinct(): NodeJS.Dict<string[]> {
    const headers: NodeJS.Dict<string[]> = Object.create(null) as NodeJS.Dict<string[]>;
    for (let index = 0; index + 1 < this.rawHeaders.length; index += 2)
      (headers[this.rawHeaders[index]!] ??= []).push(this.rawHeaders[index + 1]!);
    return headers;
  }
}

export class Http2Response extends Http2ServerResponse<Http2Request> {
  /** RFC 9113 §8.2.2: connection headers do not exist here. GOAWAY announces the end of the connection. */
  override setHeader(name: string, value: number | string | readonly string[]): this {
    if (name.toLowerCase() === 'connection') retire(this.stream.session);
    else super.setHeader(name, value);
    return this;
  }

  override end(callback?: () => void): this;
  override end(data: string | Uint8Array, callback?: () => void): this;
  override end(data: string | Uint8Array, encoding: BufferEncoding, callback?: () => void): this;
  /** Sends the answer in pieces, each when the connection has taken the one before. */
  override end(...given: [unknown?, unknown?, unknown?]): this {
    const [data, encoding] = given;
    const isText = typeof data === 'string';
    if (!(isText || data instanceof Uint8Array) || data.length <= PIECE_BYTES || this.writableEnded)
      return super.end(...(given as Parameters<Http2ServerResponse['end']>));
    const bytes = isText
      ? Buffer.from(data, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
      : data;
    const callback = given.find((one) => typeof one === 'function') as (() => void) | undefined;
    if (callback) this.once('finish', callback);
    Readable.from(piecesOf(bytes), { objectMode: false, highWaterMark: PIECE_BYTES }).pipe(this);
    return this;
  }

  /** Node throws here if the stream was reset right after its headers, and does not catch it. */
  override writeContinue(): void {
    if (!this.stream.destroyed && !this.stream.closed) super.writeContinue();
  }
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}

/**
 * Ends a connection without failing a request: announces the end, still accepts requests that are on their way, and
 * closes the connection when all of them are answered.
 */
export function retire(session: Http2Session | undefined): void {
  if (!session || session.closed || session.destroyed || retiring.has(session)) return;
  retiring.add(session);
  session.goaway(constants.NGHTTP2_NO_ERROR, EVERY_STREAM);
  setTimeout(() => session.close(), NOTICE_MS).unref();
}

/**
 * The same application for both versions of HTTP. Express gives each message its own methods by replacing the prototype
 * with one that only fits HTTP/1.1: HTTP/2 messages get theirs from a view of the application with another prototype.
 *
 * Written against express 5.3: that `handle` takes these prototypes from the application that it is called on.
 */
export function servesBothVersions(
  application: Express,
): (request: IncomingMessage | Http2Request, response: ServerResponse | Http2Response) => void {
  const view = Object.create(application, {
    request: { value: withMethodsOf(express.request, Http2Request.prototype, application) },
    response: { value: withMethodsOf(express.response, Http2Response.prototype, application) },
  }) as { handle(request: Http2Request, response: Http2Response): void };
  return (request, response) => {
    // The protocol of the connection decides: the version of an HTTP/1.1 message is whatever its sender wrote into it.
    if (request instanceof Http2Request) view.handle(request, response as Http2Response);
    else application(request, response as ServerResponse);
  };
}

function withMethodsOf(methods: object, messages: object, application: Express): object {
  return Object.create(messages, {
    ...Object.getOwnPropertyDescriptors(methods),
    app: { value: application },
    // Express links the two; where a message has a getter of that name, an assignment would throw.
    req: { value: undefined, writable: true },
    res: { value: undefined, writable: true },
  }) as object;
}
