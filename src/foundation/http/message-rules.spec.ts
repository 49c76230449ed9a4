import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultOf } from './message-rules.js';

let server: Server;
let port: number;

beforeAll(async () => {
  server = createServer((request, response) => response.end(faultOf(request)?.reason ?? 'none'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close().closeAllConnections());

/** What is wrong with a message that a parser has read. */
async function faultIn(head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n`));
  const text = await new Promise<string>((resolve) => {
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (/\r\n\r\n[\w.]+/.test(received)) resolve(received);
    });
    socket.on('close', () => resolve(received));
  });
  socket.destroy();
  return text.split('\r\n\r\n')[1] ?? text;
}

describe('A request of HTTP/1', () => {
  it.each([
    ['GET / HTTP/1.1\r\nHost: a', 'none'],
    ['GET / HTTP/1.0', 'none'],
    ['GET / HTTP/1.0\r\nHost: a', 'none'],
    ['GET / HTTP/2.0\r\nHost: a', 'message.other_version'],
    ['GET / HTTP/0.9\r\nHost: a', 'message.no_version'],
    ['GET /', 'message.no_version'],
  ])('has the version of its request line: %j', async (head, fault) => {
    expect(await faultIn(head)).toBe(fault);
  });

  it.each(['a\r\nHost: b', 'a\r\nhOST: a', '\r\nHost: a'])('has one host: %j (RFC 9112 §3.2)', async (hosts) => {
    expect(await faultIn(`GET / HTTP/1.1\r\nHost: ${hosts}`)).toBe('message.host_repeated');
    expect(await faultIn(`GET / HTTP/1.0\r\nHost: ${hosts}`)).toBe('message.host_repeated');
  });

  it.each([
    'a b',
    'a/b',
    'a?b',
    'user@a',
    'a:b',
    'a:1:2',
    '[::1',
    '::1',
    'a%zz',
    'ü',
    '"a"',
    'http://a',
    '<a>',
    'a, b',
  ])('has no host like %j', async (host) => {
    expect(await faultIn(`GET / HTTP/1.1\r\nHost: ${host}`)).toBe('message.host_malformed');
  });

  it.each([
    '',
    'a',
    'A.example',
    'a:',
    'a:80',
    '127.0.0.1:3000',
    '[::1]',
    '[::1]:80',
    '[v1.a:b]',
    'a_b',
    'a%20b',
    'xn--bcher-kva.example',
  ])('may have a host like %j', async (host) => {
    expect(await faultIn(`GET / HTTP/1.1\r\nHost: ${host}`)).toBe('none');
  });
});
