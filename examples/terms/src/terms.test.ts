import { after, test } from 'node:test';
import { extensionContract, loginStepContract, startWorld } from 'gatehouse/testing';
import terms from './terms.extension.js';

const world = await startWorld({ extensions: [terms], env: { TERMS_URL: 'https://acme.example/terms' } });
after(() => world.close());

const cases = [
  ...extensionContract(world, terms, { wrongEnv: { TERMS_URL: 'http://acme.example/terms' } }),
  ...loginStepContract(world, { path: '/ui/login/ext/terms/accept', accept: { accepted: 'on' } }),
];

// Not one by one: `after` would not wait for the next one.
for (const { name, run } of cases) void test(name, run);
