import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, importPKCS8, type JWK, type JWTPayload } from 'jose';
import type { TestKey } from '../../src/extension/testing/test-key.js';
import { App, turnTo } from '../login/factor-turns.js';
import { answer, ORIGIN } from '../login/passkey-turns.js';
import { pageOf } from '../login/turns.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { exchangeAssertion, signAssertion } from '../support/assertion.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { type Converted, convertFrom, importable, type Org } from './zitadel-database/converted.js';
import {
  GOOGLE_SECRET,
  IDP_SECRET,
  IDS,
  ORG,
  PARTNER,
  PASSKEY,
  PASSWORD,
  RECOVERY_CODE,
  SYNC_KEY,
  SYNC_SECRET,
  TOTP_SEED,
  WEB_SECRET,
} from './zitadel-database/facts.js';
import { SourceFixture } from './zitadel-database/fixture.js';

const world = await startWorld({ publicUrl: ORIGIN });
/** Of a key that was made for another domain. */
const ELSEWHERE = [expect.stringMatching(/^"key 2" works at login\.birkenhof\.example alone, and here it is id\.test/)];
const messagesOf = ({ errors }: Json): unknown[] => (errors as Json[]).map(({ message }) => message);
const source = await SourceFixture.open(world.database.connection, '4');
let converted: Converted;
let api: AdminApi;
let web: RelyingParty;

beforeAll(async () => {
  api = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
  converted = await convertFrom(source.url);
  for (const secret of [PASSWORD, WEB_SECRET, SYNC_SECRET, TOTP_SEED, IDP_SECRET, GOOGLE_SECRET, RECOVERY_CODE])
    world.plant(secret);
  const imported = await api.call('POST', '/admin/v1/import', { data_orgs: importable(converted) });
  expect(messagesOf(imported)).toEqual(ELSEWHERE);
  web = new RelyingParty(world, {
    id: IDS.web,
    clientId: '840000000000000411',
    authMethod: 'client_secret_basic',
    redirectUri: 'https://touren.example/callback',
    responseType: 'code',
    secret: WEB_SECRET,
    key: undefined,
  });
});
afterAll(async () => {
  await source.close();
  await world.close();
});

/** A person of the document, as the tests of sign-ins have them. */
function person(id: string, userName: string, orgId = ORG) {
  return { id, orgId, userName, loginName: userName, email: `${userName}@birkenhof.example`, password: PASSWORD };
}

async function keyCalled(kid: string): Promise<TestKey> {
  const pkcs8 = SYNC_KEY.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const publicJwk = SYNC_KEY.publicKey.export({ format: 'jwk' }) as JWK;
  return { kid, alg: 'RS256', publicJwk, privateKey: await importPKCS8(String(pkcs8), 'RS256') };
}

describe('The document converted from a database of ZITADEL is imported unchanged', () => {
  it('and nothing changes when it is converted and imported again', async () => {
    const before = await world.contents();
    const again = importable(await convertFrom(source.url));
    expect(messagesOf(await api.call('POST', '/admin/v1/import', { data_orgs: again }))).toEqual(ELSEWHERE);
    expect(await world.contents()).toBe(before);
  });

  it('and people sign in with their passwords, as themselves and with their roles', async () => {
    const elsewhere = web.elsewhere();
    const tokens = await elsewhere.tokens(person(IDS.ilse, 'ilse'));
    expect((await elsewhere.verify(tokens.id_token)).sub).toBe(IDS.ilse);
    const claims: JWTPayload = decodeJwt(tokens.access_token);
    expect(Object.keys(claims['urn:service:iam:org:project:roles'] as Json)).toEqual(['dispatcher']);
  });

  it('and a person with an authenticator app is asked for its code', async () => {
    const elsewhere = web.elsewhere();
    const asked = pageOf(await elsewhere.enter(await elsewhere.authorize(), { loginName: 'dora', password: PASSWORD }));
    expect(asked.title).toContain('Enter your code');
    const arrival = await elsewhere.browser.submit(asked, { code: new App(world, TOTP_SEED).code() });
    expect(elsewhere.toAnswer(arrival).code).toBeDefined();
  });

  it('and may enter a recovery code instead, once', async () => {
    const elsewhere = web.elsewhere();
    const asked = pageOf(await elsewhere.enter(await elsewhere.authorize(), { loginName: 'dora', password: PASSWORD }));
    const page = await turnTo(elsewhere, asked, 'Use a recovery code');
    const arrival = await elsewhere.browser.submit(page, { code: RECOVERY_CODE });
    expect(elsewhere.toAnswer(arrival).code).toBeDefined();
  });

  it('and a person with a passkey signs in with it alone', async () => {
    // It counts, and the database says how far it had come.
    PASSKEY.counter = 10;
    const elsewhere = web.elsewhere();
    const arrival = await answer(elsewhere, pageOf(await elsewhere.authorize()), PASSKEY);
    const tokens = (await elsewhere.redeem(elsewhere.toAnswer(arrival).code!)).json<{ id_token: string }>();
    expect((await elsewhere.verify(tokens.id_token)).sub).toBe(IDS.pia);
  });

  it('and a service user gets tokens with its previous secret, and with its previous key', async () => {
    const sync = new RelyingParty(world, { ...web.client, clientId: 'tour-sync', secret: SYNC_SECRET });
    const bySecret = await sync.post('/oauth/v2/token', { grant_type: 'client_credentials', scope: 'openid' });
    expect(bySecret.status).toBe(200);
    const byKey = await exchangeAssertion(world, await signAssertion(world, await keyCalled('key-of-sync'), IDS.sync));
    expect(byKey.status).toBe(200);
  });

  it('and an API asks about tokens with its previous key', async () => {
    const tokens = await web.elsewhere().tokens(person(IDS.ilse, 'ilse'));
    const reader = new RelyingParty(world, {
      ...web.client,
      clientId: '840000000000000413',
      authMethod: 'private_key_jwt',
      secret: undefined,
      key: await keyCalled('key-of-api'),
    });
    const asked = await reader.introspect(tokens.access_token);
    expect([asked.status, asked.json()['active']]).toEqual([200, true]);
  });

  it('and managers, texts, pictures and links are there', async () => {
    const exported = await api.call<{ orgs: Org[] }>('POST', '/admin/v1/export', {
      org_ids: [ORG, PARTNER],
      with_passwords: true,
      with_otp: true,
      with_keys: true,
      response_output: true,
    });
    const [own, partner] = [ORG, PARTNER].map((id) => exported.orgs.find(({ orgId }) => orgId === id)!);
    expect(own).toMatchObject({
      orgMembers: [{ userId: IDS.ilse, roles: ['ORG_OWNER'] }],
      projectMembers: [{ userId: IDS.dora }],
      loginTexts: [{ loginText: { title: 'Willkommen auf dem Birkenhof' } }],
      labelPolicy: { logoImage: converted.orgs[0]!['labelPolicy'].logoImage },
      oidcIdps: [{ idp: { clientSecret: IDP_SECRET } }, { idp: { clientSecret: GOOGLE_SECRET } }],
    });
    expect(own!['userLinks']).toHaveLength(2);
    expect(partner).toMatchObject({ projectGrantMembers: [{ userId: IDS.piet }] });
  });
});
