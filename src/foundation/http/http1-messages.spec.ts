import { once } from 'node:events';
import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express, { type Express, type Request, type Response } from 'express';
import { ExpressServerAdapter } from './http1-messages.js';

interface Seen {
  readonly request: Request;
  readonly response: Response;
  readonly prototypes: readonly unknown[];
}

describe('messages of HTTP/1.1', () => {
  let application: Express;
  let server: Server;
  let seen: Promise<Seen>;

  beforeEach(async () => {
    const adapter = new ExpressServerAdapter();
    adapter.initHttpServer();
    application = adapter.getInstance<Express>();
    server = adapter.getHttpServer();
    seen = new Promise((resolve) => {
      server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
        const prototypes = [request, response].map((message): unknown => Object.getPrototypeOf(message));
        application.use((of: Request, to: Response) => {
          resolve({ request: of, response: to, prototypes });
          to.json({ host: of.get('Host'), query: of.query });
        });
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });

  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  const ask = async (): Promise<unknown> => {
    const { port } = server.address() as AddressInfo;
    return (await fetch(`http://127.0.0.1:${port}/?a=1`)).json();
  };

  it('keep the prototype that they are made with', async () => {
    await ask();
    const { request, response, prototypes } = await seen;
    expect(Object.getPrototypeOf(request)).toBe(application.request);
    expect(Object.getPrototypeOf(response)).toBe(application.response);
    expect(prototypes[0]).toBe(application.request);
    expect(prototypes[1]).toBe(application.response);
  });

  it('have the methods of Express, and of the application', async () => {
    const { port } = server.address() as AddressInfo;
    expect(await ask()).toEqual({ host: `127.0.0.1:${port}`, query: { a: '1' } });
    const { request, response } = await seen;
    expect(request.app).toBe(application);
    expect(response.app).toBe(application);
  });

  it('are messages of Node', async () => {
    await ask();
    const { request, response } = await seen;
    expect(request).toBeInstanceOf(IncomingMessage);
    expect(response).toBeInstanceOf(ServerResponse);
  });

  it('leave other applications as they are', () => {
    const { request, response } = express();
    expect(Object.getPrototypeOf(request)).toBe(express.request);
    expect(Object.getPrototypeOf(response)).toBe(express.response);
    expect(Object.getPrototypeOf(express.request)).toBe(IncomingMessage.prototype);
    expect(Object.getPrototypeOf(express.response)).toBe(ServerResponse.prototype);
  });
});
