import { createServer, get, type RequestListener, type Server } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Http2Limits, takeHttp2 } from './http2.js';

const LONG: Http2Limits = { prefaceMs: 20_000, requestMs: 20_000, idleMs: 20_000, unreadMs: 20_000 };
const open: Array<() => void> = [];

afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function serve(
  limits: Partial<Http2Limits>,
  answer: RequestListener = (_, response) => response.end('answered'),
): Promise<{ server: Server; port: number; session: () => ClientHttp2Session }> {
  const server = createServer(answer);
  takeHttp2(server, { ...LONG, ...limits });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const session = (): ClientHttp2Session => {
    const made = connectHttp2(`http://127.0.0.1:${port}`);
    made.on('error', () => undefined);
    open.push(() => made.destroy());
    return made;
  };
  return { server, port, session };
}

/** The status and body of an answer; `reset` if the stream ended without one. */
async function ask(
  session: ClientHttp2Session,
  { body, end = true }: { body?: string; end?: boolean } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const stream = session.request(
      { ':method': body === undefined ? 'GET' : 'POST' },
      { endStream: body === undefined },
    );
    let text = '';
    stream.on('response', (headers) => (text = `${headers[':status']} `));
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    stream.on('error', () => undefined);
    stream.on('close', () => resolve(text === '' ? 'reset' : text));
    if (body !== undefined) stream.write(body);
    if (body !== undefined && end) stream.end();
  });
}

describe('A server of both protocols', () => {
  it('answers each connection in its own protocol', async () => {
    const { port, session } = await serve({});
    expect(await ask(session())).toBe('200 answered');
    const older = await new Promise<number | undefined>((resolve) =>
      get({ port, agent: false }, (response) => resolve(response.resume().statusCode)),
    );
    expect(older).toBe(200);
  });

  it('closes connections that do not identify their protocol', async () => {
    const { port } = await serve({ prefaceMs: 50 });
    for (const beginning of ['', 'PRI * HT']) {
      const socket = connect(port, '127.0.0.1', () => socket.write(beginning));
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.resume().once('close', resolve));
    }
  });

  it('closes a stream whose request never ends, after a 408', async () => {
    const { session } = await serve({ requestMs: 50 }, (request, response) =>
      request.resume().once('end', () => response.end()),
    );
    expect(await ask(session(), { body: 'a', end: false })).toBe('408 ');
  });

  it('does not wait for the rest of a body that it does not read', async () => {
    const { session } = await serve({});
    expect(await ask(session(), { body: 'x'.repeat(3_000_000), end: false })).toBe('200 answered');
  });

  it('ends a connection on which nothing is asked', async () => {
    const { session } = await serve({ idleMs: 50 });
    const idle = session();
    await new Promise((resolve) => idle.once('close', resolve));
  });

  it('does not end one on which an answer is made', async () => {
    const { session } = await serve({ idleMs: 50 }, (_, response) => void setTimeout(() => response.end('late'), 400));
    expect(await ask(session())).toBe('200 late');
  });

  it('cancels an answer that is not read [OPS-014]', async () => {
    const closed = new Promise<void>((resolve) => {
      void serve({ unreadMs: 100 }, (_, response) => {
        response.once('close', resolve);
        response.end('x'.repeat(5_000_000));
      }).then(({ session }) =>
        session()
          .request({})
          .on('error', () => undefined)
          .pause(),
      );
    });
    await closed;
  });

  it('closes idle connections when it closes, and waits for what is answered', async () => {
    let answer: (() => void) | undefined;
    const { server, session } = await serve({}, (_, response) => (answer = () => response.end('last')));
    const [busy, idle] = [session(), session()];
    const answered = ask(busy);
    const gone = new Promise((resolve) => idle.once('close', resolve));
    await new Promise((resolve) => server.once('request', resolve));
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await gone;
    answer!();
    expect(await answered).toBe('200 last');
    await closed;
  });

  it('closes remaining connections when asked not to wait', async () => {
    const { server, session } = await serve({}, () => undefined);
    const answered = ask(session());
    await new Promise((resolve) => server.once('request', resolve));
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    expect(await answered).toBe('reset');
    await closed;
  });
});
