import { startIdp } from 'gatehouse/test-idp';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startShop } from './shop.js';

let idp, shop;

beforeAll(async () => {
  idp = await startIdp();
  shop = await startShop(idp);
});
beforeEach(() => idp.reset());
afterAll(async () => {
  shop.stop();
  await idp.stop();
});

test('Alice signs in', async () => {
  await shop.signIn('alice');
  expect(await shop.me()).toMatchObject({ sub: 'alice', name: 'Alice Adams' });
});

test('the identity provider has a clock of its own: fake timers do not reach it', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['Date'] });
  const { now } = await idp.clock.jump('1h');
  vi.useRealTimers();
  expect(Date.parse(now)).toBeGreaterThan(Date.now());
});
