import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Idp } from '../../src/extension/test-idp/idp.js';
import { ROUTES } from '../../src/extension/test-idp/protocol.js';
import { startWorld } from '../support/world.js';
import { startStage } from './stage.js';

let idp: Idp;
let port: string;

beforeAll(async () => {
  idp = await startStage({});
  ({ port } = new URL(idp.issuer));
});
afterAll(() => idp.stop());

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

async function ask(method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, method, path: `/_test${path}`, headers, agent: false },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, body: JSON.parse(text) as Answer['body'] }),
        );
      },
    );
    asked.on('error', reject).end(body);
  });
}

describe('The control surface', () => {
  it('answers a program under each name of this machine', async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])
      expect(await ask('GET', '', { Host: `${host}:${port}` })).toMatchObject({
        status: 200,
        body: { issuer: idp.issuer },
      });
  });

  it('refuses another name, with which a page reaches this machine (DNS rebinding) [TST-001]', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost',
      'localhost:1',
      `localhost.evil.example:${port}`,
    ])
      expect(await ask('GET', '', { Host: host })).toMatchObject({ status: 403 });
  });

  it('refuses every request of a page in a browser, of whatever origin [TST-002]', async () => {
    const headers = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: idp.issuer },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-origin' },
    ];
    for (const given of headers) {
      const answer = await ask('POST', '/reset', { Host: `localhost:${port}`, ...given });
      expect(answer).toMatchObject({ status: 403 });
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect(await ask('OPTIONS', '/reset', { Host: `localhost:${port}`, Origin: 'https://evil.example' })).toMatchObject(
      { status: 403 },
    );
  });

  it('says what it does not know, and what it needs', async () => {
    const host = { Host: `localhost:${port}` };
    expect(await ask('GET', '/coffee', host)).toMatchObject({
      status: 404,
      body: { error: 'There is no such operation.' },
    });
    expect(await ask('GET', '/reset', host)).toMatchObject({ status: 405, body: { error: 'Send POST.' } });
    expect(await ask('POST', '/sign-in', host)).toMatchObject({ status: 400, body: { error: 'user is missing.' } });
    const text = { ...host, 'Content-Type': 'text/plain' };
    expect(await ask('POST', '/sign-in', text, '{"user":"alice"}')).toMatchObject({ status: 400 });
    const json = { ...host, 'Content-Type': 'application/json' };
    expect(await ask('POST', '/sign-in', json, '[')).toMatchObject({
      status: 400,
      body: { error: 'The body is no JSON object.' },
    });
    expect(await ask('POST', '/sign-in', json, '{"user":1}')).toMatchObject({
      status: 400,
      body: { error: 'user must be a text.' },
    });
  });

  it('has a place of its own for each operation', () => {
    const places = Object.values(ROUTES).map((route) => route.join(' '));
    expect(new Set(places).size).toBe(places.length);
  });

  it('begins without a fixture with nothing but an organization and a project, and with the default one with users', async () => {
    expect(Object.keys(idp.users)).toEqual([]);
    await idp.add({ users: { zoe: {} } });
    expect((await ask('GET', '', { Host: `localhost:${port}` })).body).toMatchObject({
      users: { zoe: { loginName: 'zoe@acme.test' } },
    });
  });
});

describe('The service itself', () => {
  it('has nothing below /_test, whatever is asked [TST-003]', async () => {
    const world = await startWorld();
    for (const [method, path] of Object.values(ROUTES))
      expect((await world.send({ method, path: `/_test${path}` })).status).toBe(404);
    await world.close();
  });
});
