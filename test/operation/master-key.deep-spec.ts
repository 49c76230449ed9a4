import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { MailServers } from '../../src/mail/server/mail-servers.js';
import { TotpService } from '../../src/user/factor/totp.service.js';
import { Webhooks } from '../../src/webhook/webhooks.js';
import { addOidc } from '../idp/external.js';
import { beginPassword, pageOf } from '../login/turns.js';
import { Browser } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import { Processes } from '../support/processes.js';
import { RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { type ServiceProcess } from '../support/service-process.js';
import { expectDead, expectToken400 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const NEW_KEY = 'the master key that comes next';
const OFFLINE = { scope: 'openid offline_access' };

/** Runs with the old master key. */
let world: World;
let alice: TestPerson;
let rp: RelyingParty;
let old: Tokens;
let code: string;
/**
 * What seals with the new key: one process that also knows the old one, which the world still has, and one that does
 * not.
 */
const services = new Processes(() => ({
  DATABASE_URL: world.database.url,
  PUBLIC_URL: world.issuer,
  LOGIN_LIMITS: 'off',
  MASTER_KEY: NEW_KEY,
}));
let knowsOld: ServiceProcess | undefined;
let knowsOnlyNew: ServiceProcess | undefined;

beforeAll(async () => {
  world = await startWorld({ realTime: true });
  alice = await world.cast.alice;
});
afterAll(async () => {
  await services.end();
  await world.close();
});

beforeEach(async () => {
  rp = new RelyingParty(world, await world.cast.web1, new Browser(world));
  old = await rp.tokens(alice, OFFLINE);
  code = await rp.code(alice, OFFLINE);
});

/** The process with MASTER_KEY_PREVIOUS; its start encrypts again what the old key has sealed. */
async function withOld(): Promise<ServiceProcess> {
  knowsOld ??= await services.start({ MASTER_KEY_PREVIOUS: world.config.secrets.masterKey!.reveal() });
  rp.browser.at = knowsOld;
  return knowsOld;
}

/** The process without it, which can only start after the other. */
async function withoutOld(): Promise<ServiceProcess> {
  await withOld();
  knowsOnlyNew ??= await services.start();
  rp.browser.at = knowsOnlyNew;
  return knowsOnlyNew;
}

const redeem = (at: ServiceProcess, one: string) =>
  rp.token({ grant_type: 'authorization_code', code: one, redirect_uri: rp.client.redirectUri }, at);
const refresh = (at: ServiceProcess, token: string) =>
  rp.token({ grant_type: 'refresh_token', refresh_token: token }, at);

const MAIL_SERVER = {
  host: 'smtp.acme.example',
  tls: true,
  userName: 'gate',
  senderAddress: 'no-reply@acme.example',
  senderName: '',
  replyToAddress: '',
  description: '',
};
const addMailServer = async (): Promise<string> =>
  (await world.get(MailServers).add(MAIL_SERVER, 'at-the-mail-server', alice.id)).id;

/** The id of a key that nobody has any more. */
const LOST = 'lost';

/** One of each kind; answers what the log must say of them. */
async function addUnreadable(): Promise<string[]> {
  const person = await world.add.person({ orgId: alice.orgId });
  const owner = { userId: person.id, orgId: person.orgId };
  const seed = new Secret('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');
  await world.transaction((tx) => world.get(TotpService).importSeed(tx, owner, seed, person.id));
  const idp = await addOidc(world, 'https://lost.test', { name: 'Lost provider' });
  await addOidc(world, 'https://kept.test');
  const org = { level: 'org', id: person.orgId } as const;
  const settings = { url: 'https://hooks.acme.example/', types: ['user.removed'] };
  const hook = await world.get(Webhooks).add(org, settings, person.id);
  const mailServer = await addMailServer();
  const sealed = `v1.${LOST}.AAAA`;
  await world.rows('UPDATE mail_server SET password = $2 WHERE id = $1', [mailServer, sealed]);
  await world.rows('UPDATE idp SET client_secret = $2 WHERE id = $1', [idp, sealed]);
  await world.rows('UPDATE webhook SET secret = $2 WHERE id = $1', [hook.id, sealed]);
  await world.rows('UPDATE auth_factor SET secret = $2 WHERE user_id = $1', [person.id, sealed]);
  return [
    `"idpId":"${idp}"`,
    '"name":"Lost provider"',
    `"webhookId":"${hook.id}"`,
    `"userId":"${person.id}"`,
    `"mailServerId":"${mailServer}"`,
  ];
}

describe('A new master key', () => {
  it('encrypts again whatever stays in the database, so that the old one may be removed, and names what it cannot read', async () => {
    const person = await world.add.person({ orgId: alice.orgId });
    const owner = { userId: person.id, orgId: person.orgId };
    const totp = world.get(TotpService);
    await world.transaction((tx) =>
      totp.importSeed(tx, owner, new Secret('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'), person.id),
    );
    const webhooks = world.get(Webhooks);
    const org = { level: 'org', id: person.orgId } as const;
    const settings = { url: 'https://hooks.acme.example/', types: ['user.removed'] };
    const { id } = await webhooks.add(org, settings, person.id);
    await webhooks.rotate(org, id, person.id);
    await webhooks.deactivate(org, id, person.id);
    await addMailServer();
    const named = await addUnreadable();
    const service = await withOld();
    const keys = await world.rows<{ keys: string[] }>(
      `SELECT array_agg(DISTINCT split_part(sealed, '.', 2)) AS keys FROM (
         SELECT secret FROM auth_factor WHERE secret IS NOT NULL
         UNION ALL SELECT client_secret FROM idp WHERE client_secret <> ''
         UNION ALL SELECT private_key FROM signing_key
         UNION ALL SELECT secret FROM webhook
         UNION ALL SELECT former_secret FROM webhook WHERE former_secret IS NOT NULL
         UNION ALL SELECT password FROM mail_server WHERE password <> ''
         UNION ALL SELECT master_key_check FROM instance) AS s (sealed)`,
    );
    const [{ key } = { key: '' }] = await world.rows<{ key: string }>(
      `SELECT split_part(master_key_check, '.', 2) AS key FROM instance`,
    );
    expect(keys[0]!.keys.toSorted()).toEqual([key, LOST].toSorted());
    for (const words of named) expect(service.text()).toContain(words);
  });

  it('opens, with MASTER_KEY_PREVIOUS, everything that the old one sealed', async () => {
    const service = await withOld();
    expect((await rp.userinfo(old.access_token, service)).status).toBe(200);
    expect((await rp.introspect(old.access_token, {}, service)).json()).toMatchObject({ active: true });
    const redeemed = tokensOf(await redeem(service, code));
    expect(await rp.verify(redeemed.id_token)).toMatchObject({ sub: alice.id }); // signed with a key that the old one sealed
    expect(tokensOf(await refresh(service, old.refresh_token)).refresh_token).not.toBe(old.refresh_token);
    expect((await rp.authorize({ prompt: 'none' })).redirect).toContain('code=');
  });

  it('opens, with MASTER_KEY_PREVIOUS, pages from before, also in a browser in which no user has signed in', async () => {
    const signedIn = pageOf(await rp.authorize({ prompt: 'login' }));
    const fresh = rp.elsewhere();
    const named = await beginPassword(fresh, alice.loginName);
    fresh.browser.at = await withOld();
    expect((await rp.browser.submit(signedIn, { password: alice.password })).redirect).toContain('code=');
    expect((await fresh.browser.submit(named, { password: alice.password })).redirect).toContain('code=');
  });

  it('opens no page that the old one sealed, without it, and lets the sign-in begin again', async () => {
    const signedIn = pageOf(await rp.authorize({ prompt: 'login' }));
    await withoutOld();
    const reply = await rp.browser.submitOnce(signedIn, { password: alice.password });
    expect([reply.status, reply.location]).toEqual([403, undefined]);
    expect((await rp.enter(await rp.authorize({ prompt: 'login' }), alice)).redirect).toContain('code=');
  });

  it('opens, alone, what it sealed itself; what the old one sealed is refused like any other unknown token', async () => {
    const young = tokensOf(await refresh(await withOld(), old.refresh_token));
    const service = await withoutOld();
    expect((await rp.userinfo(young.access_token, service)).status).toBe(200);
    expectDead(await rp.userinfo(old.access_token, service));
    expectToken400(await redeem(service, code), 'invalid_grant');
    const again = tokensOf(await refresh(service, young.refresh_token));
    expect(await rp.verify(again.id_token)).toMatchObject({ sub: alice.id });
    expect((await rp.authorize({ prompt: 'none' })).redirect).toContain('code=');
  });
});
