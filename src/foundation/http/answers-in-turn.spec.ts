import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { answerInTurn } from './answers-in-turn.js';

const LARGE = Buffer.alloc(20_000_000, 'x');
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const open: Array<() => void> = [];

afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function serve(answer: RequestListener, { unreadMs = 20_000, keepAliveMs = 20_000 } = {}): Promise<Server> {
  const server = createServer(answer);
  server.keepAliveTimeout = keepAliveMs;
  answerInTurn(server, unreadMs);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  open.push(() => server.close().closeAllConnections());
  return server;
}

async function dial(server: Server): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined); // a reset is an end as well
  open.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function connections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
}

async function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** All that arrives until the connection ends, or a time without anything has passed. */
async function read(socket: Socket, quietMs = 300): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(text), quietMs);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      timer.refresh();
    });
    socket.once('close', () => resolve(text));
  });
}

describe('An answer of HTTP/1.1', () => {
  it('ends its connection if it makes no progress, whatever the peer sends meanwhile [OPS-014]', async () => {
    const server = await serve((_, response) => response.end(LARGE), { unreadMs: 150 });
    const [silent, talking] = [await dial(server), await dial(server)];
    for (const socket of [silent, talking]) socket.pause().write(GET);
    const talk = setInterval(() => talking.write(GET), 40);
    open.push(() => clearInterval(talk));
    await sleep(1_200);
    expect(await connections(server)).toBe(0);
  });

  it('goes on as long as it is read, however slowly', async () => {
    const server = await serve((_, response) => response.end(LARGE), { unreadMs: 1_500 });
    const socket = await dial(server);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let bytes = 0;
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes % 7 === 0) await sleep(30);
    }
    expect(bytes).toBeGreaterThan(LARGE.length);
  }, 20_000);

  it('may take longer to make than its reader may be silent', async () => {
    const server = await serve((_, response) => void setTimeout(() => response.end('late'), 400), { unreadMs: 50 });
    const socket = await dial(server);
    socket.write(GET);
    expect(await read(socket, 800)).toContain('late');
  });

  it('leaves the connection open for the time of an idle one', async () => {
    const server = await serve((_, response) => response.end('answered'), { unreadMs: 50, keepAliveMs: 20_000 });
    const socket = await dial(server);
    socket.write(GET);
    expect(await read(socket, 300)).toContain('answered');
    socket.write(GET);
    expect(await read(socket, 300)).toContain('answered');
  });
});

describe('Requests that are sent before the answers to those before them', () => {
  it('are answered one after another, in their order [OPS-014]', async () => {
    let running = 0;
    let most = 0;
    const server = await serve((request, response) => {
      most = Math.max(most, ++running);
      request.resume();
      setTimeout(() => {
        running -= 1;
        response.end(`<${request.url}>`);
      }, 5);
    });
    const socket = await dial(server);
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}`);
    socket.write(paths.map((path) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab`).join(''));
    expect((await read(socket)).match(/(?<=<)[^>]+/g)).toEqual(paths);
    expect(most).toBe(1);
    socket.write(GET);
    expect(await read(socket)).toContain('</>');
  });

  it('are not made into answers while one is not read', async () => {
    let made = 0;
    const server = await serve((_, response) => {
      made += 1;
      response.end(LARGE);
    });
    (await dial(server)).pause().write(GET.repeat(50));
    await sleep(200);
    expect(made).toBe(1);
  });

  it('end the connection if they are too many [OPS-014]', async () => {
    let made = 0;
    const server = await serve((_, response) => {
      made += 1;
      response.end(LARGE);
    });
    const socket = await dial(server);
    socket.pause().write(GET.repeat(1_000));
    await sleep(200);
    expect(await connections(server)).toBe(0);
    expect(made).toBe(1);
  });

  it('are forgotten with their connection', async () => {
    const asked: string[] = [];
    const server = await serve((request, response) => {
      asked.push(request.url!);
      if (request.url === '/first') setTimeout(() => response.destroy(), 20);
      else response.end();
    });
    (await dial(server)).write('GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\n\r\n');
    await sleep(100);
    expect(asked).toEqual(['/first']);
  });
});
