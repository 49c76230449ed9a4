import type { LookupAddress } from 'node:dns';
import { createServer as createTlsServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NameResolver } from '../../src/foundation/outbound/name-resolver.js';
import { openSink, type Sink } from '../support/sink.js';
import { authority, certificate, expiredCertificate, key } from './certificate.js';
import { client, closeServers, listen, MEGABYTE, Names, refusal, serve, serveJson } from './outbound-support.js';

let sink: Sink;

beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates(), authority]);
  sink = await openSink();
});

afterAll(async () => {
  await sink.close();
  closeServers();
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
