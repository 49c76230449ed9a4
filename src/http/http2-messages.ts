import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, Http2ServerRequest, Http2ServerResponse, type Http2Session } from 'node:http2';
import express, { type Express } from 'express';

/** RFC 9113 §6.8: no stream has a higher number, so nothing is refused yet. */
const EVERY_STREAM = 2 ** 31 - 1;
/** Requests on their way when the notice was sent are here by then. */
const NOTICE_MS = 500;

const retiring = new WeakSet<Http2Session>();

/** A request of HTTP/2, with what the application asks one of HTTP/1.1 for. */
export class Http2Request extends Http2ServerRequest {
  get headersDistinct(): NodeJS.Dict<string[]> {
    const headers: NodeJS.Dict<string[]> = Object.create(null) as NodeJS.Dict<string[]>;
    for (let index = 0; index + 1 < this.rawHeaders.length; index += 2)
      (headers[this.rawHeaders[index]!] ??= []).push(this.rawHeaders[index + 1]!);
    return headers;
  }
}

export class Http2Response extends Http2ServerResponse<Http2Request> {
  /** RFC 9113 §8.2.2: what concerns the connection is no header here. That it ends after this answer, GOAWAY says. */
  override setHeader(name: string, value: number | string | readonly string[]): this {
    if (name.toLowerCase() === 'connection') retire(this.stream.session);
    else super.setHeader(name, value);
    return this;
  }

  /** Node throws where the stream was reset right after its head, and catches nothing. */
  override writeContinue(): void {
    if (!this.stream.destroyed && !this.stream.closed) super.writeContinue();
  }
}

/** Ends a connection without failing a request: a notice, then nothing new, then the end once what runs is answered. */
export function retire(session: Http2Session | undefined): void {
  if (!session || session.closed || session.destroyed || retiring.has(session)) return;
  retiring.add(session);
  session.goaway(constants.NGHTTP2_NO_ERROR, EVERY_STREAM);
  setTimeout(() => session.close(), NOTICE_MS).unref();
}

/**
 * The same application for both versions of HTTP. Express gives each message its own methods by replacing the prototype, and
 * replaces it by one that only fits HTTP/1.1: messages of HTTP/2 get theirs from a view of the application that has another.
 */
export function servesBothVersions(
  application: Express,
): (request: IncomingMessage | Http2Request, response: ServerResponse | Http2Response) => void {
  const view = Object.create(application, {
    request: { value: withMethodsOf(express.request, Http2Request.prototype, application) },
    response: { value: withMethodsOf(express.response, Http2Response.prototype, application) },
  }) as { handle(request: Http2Request, response: Http2Response): void };
  return (request, response) => {
    // By what the connection speaks: the version of a message of HTTP/1.1 is what its sender wrote into the request line.
    if (request instanceof Http2Request) view.handle(request, response as Http2Response);
    else application(request, response as ServerResponse);
  };
}

function withMethodsOf(methods: object, messages: object, application: Express): object {
  return Object.create(messages, {
    ...Object.getOwnPropertyDescriptors(methods),
    app: { value: application },
    // Express refers each to the other; where the message has a getter of that name, an assignment would throw.
    req: { value: undefined, writable: true },
    res: { value: undefined, writable: true },
  }) as object;
}
