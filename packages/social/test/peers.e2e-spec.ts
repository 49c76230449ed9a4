import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Browser,
  STRANGER_CLIENT_ID,
  STRANGER_SECRET,
  type StrangerOptions,
  StrangerProvider,
  startWorld,
  type World,
} from 'gatehouse/testing';
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import { Front } from './support/front.js';
import { LOCAL, socialAt } from './support/social-world.js';
import { KEY_ID, objectIdOf, TEAM_ID, TENANT } from './support/vendors.js';

type Party = ReturnType<World['party']>;

const START = '/ui/login/login/externalidp';
const OTHER_TENANT = '3338040d-6c67-4c5b-b112-36a304b66dad';
const OID = objectIdOf('7');

const signing = await generateKeyPair('ES256', { extractable: true });
const places = { google: '', apple: '' };
const callback = { url: '' };
const open: Array<{ close(): Promise<void> }> = [];
const secretsSeen: string[] = [];

let world: World;
let party: Party;
let admin: Awaited<ReturnType<World['manager']>>;

const claims = (login: string) => ({
  email: `${login}@mail.test`,
  email_verified: true,
  preferred_username: login,
  given_name: 'Greta',
  family_name: 'Stranger',
  tid: TENANT,
  oid: OID,
  xms_edov: '1',
});
const POST = { clientAuthentication: 'client_secret_post' } as const;

async function start(options: StrangerOptions): Promise<StrangerProvider> {
  const stranger = await StrangerProvider.start(() => callback.url, claims, { ...POST, ...options });
  open.push(stranger);
  return stranger;
}

/** In front of a stranger, which gets the secret that it knows once the JWT in its place was verified. */
async function apple(): Promise<StrangerProvider> {
  const front = await Front.start({
    body: async (text) => {
      const form = new URLSearchParams(text);
      const secret = form.get('client_secret');
      if (secret === null) return text;
      const { payload } = await jwtVerify(secret, signing.publicKey, { audience: front.origin, issuer: TEAM_ID });
      if (payload.sub !== STRANGER_CLIENT_ID) throw new Error('The secret is for another client.');
      secretsSeen.push(secret);
      form.set('client_secret', STRANGER_SECRET);
      return form.toString();
    },
  });
  open.push(front);
  const stranger = await start({ issuer: front.origin, demandsPkce: false, ownClaims: ['email', 'email_verified'] });
  front.behind = stranger.origin;
  return stranger;
}

/** In front of a stranger, whose document names a template of issuers. */
async function entra(): Promise<{ readonly stranger: StrangerProvider; readonly base: string }> {
  const issuer: { template: string } = { template: '' };
  const discovery = '/.well-known/openid-configuration';
  const front = await Front.start({
    documents: {
      [`/organizations/v2.0${discovery}`]: {
        from: discovery,
        get with() {
          return { issuer: issuer.template };
        },
      },
    },
  });
  open.push(front);
  issuer.template = `${front.origin}/{tenantid}/v2.0`;
  const stranger = await start({
    issuer: `${front.origin}/${TENANT}/v2.0`,
    ownClaims: ['tid', 'oid', 'xms_edov'],
  });
  front.behind = stranger.origin;
  return { stranger, base: front.origin };
}

async function add(vendor: string, settings: object): Promise<string> {
  const added = await admin.call<{ id: string; callbackUrl: string; state: string }>(
    'POST',
    '/admin/v1/idps/extension',
    {
      name: vendor,
      kind: `ext:social-${vendor}`,
      clientId: STRANGER_CLIENT_ID,
      clientSecret: STRANGER_SECRET,
      settings,
      providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
    },
  );
  expect(added.state).toBe('IDP_STATE_ACTIVE');
  callback.url = added.callbackUrl;
  await world.changesToArrive();
  return added.id;
}

async function leave(id: string): Promise<string> {
  party = party.elsewhere();
  const { page } = await party.authorize();
  const requestId = page?.formWith('authRequestID').fields['authRequestID'] ?? '';
  const query = new URLSearchParams({ authRequestID: requestId, idpConfigID: id });
  const { location = '' } = await party.browser.request('GET', `${START}?${query}`);
  return location;
}

/** Through the pages of the stranger; answers where, and with what form, it sends the browser back. */
async function signInThere(
  stranger: StrangerProvider,
  url: string,
): Promise<{ readonly redirect: string; readonly form?: Readonly<Record<string, string>> }> {
  const { origin } = new URL(url);
  const browser = new Browser({ issuer: origin, origin, plant: () => undefined });
  let now = await browser.get(url);
  for (let step = 0; step < 4 && now.page; step += 1) {
    if (now.page.find('input[name="code"]')) {
      const { action, fields } = now.page.formWith('code');
      return { redirect: action, form: fields };
    }
    const fields = now.page.find('input[name="login"]') ? { login: 'greta', password: 'any' } : { prompt: 'consent' };
    now = await browser.submit(now.page, fields);
  }
  if (now.redirect === undefined)
    throw new Error(`It did not send the browser back: ${now.page.text.slice(0, 300)} ${stranger.errors.join()}`);
  return { redirect: now.redirect };
}

async function linked(id: string): Promise<unknown> {
  const [row] = await world.sql`
    SELECT l.external_user_id AS subject, u.email, u.email_verified AS "emailVerified", u.first_name AS "firstName"
    FROM idp_link l JOIN user_account u ON u.id = l.user_id WHERE l.idp_id = ${id}`;
  return row;
}

let google: StrangerProvider;
let fruit: StrangerProvider;

beforeAll(async () => {
  google = await start({ ownClaims: ['email', 'email_verified'] });
  fruit = await apple();
  Object.assign(places, { google: google.issuer, apple: fruit.issuer });
  world = await startWorld({ extensions: [socialAt(places)], env: LOCAL, realTime: true });
  admin = await world.manager(['IAM_OWNER']);
  party = world.party(await world.add.application());
});
afterAll(async () => {
  await world.close();
  for (const one of open) await one.close();
});

describe('npm oidc-provider', () => {
  it('signs in as Google', async () => {
    const id = await add('google', {});
    const { redirect } = await signInThere(google, await leave(id));
    expect((await party.browser.get(redirect)).redirect).toContain('code=');
    expect(await linked(id)).toMatchObject({ subject: 'greta', email: 'greta@mail.test', emailVerified: true });
  });

  it('signs in as a GitLab that says the address at its UserInfo endpoint', async () => {
    const stranger = await start({});
    const id = await add('gitlab', { base: stranger.issuer });
    const { redirect } = await signInThere(stranger, await leave(id));
    expect((await party.browser.get(redirect)).redirect).toContain('code=');
    expect(await linked(id)).toMatchObject({ subject: 'greta', email: 'greta@mail.test', emailVerified: true });
  });

  it('signs in as Entra, whose issuer is a template', async () => {
    const { stranger, base } = await entra();
    const id = await add('entra', { base, tenants: [TENANT, OTHER_TENANT] });
    const { redirect } = await signInThere(stranger, await leave(id));
    expect((await party.browser.get(redirect)).redirect).toContain('code=');
    expect(await linked(id)).toMatchObject({ subject: `${TENANT}.${OID}`, emailVerified: true });
  });

  it('signs in as Apple, which answers by form and demands a secret for each call', async () => {
    const privateKey = await exportPKCS8(signing.privateKey);
    const id = await add('apple', { teamId: TEAM_ID, keyId: KEY_ID, privateKey });
    for (let times = 0; times < 2; times += 1) {
      const { redirect, form } = await signInThere(fruit, await leave(id));
      const user = JSON.stringify({ name: { firstName: `Greta ${times}` } });
      const { location = '' } = await world.browser().request('POST', redirect, { ...form, user });
      expect((await party.browser.get(location)).redirect).toContain('code=');
    }
    expect(await linked(id)).toMatchObject({ subject: 'greta', email: 'greta@mail.test', firstName: 'Greta 0' });
    expect([secretsSeen.length, new Set(secretsSeen).size]).toEqual([2, 2]);
  });
});
