import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { passkeyOf, personWith } from '../migration/passkey-documents.js';
import { callerWith } from '../support/admin-api.js';
import { Authenticator } from '../support/authenticator.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { closeWindows, openChromium } from './chromium.js';
import { Window } from './window.js';

const OLD_HANDLE = 'old-service|4711';

let browser: Browser;
let world: World;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true, hasName: true });
});
afterAll(async () => {
  await closeWindows();
  await world.close();
});

it('A browser signs in with a passkey of another service, which answers with the user handle of that service', async () => {
  const device = new Authenticator(world.issuer);
  const rpId = new URL(world.issuer).hostname;
  const userHandle = Buffer.from(OLD_HANDLE).toString('base64');
  const { userId, entry } = personWith([passkeyOf(device, { rpId, userHandle })]);
  const { api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']);
  const { id: orgId } = await world.add.org();
  const document = { orgs: [{ orgId, humanUsers: [entry] }] };
  expect((await api.call('POST', '/admin/v1/import', { dataOrgs: document })).errors).toEqual([]);

  const { page } = await Window.open(browser);
  const debug = await page.context().newCDPSession(page);
  await debug.send('WebAuthn.enable');
  const { authenticatorId } = await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const credential = {
    credentialId: Buffer.from(device.credentialId, 'base64url').toString('base64'),
    isResidentCredential: true,
    rpId,
    privateKey: device.pkcs8.toString('base64'),
    userHandle,
    signCount: 1,
  };
  await debug.send('WebAuthn.addCredential', { authenticatorId, credential });
  const web1 = new RelyingParty(world, await world.cast.web1);
  const back = page.waitForRequest(/^https:\/\/rp1\.test\/cb\?.*code=/, { timeout: 30_000 });
  // The field of the first page offers the passkey, and the authenticator answers at once.
  await page.goto(`${world.issuer}${web1.authorizePath()}`).catch(() => undefined);
  await back;
  const used = await world.rows('SELECT 1 FROM session WHERE passkey_checked_at IS NOT NULL AND user_id = $1', [
    userId,
  ]);
  expect(used).toHaveLength(1);
});
