import { createServer, type ServerOptions } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';
import { MAX_HEADER_BYTES } from './header-size.js';
import { servesBothVersions } from './http2-messages.js';

/** Express for Nest, on a server with limits of its own, whose requests may be of either version of HTTP. */
export class ExpressServerAdapter extends ExpressAdapter {
  constructor(private readonly limits: ServerOptions) {
    super();
  }

  override initHttpServer(): void {
    const application = servesBothVersions(this.getInstance<Express>());
    this.setHttpServer(createServer({ ...this.limits, maxHeaderSize: MAX_HEADER_BYTES }, application));
  }
}
