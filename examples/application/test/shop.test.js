import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startIdp } from 'gatehouse/test-idp';
import { startShop } from './shop.js';

let idp, shop;

before(async () => {
  idp = await startIdp();
  shop = await startShop(idp);
});
beforeEach(() => idp.reset());
after(async () => {
  shop.stop();
  await idp.stop();
});

test('Alice signs in, and is known with her role', async () => {
  await shop.signIn('alice');
  const me = await shop.me();
  assert.equal(me.name, 'Alice Adams');
  assert.deepEqual(Object.keys(me['urn:service:iam:org:project:roles']), ['admin']);
});

test('who is not signed in is asked to', async () => {
  await shop.get('/logout');
  assert.equal(await shop.me(), '401 Please sign in.');
});

test('a session lasts beyond its access token, because it is refreshed', async () => {
  await shop.signIn('alice');
  await idp.clock.jump('13h');
  assert.equal((await shop.me()).name, 'Alice Adams');
});

test('a user who was locked meanwhile is signed out', async () => {
  await shop.signIn('alice');
  await idp.lock('alice');
  assert.equal(await shop.me(), '401 Please sign in again.');
});

test('an answer to a refresh that was lost costs a new sign-in, and no error page', async () => {
  await shop.signIn('alice');
  await idp.clock.jump('13h');
  await idp.faults.arm('refresh-lost');
  assert.match(await shop.me(), /^502/);
  await idp.clock.jump('1m'); // within ten seconds, the same answer is given once more
  assert.equal(await shop.me(), '401 Please sign in again.');
});

for (const fault of ['wrong-audience', 'wrong-nonce', 'wrong-issuer', 'wrong-signature', 'expired-id-token'])
  test(`an ID token with the fault "${fault}" signs nobody in`, async () => {
    await idp.faults.arm(fault);
    assert.equal((await shop.signIn('alice')).status, 502);
    assert.match(String(await shop.me()), /^401/);
  });

test('a key that was rotated is fetched once a minute has passed, and no sooner', async (t) => {
  await shop.signIn('alice');
  await idp.rotateKey();
  assert.equal((await shop.signIn('alice')).status, 502);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 }); // the clock of the shop
  await idp.clock.jump('61s'); // and that of the identity provider
  await shop.signIn('alice');
  assert.equal((await shop.me()).name, 'Alice Adams');
});

test('who signs out comes back to the shop, and is signed out at the identity provider', async () => {
  await shop.signIn('alice');
  assert.equal(await idp.authorize(await shop.locationOf('/logout'), 'alice'), `${shop.url}/`);
  const { searchParams } = new URL(await idp.authorize(`${await shop.locationOf('/login')}&prompt=none`, 'alice'));
  assert.equal(searchParams.get('error'), 'login_required');
});
