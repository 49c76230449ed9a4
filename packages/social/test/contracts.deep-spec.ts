import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { type IdpKindContractInput, idpKindContract, startWorld, type World } from 'gatehouse/testing';
import { exportPKCS8, generateKeyPair } from 'jose';
import { LOCAL, socialAt } from './support/social-world.js';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  KEY_ID,
  objectIdOf,
  TEAM_ID,
  TENANT,
  type Vendor,
  Vendors,
} from './support/vendors.js';

const places = { google: '', apple: '' };
const held: { vendors?: Vendors; world?: World } = {};
const signing = await generateKeyPair('ES256', { extractable: true });
const appleKey = await exportPKCS8(signing.privateKey);

function vendors(): Vendors {
  if (!held.vendors) throw new Error('The vendors have not started.');
  return held.vendors;
}

function world(): World {
  if (!held.world) throw new Error('The world has not started.');
  return held.world;
}

const input = (vendor: Vendor, settings: () => Readonly<Record<string, unknown>>): IdpKindContractInput => ({
  kind: `ext:social-${vendor}`,
  get settings() {
    return settings();
  },
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  answerTo: (url, account) => vendors().answerTo(url, account),
  ...(vendor === 'entra' ? { subjectOf: ({ subject }) => `${TENANT}.${objectIdOf(subject)}` } : {}),
  misbehave: (how) => {
    vendors().misdeed = how;
  },
  requests: () => vendors().requests,
});

beforeAll(async () => {
  held.vendors = await Vendors.start(signing.publicKey, () => held.world?.clock.now() ?? new Date());
  Object.assign(places, { google: vendors().at('google'), apple: vendors().at('apple') });
  held.world = await startWorld({ extensions: [socialAt(places)], env: LOCAL });
});
afterAll(async () => {
  await held.world?.close();
  await held.vendors?.close();
});

describe.each<[Vendor, () => Readonly<Record<string, unknown>>]>([
  ['google', () => ({})],
  ['entra', () => ({ base: vendors().at('entra'), tenants: [TENANT] })],
  ['github', () => ({ base: vendors().at('github') })],
  ['gitlab', () => ({ base: vendors().at('gitlab') })],
  ['apple', () => ({ teamId: TEAM_ID, keyId: KEY_ID, privateKey: appleKey })],
  [
    'oauth',
    () => ({
      authorizationEndpoint: `${vendors().at('oauth')}/authorize`,
      tokenEndpoint: `${vendors().at('oauth')}/token`,
      userEndpoint: `${vendors().at('oauth')}/me`,
      idAttribute: 'id',
      userNameAttribute: 'login',
      emailAttribute: '/mail/address',
      emailVerifiedAttribute: '/mail/verified',
      trustsEmailVerified: true,
    }),
  ],
])('The kind of %s', (vendor, settings) => {
  it.each(idpKindContract(world, input(vendor, settings)))('$name', async ({ run }) => {
    await run();
  });
});
