import { once } from 'node:events';
import { request as ask, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readLongBody } from './long-body.js';
import { answerUnreadable } from './unreadable.js';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A server that allows requests of at most 100 ms. `/long` reads its body as a large one, everything else as usual. */
async function listen(silenceMs: number): Promise<void> {
  server = createServer(
    { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 20 },
    (request, response) => {
      void (async () => {
        let bytes = 0;
        try {
          for await (const chunk of request.url === '/long' ? readLongBody(request, silenceMs) : request)
            bytes += (chunk as Buffer).length;
          response.end(String(bytes));
        } catch {
          response.destroy();
        }
      })();
    },
  );
  answerUnreadable(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** Sends a body in pieces, with a pause before each; returns the answer. */
async function send(path: string, pieces: number, pauseMs: number): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const request = ask({ host: '127.0.0.1', port, path, method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } });
  const answer = new Promise<string>((resolve) => {
    request.once('response', (response) => {
      let text = '';
      response
        .on('data', (chunk: Buffer) => {
          text += chunk.toString();
        })
        .once('end', () => resolve(`${response.statusCode} ${text}`.trim()));
    });
    request.once('error', () => resolve('broken off'));
  });
  request.flushHeaders(); // not with the first piece: the limits of headers and bodies are different ones
  for (let piece = 0; piece < pieces && !request.destroyed; piece += 1) {
    await sleep(pauseMs);
    request.write('x');
  }
  request.end();
  return answer;
}

describe('A body that may be large', () => {
  it('takes longer than requests may take, as long as something comes', async () => {
    await listen(10_000);
    expect(await send('/long', 12, 40)).toBe('200 12');
  });

  it('is given up when nothing comes any more', async () => {
    await listen(150);
    expect(await send('/long', 1, 1_000)).toMatch(/^(408|broken off)/);
  });

  it('is the exception: other requests are cut off', async () => {
    await listen(10_000);
    expect(await send('/', 12, 40)).toMatch(/^(408|broken off)/);
  });
});
