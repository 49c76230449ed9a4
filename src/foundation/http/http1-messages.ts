import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { MAX_HEADER_BYTES } from './header-size.js';

/**
 * Express for Nest, with a server whose HTTP/1.1 messages have the methods of Express from the start. Express replaces
 * the prototype of every message by one with its methods, for which V8 builds the shape of the object anew: 3 % of a
 * request for userinfo. Here it finds that prototype in place.
 */
export class ExpressServerAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const application = this.getInstance<Express>();
    class Http1Request extends IncomingMessage {}
    class Http1Response extends ServerResponse<Http1Request> {}
    application.request = inherit(Http1Request.prototype, application.request);
    application.response = inherit(Http1Response.prototype, application.response);
    this.httpServer = createServer(
      { IncomingMessage: Http1Request, ServerResponse: Http1Response, maxHeaderSize: MAX_HEADER_BYTES },
      application,
    );
  }
}

/** `methods` inherit from the messages of Node already. */
function inherit<Methods extends ExpressRequest | ExpressResponse>(messages: object, methods: Methods): Methods {
  return Object.setPrototypeOf(messages, methods) as Methods;
}
