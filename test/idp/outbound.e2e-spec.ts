import type { LookupAddress } from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IssuerConfig, OutboundConfig } from '../../src/foundation/config/config.js';
import { DomainError } from '../../src/foundation/error/domain-error.js';
import { NameResolver } from '../../src/foundation/outbound/name-resolver.js';
import { OutboundAddresses } from '../../src/foundation/outbound/outbound-addresses.js';
import { OutboundClient } from '../../src/foundation/outbound/outbound-client.js';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import { openSink, type Sink } from '../support/sink.js';
import { authority, certificate, expiredCertificate, key } from './certificate.js';

const MEGABYTE = 1_000_000;

/** Stands for DNS, which is not ours: names and what they resolve to, and how often they were asked for. */
class Names extends NameResolver {
  readonly asked: string[] = [];

  constructor(private readonly known: Readonly<Record<string, readonly string[]>>) {
    super();
  }

  override async addressesOf(name: string): Promise<LookupAddress[]> {
    this.asked.push(name);
    const addresses = this.known[name];
    if (!addresses) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  }
}

function client(
  options: { allow?: readonly string[]; production?: boolean; names?: NameResolver; outboundMs?: number } = {},
): OutboundClient {
  const { allow = ['127.0.0.0/8'], production = false, names = new NameResolver(), outboundMs } = options;
  return new OutboundClient(
    Object.assign(new IssuerConfig(), { production, publicUrl: 'https://id.test' }),
    new OutboundAddresses(Object.assign(new OutboundConfig(), { allow }), names),
    new Timeouts(outboundMs),
  );
}

/** The reason and the message of the refusal. */
async function refusal(answer: Promise<unknown>): Promise<DomainError> {
  const error = await answer.then(
    () => new Error('answered'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DomainError)) throw error;
  return error;
}

const opened: Array<Server | TcpServer> = [];

async function listen(server: Server | TcpServer): Promise<string> {
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (listener: RequestListener): Promise<string> => listen(createServer(listener));
const serveJson = (body: string | Buffer, headers: Record<string, string> = {}): Promise<string> =>
  serve((_, response) => response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(body));

let sink: Sink;

beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates(), authority]);
  sink = await openSink();
});

afterAll(async () => {
  await sink.close();
  for (const server of opened) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
});

describe('The outbound client', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'application/jwk-set+json', 'Application/JSON'])(
    'reads a JSON object sent as %s',
    async (type) => {
      const host = await serveJson('{"keys":[]}', { 'Content-Type': type });
      await expect(client().getJson(`http://${host}/keys`, 'org')).resolves.toEqual({ keys: [] });
    },
  );

  it('sends the given headers, requests no compression, and sends no cookie and no address of ours', async () => {
    const seen: Array<Record<string, unknown>> = [];
    const host = await serve((request, response) => {
      request.setEncoding('utf8').on('data', (body: string) => {
        seen.push({ method: request.method, url: request.url, headers: request.headers, body });
        response
          .writeHead(401, { 'Content-Type': 'application/json', 'Set-Cookie': 'a=b' })
          .end('{"error":"invalid_client"}');
      });
    });
    const outbound = client();
    for (let i = 0; i < 2; i += 1) {
      const answer = await outbound.send({
        ownerId: 'org',
        url: `http://${host}/token?x=1`,
        method: 'POST',
        headers: { 'Content-Type': 'text/plain' },
        body: 'grüezi',
      });
      expect([answer.status, answer.body.toString()]).toEqual([401, '{"error":"invalid_client"}']);
    }
    const headers = {
      host,
      connection: 'close',
      'content-type': 'text/plain',
      'content-length': '7',
      'accept-encoding': 'identity',
      'user-agent': 'Gatehouse',
    };
    expect(seen).toEqual(Array(2).fill({ method: 'POST', url: '/token?x=1', headers, body: 'grüezi' }));
  });

  it('takes an answer of one megabyte', async () => {
    const host = await serveJson(`{"x":"${'a'.repeat(MEGABYTE - 8)}"}`);
    expect(String((await client().getJson(`http://${host}/`, 'org'))['x'])).toHaveLength(MEGABYTE - 8);
  });
});

describe('The destinations of the outbound client [IDP-018]', () => {
  const literals = [
    'http://127.0.0.1:PORT',
    'http://[::1]:PORT',
    'https://127.0.0.1:PORT',
    'https://[::1]:PORT',
    'https://10.9.0.9:9999',
    'https://169.254.169.254/',
    'https://0.0.0.0:PORT',
    'https://[::ffff:127.0.0.1]:PORT',
    'https://[::ffff:7f00:1]:PORT',
    'https://2130706433:PORT',
    'https://0x7f.1:PORT',
    'https://0177.0.0.1:PORT',
    'https://127.1:PORT',
    'https://[fd00::9]',
    'https://[fe80::1]',
    'https://[64:ff9b::7f00:1]:PORT',
    'https://[::]:PORT',
    'https://localhost:PORT',
    'http://localhost:PORT',
    'https://100.64.0.1',
    'https://192.168.0.1',
  ];

  it.each(literals)('refuses %s if nothing is allowed, without connecting', async (template) => {
    const url = template.replace('PORT', new URL(sink.url).port);
    expect((await refusal(client({ allow: [] }).getJson(url, 'org'))).reason).toBe('outbound.address_refused');
    expect(sink.connections).toBe(0);
  });

  it.each([
    'http://10.9.0.9:9999',
    'http://0.0.0.0:9999',
    'http://[::ffff:127.0.0.1]:9999',
    'http://localhost.:9999',
    'https://localhost.',
    'http://[fd00::9]',
    'http://example.com',
    'gopher://127.0.0.1',
    'ftp://127.0.0.1',
    'unix:/run/x',
    'file:///etc/passwd',
    'javascript:x',
    'https://user:pw@example.com',
    'data:application/json,{}',
    '',
  ])('does not even look at %s', async (url) => {
    const names = new Names({});
    expect((await refusal(client({ names }).getJson(url, 'org'))).reason).toBe('outbound.url_refused');
    expect(names.asked).toEqual([]);
  });

  it.each([
    ['private', ['10.9.0.9']],
    ['of this machine', ['127.0.0.1']],
    ['link-local, where clouds serve metadata', ['169.254.169.254']],
    ['IPv6 of this machine', ['::1']],
    ['unique local', ['fd00::9']],
    ['IPv4 in IPv6', ['::ffff:10.9.0.9']],
    ['IPv4 behind NAT64', ['64:ff9b::a09:9']],
    ['public and private at once', ['8.8.8.8', '10.9.0.9']],
  ])('refuses a name whose address is %s, resolves it once, and does not reveal the address', async (_, addresses) => {
    const names = new Names({ 'rebinding.test': addresses });
    const error = await refusal(client({ names, allow: [] }).getJson('https://rebinding.test/', 'org'));
    expect([error.reason, names.asked]).toEqual(['outbound.address_refused', ['rebinding.test']]);
    for (const address of addresses) expect(error.message).not.toContain(address);
  });

  it('connects to the very address that it has checked, even if the name changes a moment later', async () => {
    const host = await serveJson('{"ok":true}');
    const answers = [['127.0.0.1'], ['10.9.0.9']];
    const names = new (class extends NameResolver {
      override async addressesOf(): Promise<LookupAddress[]> {
        return answers.shift()!.map((address) => ({ address, family: 4 }));
      }
    })();
    const port = host.split(':')[1];
    const outbound = client({ names });
    // Http is for this machine, so the name must be one that stands for it.
    await expect(outbound.getJson(`http://localhost:${port}/`, 'org')).resolves.toEqual({ ok: true });
    expect((await refusal(outbound.getJson(`http://localhost:${port}/`, 'org'))).reason).toBe(
      'outbound.address_refused',
    );
  });

  it('calls no other machine over http, not even one that is allowed', async () => {
    const names = new Names({ localhost: ['10.9.0.9'] });
    expect((await refusal(client({ names, allow: ['10.0.0.0/8'] }).getJson('http://localhost/', 'org'))).reason).toBe(
      'outbound.address_refused',
    );
  });

  it('never uses http in production', async () => {
    const host = await serveJson('{}');
    expect((await refusal(client({ production: true }).getJson(`http://${host}/`, 'org'))).reason).toBe(
      'outbound.url_refused',
    );
  });

  it.each([301, 302, 303, 307, 308])('does not follow a redirect (%s) [IDP-019]', async (status) => {
    const host = await serve((_, response) => response.writeHead(status, { Location: sink.url }).end());
    const error = await refusal(client().getJson(`http://${host}/`, 'org'));
    expect([error.reason, error.message]).toEqual(['outbound.redirected', expect.stringContaining(String(status))]);
    expect(error.message).not.toContain(sink.url);
    expect(sink.connections).toBe(0);
  });
});

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
    expect(performance.now() - startMs).toBeLessThan(outboundMs + 2_000);
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
    const outbound = client({ names, outboundMs: 300 });
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
    let connections = 0;
    const silent = await listen(
      createTcpServer((socket) => {
        connections += 1;
        setTimeout(() => socket.destroy(), 1_000);
      }),
    );
    const good = await serveJson('{"ok":true}');
    const outbound = client();
    const waiting = Promise.allSettled(Array.from({ length: 20 }, () => outbound.getJson(`http://${silent}/`, 'org')));
    await expect(outbound.getJson(`http://${good}/`, 'org')).resolves.toEqual({ ok: true });
    expect(connections).toBeLessThanOrEqual(8);
    await waiting;
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

describe('Over TLS', () => {
  const names = new Names({ 'provider.test': ['127.0.0.1'], 'somebody-else.test': ['127.0.0.1'] });

  async function tls(options: object): Promise<string> {
    const server = createTlsServer({ key, ...options }, (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"ok":true}'),
    );
    return (await listen(server)).split(':')[1]!;
  }

  it('calls a server with a good certificate', async () => {
    const port = await tls({ cert: certificate });
    await expect(client({ names }).getJson(`https://provider.test:${port}/`, 'org')).resolves.toEqual({ ok: true });
  });

  it('refuses one that is expired, for another name, or of an unknown authority, regardless of the environment [IDP-011]', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const expired = await tls({ cert: expiredCertificate });
      const good = await tls({ cert: certificate });
      const outbound = client({ names });
      for (const url of [
        `https://provider.test:${expired}/`,
        `https://somebody-else.test:${good}/`,
        `https://127.0.0.1:${good}/`,
      ]) {
        expect((await refusal(outbound.getJson(url, 'org'))).reason).toBe('outbound.certificate_refused');
      }
      setDefaultCACertificates(getCACertificates('bundled'));
      expect((await refusal(client({ names }).getJson(`https://provider.test:${good}/`, 'org'))).reason).toBe(
        'outbound.certificate_refused',
      );
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      setDefaultCACertificates([...getCACertificates('bundled'), authority]);
    }
  });

  it('refuses a server that is too old, and one that does not encrypt', async () => {
    const old = await tls({
      cert: certificate,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const plain = (await serveJson('{}')).split(':')[1];
    for (const port of [old, plain]) {
      expect((await refusal(client({ names }).getJson(`https://provider.test:${port}/`, 'org'))).reason).toBe(
        'outbound.tls_failed',
      );
    }
  });
});
