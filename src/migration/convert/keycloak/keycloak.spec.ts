import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../../../foundation/config/secret.js';
import { PasswordHash } from '../../../foundation/password/password-hash.js';
import { type PeopleSettings, USUAL_PEOPLE } from '../people-settings.js';
import { Report } from '../report.js';
import { convertKeycloak } from './keycloak.js';

interface Noted {
  readonly kind: string;
  readonly important: boolean;
  readonly examples: readonly string[];
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-realm-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PASSWORD = [{ type: 'password', value: 'Correct-Horse-7' }];
const ilse = { id: 'u1', username: 'ilse', email: 'ilse@keycloak.test', credentials: PASSWORD };
/** Self-signed, with a key on P-256. */
const CERTIFICATE = [
  'MIIBcjCCARmgAwIBAgIUO8cXPJel+SNX+1ixRt8bhBLUm/owCgYIKoZIzj0EAwIwDjEMMAoGA1UEAwwDd2ViMCAXDTI2MTEyMzAy',
  'MTYwNFoYDzIxMjYxMDMwMDIxNjA0WjAOMQwwCgYDVQQDDAN3ZWIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARMNE/RJifg87JE',
  '79mSYYwXFf9wHKMwNt+jBYHg0dn0RPXANRrEgSFJdfQF52puu39a7iwg4KYwQKrRCvQJWNCro1MwUTAdBgNVHQ4EFgQUHTZhuwK6',
  'hC+VN90vZ7MeLCApJRUwHwYDVR0jBBgwFoAUHTZhuwK6hC+VN90vZ7MeLCApJRUwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQD',
  'AgNHADBEAiA9ulgmbZimQ8QbsL8S5Kmq99WjvLvGTN6u4LJsf701jwIgRBLavgb7kTwgvnu5d/240HMXbnShAFCdTar8fhWaWe4=',
].join('');

const confidential = {
  id: 'c1',
  clientId: 'web',
  secret: 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  redirectUris: ['https://web.test/callback'],
};

/** Converts realms; returns the first organization of the document, and the report. */
async function convert(
  realms: object | readonly object[],
  people: Partial<PeopleSettings> = {},
): Promise<{ org: Any; orgs: Any[]; notes: Noted[]; report: Report }> {
  const path = join(folder, 'realm.json');
  const list = (Array.isArray(realms) ? realms : [realms]) as object[];
  writeFileSync(
    path,
    JSON.stringify(list.map((realm, index) => ({ id: `r${index}`, realm: `realm-${index}`, enabled: true, ...realm }))),
  );
  const report = new Report('keycloak');
  let text = '';
  for await (const piece of convertKeycloak(
    { paths: [path], realms: [], people: { ...USUAL_PEOPLE, ...people } },
    report,
  ))
    text += piece;
  const { orgs } = JSON.parse(text);
  return { org: orgs[0], orgs, notes: (report.toJson() as { notCarried: Noted[] }).notCarried, report };
}

type Any = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- a document is looked at in every way here
const noted = (notes: readonly Noted[], kind: RegExp): Noted | undefined => notes.find((note) => kind.test(note.kind));

describe('Roles that a realm names and does not define', () => {
  it('are made, as by Keycloak itself, whether a group, a user or another role names them', async () => {
    const { org, notes } = await convert({
      roles: { realm: [{ name: 'all', composites: { realm: ['inner'] } }] },
      groups: [{ name: 'mobile', path: '/mobile', realmRoles: ['mobile-user'], clientRoles: { api: ['access'] } }],
      users: [
        {
          ...ilse,
          groups: ['/mobile'],
          realmRoles: ['offline_access', 'dispatcher', 'all'],
          clientRoles: { account: ['view-profile'] },
        },
      ],
    });
    expect(org['projectRoles'].map(({ roleKey, group = '' }: Any) => [roleKey, group])).toEqual([
      ['all', ''],
      ['inner', ''],
      ['mobile-user', ''],
      ['api:access', 'api'],
      ['dispatcher', ''],
    ]);
    expect(org['userGrants'][0].roleKeys).toEqual(['all', 'dispatcher', 'inner']);
    expect(org['groupGrants'][0].roleKeys).toEqual(['api:access', 'mobile-user']);
    expect(noted(notes, /does not define/)?.examples).toEqual(['inner', 'mobile-user', 'api:access', 'dispatcher']);
  });
});

describe('Groups', () => {
  it('have their paths as names, their members, and the roles of the groups around them', async () => {
    const { org, notes } = await convert({
      roles: { realm: [{ name: 'clock', composites: { realm: ['door'] } }, { name: 'door' }, { name: 'oven' }] },
      groups: [
        {
          id: 'g1',
          name: 'staff',
          path: '/staff',
          description: 'all of us',
          realmRoles: ['clock'],
          subGroups: [{ id: 'g2', name: 'bakers', path: '/staff/bakers', realmRoles: ['oven'] }],
        },
        { name: 'STAFF', path: '/STAFF' },
        { name: 'x'.repeat(201), path: `/${'x'.repeat(201)}` },
      ],
      users: [{ ...ilse, groups: ['/staff/bakers', '/gone'] }],
    });
    expect(org['groups']).toEqual([
      { groupId: 'g1', name: '/staff', description: 'all of us' },
      { groupId: 'g2', name: '/staff/bakers' },
    ]);
    expect(org['groupMembers']).toEqual([{ groupId: 'g2', userId: org['humanUsers'][0].userId }]);
    expect(org['groupGrants'].map(({ groupId, roleKeys }: Any) => [groupId, roleKeys])).toEqual([
      ['g1', ['clock', 'door']],
      ['g2', ['clock', 'door', 'oven']],
    ]);
    expect(noted(notes, /case only/)?.examples).toEqual(['/STAFF']);
    expect(noted(notes, /^Groups with names/)).toBeDefined();
    expect(noted(notes, /missing from the export/)?.examples).toEqual(['ilse /gone']);
  });
});

describe('A redirect URI with a wildcard', () => {
  const addresses = async (client: object): Promise<string[]> =>
    (await convert({ users: [ilse], clients: [{ ...confidential, ...client }] })).org['oidcApps'][0].app.redirectUris ??
    [];

  it.each<[string, object, string[]]>([
    ['keeps the address before it', { redirectUris: ['http://localhost:8080/*'] }, ['http://localhost:8080/']],
    [
      'keeps what stands before it, to the letter',
      { redirectUris: ['https://web.test/app*', 'https://web.test*'] },
      ['https://web.test/app', 'https://web.test'],
    ],
    [
      'keeps the addresses of the client that it covers',
      { baseUrl: 'https://web.test/app/home', redirectUris: ['https://web.test/app/*'] },
      ['https://web.test/app/', 'https://web.test/app/home'],
    ],
    [
      'does not make those of the client valid that it does not cover',
      { baseUrl: 'https://other.test/', redirectUris: ['https://web.test/*'] },
      ['https://web.test/'],
    ],
    [
      'is below the root when it is a path',
      { rootUrl: 'https://web.test/', baseUrl: '/home', redirectUris: ['/*'] },
      ['https://web.test/', 'https://web.test/home'],
    ],
    [
      'is the client alone when it is everything',
      { rootUrl: 'https://web.test', redirectUris: ['*'] },
      ['https://web.test'],
    ],
    ['is left out if it cannot be made exact', { redirectUris: ['*', 'https://*.web.test/callback'] }, []],
    [
      'keeps a custom scheme to what is exact',
      { publicClient: true, redirectUris: ['com.birkenhof.tours:/callback', 'com.birkenhof.tours:/*'] },
      ['com.birkenhof.tours:/callback'],
    ],
  ])('%s', async (_, client, expected) => {
    expect(await addresses(client)).toEqual(expected);
  });

  it('is reported each, and a client that keeps none is important', async () => {
    const { notes } = await convert({
      users: [ilse],
      clients: [
        { ...confidential, redirectUris: ['http://localhost:8080/*'] },
        { ...confidential, id: 'c2', clientId: 'any', redirectUris: ['*'] },
      ],
    });
    expect(noted(notes, /with a wildcard/)).toMatchObject({
      important: false,
      examples: ['web http://localhost:8080/* as http://localhost:8080/'],
    });
    expect(noted(notes, /cannot be made exact/)?.examples).toEqual(['any *']);
    expect(noted(notes, /left without a redirect URI/)).toMatchObject({ important: true, examples: ['any'] });
  });

  it('does not make a client native that has a path alone', async () => {
    const { org } = await convert({
      users: [ilse],
      clients: [{ ...confidential, publicClient: true, redirectUris: ['/callback', 'localhost:8080/*'] }],
    });
    expect(org['oidcApps'][0].app.appType).toBe('OIDC_APP_TYPE_USER_AGENT');
  });
});

describe('The secret of a client', () => {
  const secretHash = async (client: object): Promise<string> =>
    (await convert({ users: [ilse], clients: [{ ...confidential, ...client }] })).org['oidcApps'][0].secretHash;

  it('is kept as its SHA-256 when it cannot be guessed', async () => {
    expect(await secretHash({})).toBe(createHash('sha256').update(confidential.secret).digest('base64'));
  });

  it('is stored with a slow hash when it is short, with a salt of its own that is the same each time', async () => {
    const found = await secretHash({ secret: 'petstore' });
    expect(found).toMatch(/^\$argon2id\$/);
    expect(await new PasswordHash().verify(found, new Secret('petstore'))).toBe(true);
    expect(await secretHash({ secret: 'petstore' })).toBe(found);
    expect(await secretHash({ secret: 'petstore', id: 'c2' })).not.toBe(found);
  });

  it('is reported when it is short, and important when it is missing from the export', async () => {
    const { notes } = await convert({
      users: [ilse],
      clients: [
        { ...confidential, secret: 'petstore' },
        { ...confidential, id: 'c2', clientId: 'masked', secret: '**********' },
      ],
    });
    expect(noted(notes, /stored with a slow hash/)).toMatchObject({ important: false, examples: ['web'] });
    expect(noted(notes, /missing from the export: generate a new one/)).toMatchObject({
      important: true,
      examples: ['masked'],
    });
  });
});

describe('Users whose e-mail address was never verified', () => {
  const emailOf = ({ org }: { org: Any }): unknown => org['humanUsers'][0].user.email;
  const unproven = { email: 'ilse@keycloak.test' };

  it('can sign in if the realm allowed it, and the address stays unverified', async () => {
    const converted = await convert({ users: [ilse] });
    expect(emailOf(converted)).toEqual({ ...unproven, mayStayUnverified: true });
    expect(noted(converted.notes, /without verifying it, as before/)?.examples).toEqual(['ilse']);
  });

  it.each<[string, object, Partial<PeopleSettings>]>([
    ['that is asked for', {}, { mustProveEmail: true }],
    ['the realm asked them, too', { verifyEmail: true }, {}],
    ['Keycloak was about to ask them', { users: [{ ...ilse, requiredActions: ['VERIFY_EMAIL'] }] }, {}],
  ])('prove it when %s', async (_, realm, people) => {
    const converted = await convert({ users: [ilse], ...realm }, people);
    expect(emailOf(converted)).toEqual(unproven);
    expect(noted(converted.notes, /must enter a mailed code/)?.examples).toEqual(['ilse']);
  });

  it('set their account up, which proves it, when they have nothing to sign in with', async () => {
    const { org } = await convert({ users: [{ ...ilse, credentials: [] }] });
    expect(org['humanUsers'][0].user.email).toEqual(unproven);
    expect(org['humanUsers'][0].state).toBeUndefined();
  });
});

describe('A user called as the first administrator of an instance', () => {
  const realm = { users: [{ ...ilse, username: 'admin' }] };

  it('is named by the report, with the ways out', async () => {
    const { notes } = await convert(realm);
    expect(
      noted(notes, /FIRST_ADMIN_USERNAME=gatehouse-admin, or convert with --rename or --user-names at-domain/)
        ?.examples,
    ).toEqual(['admin']);
  });

  it('is renamed when that is asked for, whatever the case', async () => {
    const { org, notes } = await convert(realm, { renames: new Map([['Admin', 'birkenhof-admin']]) });
    expect(org['humanUsers'][0].user.userName).toBe('birkenhof-admin');
    expect(noted(notes, /FIRST_ADMIN_USERNAME/)).toBeUndefined();
  });

  it('keeps the name where names are those of the organization', async () => {
    const { org, notes } = await convert(realm, { namesAtDomain: true });
    expect(org).toMatchObject({
      domainPolicy: { userLoginMustBeDomain: true },
      humanUsers: [{ user: { userName: 'admin' } }],
    });
    expect(noted(notes, /FIRST_ADMIN_USERNAME/)).toBeUndefined();
  });
});

describe('Realms of one display name', () => {
  it('become organizations of different names, so that each has a domain', async () => {
    const { orgs, notes } = await convert([
      { displayName: 'Same', users: [ilse] },
      { displayName: 'same!', users: [ilse] },
      { displayName: 'Other', users: [ilse] },
    ]);
    expect(orgs.map(({ org }) => org.name)).toEqual(['Same', 'realm-1', 'Other']);
    expect(noted(notes, /display name of another one/)?.examples).toEqual(['realm-1 same!']);
  });
});

describe('The report', () => {
  it('names everything that was set and is not carried, of every kind of object', async () => {
    const { notes } = await convert({
      smtpServer: { host: 'x' },
      groups: [{ name: 'staff', path: '/staff', description: 'all of us' }],
      clients: [
        {
          ...confidential,
          description: 'the web',
          frontchannelLogout: true,
          protocolMappers: [{ name: 'dept' }],
          attributes: { 'pkce.code.challenge.method': 'S256' },
        },
      ],
      identityProviders: [
        {
          alias: 'partner',
          providerId: 'oidc',
          config: { issuer: 'https://sso.test', clientId: 'x', clientSecret: 's', pkceEnabled: 'true' },
          trustEmail: true,
        },
      ],
      users: [
        { ...ilse, createdTimestamp: 5, credentials: [{ ...PASSWORD[0], userLabel: 'Mine' }] },
        { username: 'service-account-web', serviceAccountClientId: 'job', attributes: { a: ['b'] } },
      ],
      roles: { client: { web: [{ name: 'reader', attributes: { a: ['b'] } }] } },
    });
    expect(
      notes
        .filter(({ kind }) => /^[A-Z][a-z ]+: [a-z.]+$/i.test(kind))
        .map(({ kind, examples }) => `${kind} ${examples.join()}`),
    ).toEqual([
      'Client attribute: pkce.code.challenge.method web',
      'Client: description web',
      'Client: frontchannelLogout web',
      'Identity provider setting: pkceEnabled partner',
      'Identity provider: trustEmail partner',
      'Realm setting: smtpServer realm-0',
      'Role: attributes web:reader',
      'User: createdTimestamp ilse',
      'User: credentials.userLabel ilse',
    ]);
  });

  it('calls a realm without users important: they were not exported', async () => {
    const { notes, report } = await convert({ clients: [confidential] });
    expect(noted(notes, /Realms without users/)).toMatchObject({ important: true, examples: ['realm-0'] });
    expect(report.hasLosses).toBe(true);
  });

  it('marks nothing as important if every user and every application keeps working', async () => {
    const { report } = await convert({ users: [ilse], clients: [confidential] });
    expect(report.hasLosses).toBe(false);
  });
});

describe('The keys of a client that authenticates with assertions', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one' };
  const byKey = (attributes: object): object => ({
    clients: [{ ...confidential, clientAuthenticatorType: 'client-jwt', attributes }],
  });

  it('come along as a URL or a key set, whichever Keycloak uses', async () => {
    const set = JSON.stringify({ keys: [jwk] });
    const url = 'https://web.test/jwks.json';
    const both = { 'jwks.url': url, 'jwks.string': set };
    const { org, notes } = await convert(byKey({ ...both, 'use.jwks.url': 'true' }));
    expect(org.oidcApps[0].app).toMatchObject({
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT',
      jwksUri: url,
    });
    expect(org.oidcApps[0].app).not.toHaveProperty('jwks');
    expect(noted(notes, /authenticate with a key/)).toBeUndefined();
    const other = await convert(byKey({ ...both, 'use.jwks.url': 'false', 'use.jwks.string': 'true' }));
    expect(other.org.oidcApps[0].app).toMatchObject({ jwks: { keys: [jwk] } });
    expect(other.org.oidcApps[0].app).not.toHaveProperty('jwksUri');
  });

  it('come along as the key of a certificate', async () => {
    const { org } = await convert(byKey({ 'jwt.credential.certificate': CERTIFICATE }));
    const { publicKey: key } = new X509Certificate(Buffer.from(CERTIFICATE, 'base64'));
    expect(org.oidcApps[0].app.jwks).toEqual({ keys: [key.export({ format: 'jwk' })] });
  });

  it.each([
    ['no key', {}],
    ['a URL that must not be called', { 'use.jwks.url': 'true', 'jwks.url': 'http://web.test/jwks' }],
    ['a text that is no key set', { 'use.jwks.string': 'true', 'jwks.string': '{"keys":' }],
  ])('are missed by name when there is %s', async (_, attributes) => {
    const { org, notes } = await convert(byKey(attributes));
    expect(org.oidcApps[0].app).toMatchObject({ authMethodType: 'OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' });
    expect(noted(notes, /authenticate with a key/)).toMatchObject({ important: true, examples: ['web'] });
  });
});
