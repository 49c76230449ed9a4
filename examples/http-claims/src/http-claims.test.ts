import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import type { ClaimsQuestion, Secret, SettingsReader } from 'gatehouse';
import { claimsContract, extensionContract, startWorld } from 'gatehouse/testing';
import { ClaimsSettings, readSettings } from './claims.settings.js';
import { HttpClaims } from './http.claims.js';
import httpClaims from './http-claims.extension.js';

const KEY = 'key-of-the-service-with-claims';
const COST_CENTRE = 'https://acme.example/cost_centre';
const costCentres = new Map<string, string>();

/** The service that knows the claims. */
const service = createServer(async (request, response) => {
  assert.equal(request.headers.authorization, `Bearer ${KEY}`);
  if (request.url === '/long') return void response.end(JSON.stringify({ [COST_CENTRE]: 'x'.repeat(70_000) }));
  const { userId } = JSON.parse((await request.toArray()).join('')) as { userId: string };
  const costCentre = costCentres.get(userId);
  response.writeHead(costCentre === undefined ? 404 : 200).end(JSON.stringify({ [COST_CENTRE]: costCentre }));
});
await once(service.listen(0, '127.0.0.1'), 'listening');
const env = {
  HTTPCLAIMS_URL: `http://127.0.0.1:${(service.address() as { port: number }).port}/claims`,
  HTTPCLAIMS_KEY: KEY,
  HTTPCLAIMS_SCOPE: 'costs',
  HTTPCLAIMS_CLAIMS: COST_CENTRE,
};
const world = await startWorld({ extensions: [httpClaims], env });
after(() => world.close());
after(() => service.close().closeAllConnections());

for (const { name, run } of [
  ...extensionContract(world, httpClaims, { wrongEnv: { HTTPCLAIMS_URL: 'nowhere', HTTPCLAIMS_CLAIMS: '' } }),
  ...claimsContract(world, {
    scope: 'costs',
    given: async ({ id }) => costCentres.set(id, `K-${id}`),
    expect: ({ id }) => ({ [COST_CENTRE]: `K-${id}` }),
    statements: 0,
  }),
])
  void test(name, run); // not one by one: `after` would not wait for the next one

void test('questions beyond the limit have no claims, without an error', async () => {
  assert.deepEqual(await claimsFrom('/claims', 0), {});
});

void test('an answer that is too long is an error', async () => {
  await assert.rejects(claimsFrom('/long', 1), /more than 65536 bytes/);
});

void test('the URL has no credentials, and is https except on this machine', () => {
  assert.match(
    mistakesOf('https://u:p4ss@hr.example.com/claims'),
    /^HTTPCLAIMS_URL contains credentials[^]*HTTPCLAIMS_KEY/,
  );
  assert.doesNotMatch(mistakesOf('https://u:p4ss@hr.example.com/claims'), /p4ss/);
  assert.match(mistakesOf('http://hr.example.com/claims'), /^HTTPCLAIMS_URL must begin with https/);
  for (const url of ['https://hr.example.com', 'http://127.0.0.1:1', 'http://[::1]:1', 'http://localhost:1'])
    assert.equal(mistakesOf(url), '');
});

async function claimsFrom(path: string, atOnce: number) {
  const key = { reveal: () => KEY } as Secret;
  const settings = new ClaimsSettings(new URL(path, env.HTTPCLAIMS_URL), key, 'costs', [COST_CENTRE], 300, atOnce);
  return new HttpClaims(settings).contribute({ userId: '1' } as ClaimsQuestion, AbortSignal.timeout(5_000));
}

function mistakesOf(url: string): string {
  const mistakes: string[] = [];
  const reader: Partial<SettingsReader> = {
    url: () => new URL(url),
    list: () => [COST_CENTRE],
    text: () => 'costs',
    secret: () => undefined,
    whole: () => undefined,
    required: <T>(_: string, value: T | undefined) => value as T,
    mistake: (text) => void mistakes.push(text),
  };
  readSettings(reader as SettingsReader);
  return mistakes.join('\n');
}
