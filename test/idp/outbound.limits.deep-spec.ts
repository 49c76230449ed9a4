import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { NameResolver } from '../../src/foundation/outbound/name-resolver.js';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import { client, closeServers, listen, MEGABYTE, Names, refusal, serve, serveJson } from './outbound-support.js';

afterAll(closeServers);

describe('What the outbound client puts up with [IDP-021, IDP-022, IDP-023]', () => {
  it('gives up after the total time, ten seconds by default, even if data keeps trickling in', async () => {
    const silent = await listen(createTcpServer(() => undefined));
    const dripping = await listen(
      createTcpServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
        const drip = setInterval(() => socket.write(' '), 500);
        socket.on('close', () => clearInterval(drip)).on('error', () => undefined);
      }),
    );
    const halted = await listen(
      createTcpServer(
        (socket) =>
          void socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{'),
      ),
    );
    const slowHead = await listen(
      createTcpServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const drip = setInterval(() => socket.write('X: y\r\n'), 500);
        socket.on('close', () => clearInterval(drip)).on('error', () => undefined);
      }),
    );
    const unresolved = new (class extends NameResolver {
      override addressesOf(): Promise<LookupAddress[]> {
        return new Promise(() => undefined);
      }
    })();
    expect(new Timeouts().outboundMs).toBe(10_000);
    const outboundMs = 2_000;
    const startMs = performance.now();
    const errors = await Promise.all([
      ...[silent, dripping, halted, slowHead].map((host) =>
        refusal(client({ outboundMs }).getJson(`http://${host}/`, 'org')),
      ),
      refusal(client({ names: unresolved, outboundMs }).getJson('https://provider.test/', 'org')),
      refusal(client({ outboundMs }).getJson(`https://${silent}/`, 'org')), // in the middle of the handshake
    ]);
    expect(errors.map(({ reason }) => reason)).toEqual(Array(6).fill('outbound.too_slow'));
    expect(performance.now() - startMs).toBeGreaterThan(outboundMs - 100);
    expect(performance.now() - startMs).toBeLessThan(new Timeouts().outboundMs); // of a client that has no limit of its own
  });

  it('gives up earlier where a request asks for that, and reads no body where only the status matters', async () => {
    const silent = await listen(createTcpServer(() => undefined));
    const { reason } = await refusal(client({}).send({ url: `http://${silent}/`, ownerId: 'org', timeoutMs: 50 }));
    expect(reason).toBe('outbound.too_slow');
    const endless = await serve((_, response) => void response.writeHead(200).write('x'.repeat(2 * MEGABYTE)));
    const answer = await client({}).send({ url: `http://${endless}/`, ownerId: 'org', isBodyIgnored: true });
    expect([answer.status, answer.body.length]).toEqual([200, 0]);
  });

  it('leaves the resolver to others while the name servers of one organization are silent', async () => {
    const host = await serveJson('{"ok":true}');
    const underWay: Array<() => void> = [];
    const names = new (class extends NameResolver {
      override async addressesOf(name: string): Promise<LookupAddress[]> {
        if (name !== 'localhost') await new Promise<void>((resolve) => underWay.push(resolve));
        return [{ address: '127.0.0.1', family: 4 }];
      }
    })();
    const outbound = client({ names, outboundMs: 1_000 });
    const slow = Array.from({ length: 20 }, (_, n) => outbound.getJson(`https://slow-${n}.test/`, 'slow'));
    const good = outbound.getJson(`http://localhost:${host.split(':')[1]}/`, 'other');
    await expect(good).resolves.toEqual({ ok: true });
    const errors = await Promise.all(slow.map(refusal));
    expect(new Set(errors.map(({ reason }) => reason))).toEqual(new Set(['outbound.too_slow']));
    // A look-up that nobody waits for any longer still occupies the resolver.
    const later = await refusal(outbound.getJson('https://slow-again.test/', 'slow'));
    expect([later.reason, underWay.length]).toEqual(['outbound.too_slow', 1]);
    underWay.forEach((resolve) => resolve());
  });

  it('opens a bounded number of connections to one server, and serves the others meanwhile', async () => {
    let open = 0;
    let most = 0;
    const silent = await listen(
      createTcpServer((socket) => {
        open += 1;
        most = Math.max(most, open);
        socket.once('close', () => (open -= 1));
        setTimeout(() => socket.destroy(), 1_000);
      }),
    );
    const good = await serveJson('{"ok":true}');
    const outbound = client();
    const waiting = Promise.allSettled(Array.from({ length: 20 }, () => outbound.getJson(`http://${silent}/`, 'org')));
    await expect(outbound.getJson(`http://${good}/`, 'org')).resolves.toEqual({ ok: true });
    await waiting;
    expect(most).toBe(8);
  });

  it('does not let silent servers of one organization, however many, delay others [IDP-034]', async () => {
    let connections = 0;
    const hosts = await Promise.all(
      Array.from({ length: 10 }, async () =>
        listen(
          createTcpServer((socket) => {
            connections += 1;
            socket.on('error', () => undefined);
          }),
        ),
      ),
    );
    const good = await serveJson('{"ok":true}');
    const outbound = client({ outboundMs: 3_000 });
    const waiting = Promise.allSettled(
      hosts.flatMap((host) => Array.from({ length: 10 }, () => outbound.getJson(`http://${host}/`, 'hostile'))),
    );
    await expect(outbound.getJson(`http://${good}/`, 'another')).resolves.toEqual({ ok: true });
    expect(connections).toBeLessThanOrEqual(16);
    expect((await waiting).filter(({ status }) => status === 'fulfilled')).toEqual([]);
    await expect(outbound.getJson(`http://${good}/`, 'hostile')).resolves.toEqual({ ok: true });
  });

  it('does not let silent servers of fifty organizations delay others, even at the same server [IDP-034]', async () => {
    const silent = await listen(createTcpServer((socket) => void socket.on('error', () => undefined)));
    const shared = await serve((request, response) => {
      if (request.url === '/good') response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}');
    });
    const outbound = client({ outboundMs: 6_000 });
    const stop = new AbortController();
    const waiting: Array<Promise<unknown>> = [];
    for (let hostile = 1; hostile <= 50; hostile += 1) {
      for (let call = 0; call < 8; call += 1)
        for (const url of [`http://${silent}/`, `http://${shared}/`])
          waiting.push(
            outbound.send({ url, ownerId: `hostile ${hostile}`, signal: stop.signal }).catch(() => undefined),
          );
      if (![4, 10, 50].includes(hostile)) continue;
      const beganMs = performance.now();
      await expect(outbound.getJson(`http://${shared}/good`, 'another')).resolves.toEqual({ ok: true });
      expect(performance.now() - beganMs).toBeLessThan(3_000);
    }
    stop.abort();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => undefined));
  });

  it('stops at one megabyte, announced or not', async () => {
    const announced = await serve((_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': String(1e9) }).write('{'),
    );
    let sent = 0;
    const endless = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const chunk = Buffer.alloc(65_536, ' ');
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', more).on('error', () => undefined);
      more();
    });
    for (const host of [announced, endless])
      expect((await refusal(client().getJson(`http://${host}/`, 'org'))).reason).toBe('outbound.too_large');
    expect(sent).toBeLessThan(20 * MEGABYTE); // what the sockets in between hold
  });

  it('does not unpack what is compressed', async () => {
    const host = await serveJson(gzipSync('{}'), { 'Content-Encoding': 'gzip' });
    expect((await refusal(client().getJson(`http://${host}/`, 'org'))).reason).toBe('outbound.compressed');
  });

  it.each([
    ['HTML that calls itself JSON', '<html>secret-inside</html>', 'application/json'],
    ['JSON that calls itself HTML', '{"secret-inside":1}', 'text/html'],
    ['JSON without a type', '{"secret-inside":1}', ''],
    ['a list', '["secret-inside"]', 'application/json'],
    ['null', 'null', 'application/json'],
    ['nothing', '', 'application/json'],
    ['half of an object', '{"secret-inside":', 'application/json'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'application/json'],
  ])('refuses %s, and does not repeat it', async (_, body, type) => {
    const host = await serve((__, response) =>
      (type === '' ? response.writeHead(200) : response.writeHead(200, { 'Content-Type': type })).end(body),
    );
    const error = await refusal(client().getJson(`http://${host}/`, 'org'));
    expect(error.reason).toBe('outbound.not_json');
    expect(`${error.message} ${String(error.cause)}`).not.toContain('secret-inside');
  });

  it('reads a document of depth 100,000 without harm', async () => {
    const host = await serveJson(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    await expect(client().getJson(`http://${host}/`, 'org')).resolves.toHaveProperty('a');
  });

  it.each([204, 400, 401, 404, 500, 503])('reports the status %s, and nothing of the body', async (status) => {
    const host = await serve((_, response) =>
      response
        .writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '99999' })
        .end('{"secret":"inside"}'),
    );
    const error = await refusal(client().getJson(`http://${host}/`, 'org'));
    expect([error.reason, error.kind]).toEqual([
      'outbound.status_unexpected',
      status >= 500 ? 'Unavailable' : 'FailedPrecondition',
    ]);
    expect(error.message).toContain(String(status));
    expect(error.message).not.toContain('inside');
  });

  it.each([
    [
      'closes at once',
      (socket: { destroy(): void; end(text: string): void }) => socket.destroy(),
      'outbound.unreachable',
    ],
    [
      'does not speak HTTP',
      (socket: { destroy(): void; end(text: string): void }) => socket.end('SSH-2.0-secret\r\n\r\n'),
      'outbound.not_http',
    ],
    [
      'sends a head without end',
      (socket: { destroy(): void; end(text: string): void }) =>
        socket.end(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}`),
      'outbound.not_http',
    ],
    [
      'breaks off in the body',
      (socket: { destroy(): void; end(text: string): void }) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'),
      'outbound.unreachable',
    ],
    [
      'upgrades to something else',
      (socket: { destroy(): void; end(text: string): void }) =>
        socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      'outbound.unreachable',
    ],
  ])('survives a server that %s', async (_, act, reason) => {
    const host = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => undefined).once('data', () => act(socket));
      }),
    );
    expect((await refusal(client().getJson(`http://${host}/`, 'org'))).reason).toBe(reason);
  });

  it('reports that a name is unknown, and that no server is listening', async () => {
    expect((await refusal(client({ names: new Names({}) }).getJson('https://nobody.test/', 'org'))).reason).toBe(
      'outbound.name_unknown',
    );
    const closed = createServer();
    const host = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    expect((await refusal(client().getJson(`http://${host}/`, 'org'))).reason).toBe('outbound.unreachable');
  });

  it('keeps secrets of a request out of its errors [IDP-025]', async () => {
    const host = await listen(
      createTcpServer((socket) => socket.on('error', () => undefined).once('data', () => socket.destroy())),
    );
    const error = await refusal(
      client().send({
        ownerId: 'org',
        url: `http://${host}/`,
        method: 'POST',
        headers: { Authorization: 'Basic top-secret' },
        body: 'client_secret=top-secret',
      }),
    );
    expect(JSON.stringify([error.message, error.stack, error.cause, { ...error }])).not.toContain('top-secret');
  });
});
