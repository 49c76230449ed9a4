import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { claimsContract, extensionContract, startWorld } from 'gatehouse/testing';
import httpClaims from './http-claims.extension.js';

const KEY = 'key-of-the-service-with-claims';
const COST_CENTRE = 'https://acme.example/cost_centre';
const costCentres = new Map<string, string>();

/** The service that knows the claims. */
const service = createServer(async (request, response) => {
  assert.equal(request.headers.authorization, `Bearer ${KEY}`);
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
