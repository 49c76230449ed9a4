import { after, test } from 'node:test';
import { extensionContract, loginStepContract, pageSlotContract, startWorld } from 'gatehouse/testing';
import terms from './terms.extension.js';

const world = await startWorld({ extensions: [terms], env: { TERMS_URL: 'https://acme.example/terms' } });
after(() => world.close());

for (const { name, run } of [
  ...extensionContract(world, terms, { wrongEnv: { TERMS_URL: 'http://acme.example/terms' } }),
  ...loginStepContract(world, { path: '/ui/login/ext/terms/accept', accept: { accepted: 'on' } }),
  ...pageSlotContract(world, { extension: 'terms', browser: 'none' }),
])
  void test(name, run); // not one by one: `after` would not wait for the next one
