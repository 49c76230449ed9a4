import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Secret as Seed } from 'otpauth';
import { convertKeycloak } from '../../src/migration/convert/keycloak/keycloak.js';
import { USUAL_PEOPLE } from '../../src/migration/convert/people-settings.js';
import { Report } from '../../src/migration/convert/report.js';
import { App } from '../login/factor-turns.js';
import { pageOf } from '../login/turns.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { canonical } from './document.js';
import {
  OTP_SECRET,
  PASSWORD,
  people,
  realm,
  SYNC_SECRET,
  WEB_SECRET,
  writeFolder,
  writeSingleFile,
} from './keycloak-export.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-keycloak-'));
const world = await startWorld();
let api: AdminApi;
let single: string;
let report: Report;
let document: { orgs: Array<Record<string, any>> }; // oxlint-disable-line typescript/no-explicit-any -- a document is looked at in every way here

async function convert(paths: string[], into = new Report('keycloak'), realms: string[] = []): Promise<string> {
  let text = '';
  for await (const piece of convertKeycloak({ paths, realms, people: USUAL_PEOPLE }, into)) text += piece;
  return text;
}

beforeAll(async () => {
  api = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
  report = new Report('keycloak');
  single = writeSingleFile(folder);
  document = JSON.parse(await convert([single], report));
  for (const secret of [PASSWORD, WEB_SECRET, SYNC_SECRET, OTP_SECRET]) world.plant(secret);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

const org = (): Record<string, any> => document.orgs[0]!; // oxlint-disable-line typescript/no-explicit-any -- as above
const noted = (): Map<string, { count: number; examples: string[] }> =>
  new Map(
    (report.toJson() as { notCarried: Array<{ kind: string; count: number; examples: string[] }> }).notCarried.map(
      ({ kind, ...note }) => [kind, note],
    ),
  );

describe('A Keycloak realm becomes an organization of the document', () => {
  it('keeps its id, its name and its policies', () => {
    expect(org()).toMatchObject({
      orgId: realm['id'],
      org: { name: 'Birkenhof Logistik' },
      orgState: 'ORG_STATE_ACTIVE',
      lockoutPolicy: { maxPasswordAttempts: 12 },
      passwordComplexityPolicy: { minLength: '12', hasNumber: true },
      loginPolicy: {
        allowUsernamePassword: true,
        allowExternalIdp: true,
        secondFactors: ['SECOND_FACTOR_TYPE_OTP', 'SECOND_FACTOR_TYPE_U2F'],
      },
    });
    expect(org()['loginPolicy'].allowRegister).toBeUndefined();
  });

  it('has one project, whose roles are those of the realm and of its clients', () => {
    expect(org()['projects']).toHaveLength(1);
    expect(org()['projectRoles'].map(({ roleKey, group = '' }: Json) => [roleKey, group])).toEqual([
      ['dispatcher', ''],
      ['viewer', ''],
      ['member', ''],
      ['tour-web:planner', 'tour-web'],
      ['tour-web:reader', 'tour-web'],
      ['tour-web:writer', 'tour-web'],
    ]);
  });

  it('gives users their roles and the roles that these include', () => {
    const keysOf = (userId: unknown): string[] =>
      org()['userGrants'].find((grant: Json) => grant['userId'] === userId)?.roleKeys;
    expect(keysOf(people.sha256['id'])).toEqual([
      'dispatcher',
      'member',
      'tour-web:planner',
      'tour-web:reader',
      'viewer',
    ]);
    expect(keysOf(people.sha512['id'])).toBeUndefined();
    expect(keysOf(people.sha1['id'])).toEqual(['member']);
  });

  it('has its groups with their members, and grants them their roles and those of all parent groups', () => {
    expect(org()['groups']).toEqual([
      { groupId: 'g1', name: '/staff' },
      { groupId: 'g2', name: '/staff/berlin' },
    ]);
    expect(org()['groupMembers']).toEqual([{ groupId: 'g2', userId: people.sha256['id'] }]);
    expect(org()['groupGrants'].map(({ groupId, roleKeys }: Json) => [groupId, roleKeys])).toEqual([
      ['g1', ['tour-web:writer']],
      ['g2', ['tour-web:writer']],
    ]);
  });

  it('keeps its clients with their ids and secrets, as applications, APIs and service users', () => {
    expect(org()['oidcApps'].map((app: Json) => app['clientId'])).toEqual([
      'tour-web',
      'tour-spa',
      'tour-app',
      'short',
    ]);
    expect(org()['oidcApps'][0]).toMatchObject({
      appId: 'id-of-tour-web',
      app: {
        name: 'Tours',
        redirectUris: [
          'https://touren.test/callback',
          'https://touren.test/',
          'https://touren.test',
          'http://127.0.0.1:9/callback',
        ],
        additionalOrigins: ['https://mehr.test'],
        postLogoutRedirectUris: [
          'https://touren.test/bye',
          'https://touren.test/callback',
          'https://touren.test/',
          'https://touren.test',
          'http://127.0.0.1:9/callback',
        ],
        accessTokenLifetime: '600s',
        backChannelLogoutUri: 'https://touren.test/back',
        requestUris: ['https://touren.test/request.jwt#1'],
        signedUserinfo: true,
      },
    });
    // A web application that authenticates by the header is what an application is if the document says nothing else.
    expect(org()['oidcApps'][0].app).not.toHaveProperty('appType');
    expect(org()['oidcApps'][0].app).not.toHaveProperty('authMethodType');
    expect(org()['oidcApps'][1].app).toMatchObject({
      name: 'tour-spa',
      appType: 'OIDC_APP_TYPE_USER_AGENT',
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
    });
    expect(org()['oidcApps'][2].app).toMatchObject({
      appType: 'OIDC_APP_TYPE_NATIVE',
      redirectUris: ['com.birkenhof.tours:/callback'],
    });
    expect(org()['apiApps'].map((app: Json) => app['clientId'])).toEqual(['tour-api']);
    expect(org()['machineUsers']).toMatchObject([
      { userId: '82670008-bf17-4bd9-b45c-6a26c76ddaae', user: { userName: 'tour-sync', description: 'nightly' } },
    ]);
  });

  it('keeps token exchange, which public clients do not have', () => {
    const exchanges = (app: Json): boolean => JSON.stringify(app).includes('OIDC_GRANT_TYPE_TOKEN_EXCHANGE');
    expect(org()['oidcApps'].slice(0, 2).map(exchanges)).toEqual([true, false]);
  });

  it('keeps the typ of access tokens: JWT, unless the client was set to RFC 9068', () => {
    const [first, second] = org()['oidcApps'] as Json[];
    const typeOf = (app: Json): unknown => (app['app'] as Json)['accessTokenHeaderType'];
    expect([typeOf(first!), typeOf(second!)]).toEqual([
      'ACCESS_TOKEN_HEADER_TYPE_JWT',
      'ACCESS_TOKEN_HEADER_TYPE_AT_JWT',
    ]);
    expect(org()['machineUsers'][0].user).toMatchObject({ accessTokenHeaderType: 'ACCESS_TOKEN_HEADER_TYPE_JWT' });
  });

  it('is the same from one file and from a folder with user files, without the realm that administers the others', async () => {
    const fromFolder = JSON.parse(await convert([writeFolder(folder)]));
    expect(canonical(fromFolder)).toEqual(canonical(document));
  });

  it('is chosen by name in a file of several realms', async () => {
    const path = join(folder, 'all.json');
    writeFileSync(
      path,
      JSON.stringify([
        { ...realm, realm: 'other', id: 'other', users: [people.sha1] },
        { ...realm, users: [people.sha512, people.argon2] },
      ]),
    );
    const { orgs } = JSON.parse(await convert([path], new Report('keycloak'), ['birkenhof']));
    expect(
      orgs.map(({ orgId, humanUsers }: Json) => [orgId, (humanUsers as Json[]).map(({ userId }) => userId)]),
    ).toEqual([[realm['id'], [people.sha512['id'], people.argon2['id']]]]);
    await expect(convert([path], new Report('keycloak'), ['nobody'])).rejects.toThrow(
      'There is no realm nobody in these files, but other, birkenhof.',
    );
  });

  it('is refused if the file is truncated, is not valid JSON, or contains no realm', async () => {
    for (const [name, text, message] of [
      ['cut.json', '{"realm":"x","users":[{"id":', 'ends too early'],
      ['text.json', 'hello', 'is not valid JSON'],
      ['empty.json', '{}', 'no realm'],
      ['users.json', '[1,2]', 'no realm'],
    ] as const) {
      writeFileSync(join(folder, name), text);
      await expect(convert([join(folder, name)])).rejects.toThrow(message);
    }
  });
});

describe('The report names everything that has no counterpart', () => {
  it.each([
    ['Clients of the protocol saml: left out', 1, 'saml-thing'],
    ['Identity providers of the kind github: left out with their links', 1, 'hub'],
    ['Links to identity providers that are left out', 1, 'ilse hub'],
    [
      'Redirect URIs with a wildcard: only the URI before it is kept; register the others that are in use',
      1,
      'tour-web https://touren.test/* as https://touren.test/ https://touren.test',
    ],
    [
      'Clients whose secret has fewer than 32 characters: stored with a slow hash; replace it with a generated one',
      1,
      'short',
    ],
    ['Service accounts of clients that users sign in to: add a service user for them', 1, 'short'],
    ['Clients that may exchange passwords for tokens: not supported', 1, 'tour-web'],
    ['Client attribute: pkce.code.challenge.method', 1, 'tour-web'],
    ['Mappers of claims', 1, 'tour-web department'],
    ['Web origins that are not valid: left out', 1, 'tour-web *'],
    ['Request URIs that cannot be used here: left out', 2, 'tour-web https://touren.test/requests/*'],
    ['Clients with signed userinfo: here it is signed as ID tokens are', 1, 'tour-web RS256'],
    ['Role: attributes', 1, 'tour-web:writer'],
    ['Group: attributes', 1, '/staff'],
    ['Identity providers whose client secret is missing from the export: set it', 1, 'partner'],
    ['Identity provider: trustEmail', 1, 'partner'],
    [
      'Passkeys and security keys of a realm that does not name their domain: left out. Convert with --rp-id: the host of the address of Keycloak',
      1,
      'gerd',
    ],
    ['Credentials of the type recovery-authn-codes: must be set up again', 1, 'gerd'],
    ['Passwords hashed by md9: the user must choose a new one', 1, 'gerd'],
    [
      'One-time codes other than time-based ones of 6 digits, 30 seconds and SHA-1: the app must be set up again',
      1,
      'gerd',
    ],
    ['Users with the required action CONFIGURE_TOTP: not asked for it', 1, 'bodo'],
    ['User: clientConsents', 1, 'gerd'],
    ['User: createdTimestamp', 7, 'ilse'],
    ['Memberships of groups that are missing from the export', 1, 'gerd /gone'],
    ['E-mail addresses that are not valid: left out', 1, 'gerd'],
    ['Profile: pictureUrl that is not valid: left out', 1, 'gerd'],
    ['Phone numbers without a country code: left out', 1, 'gerd'],
    ['Password rules', 2, 'hashIterations'],
    ['Realm setting: smtpServer', 1, 'birkenhof'],
    ['Realm setting: components', 1, 'birkenhof'],
  ])('%s', (kind, count, example) => {
    expect(noted().get(kind)?.count).toBe(count);
    expect(noted().get(kind)?.examples).toContain(example);
  });

  it('and contains no secret', () => {
    const text = `${JSON.stringify(report.toJson())}${report.toText()}`;
    for (const secret of [PASSWORD, WEB_SECRET, SYNC_SECRET, OTP_SECRET, '$pbkdf2', '$argon2'])
      expect(text).not.toContain(secret);
    expect(report.toText()).toContain('Written: 1 organizations');
  });
});

describe('The document converted from a Keycloak realm is imported unchanged', () => {
  let client: RelyingParty;

  beforeAll(async () => {
    const answer = await api.call('POST', '/admin/v1/import', { data_orgs: document });
    expect(answer['errors']).toEqual([]);
    client = new RelyingParty(world, {
      id: 'id-of-tour-web',
      clientId: 'tour-web',
      authMethod: 'client_secret_basic',
      redirectUri: 'https://touren.test/callback',
      responseType: 'code',
      secret: WEB_SECRET,
      key: undefined,
    });
  });

  it.each(['sha256', 'sha512', 'sha1', 'byHand', 'old'] as const)(
    'and a user whose password was stored as %s signs in with it',
    async (kind) => {
      const elsewhere = client.elsewhere();
      const { id, username, email } = people[kind] as { id: string; username: string; email: string };
      const tokens = await elsewhere.tokens({
        id,
        orgId: org()['orgId'],
        userName: username,
        loginName: username,
        email,
        password: PASSWORD,
      });
      expect((await elsewhere.verify(tokens.id_token)).sub).toBe(id);
      const roles = Object.keys(decodeJwt(tokens.access_token)['urn:service:iam:org:project:roles'] ?? {}).sort();
      const ownRoles = org()['userGrants'].find((grant: Json) => grant['userId'] === id)?.roleKeys ?? [];
      const memberships: Json[] = org()['groupMembers'].filter(({ userId }: Json) => userId === id);
      const groups = memberships.map(({ groupId }) => groupId);
      const roleKeys = org()['groupGrants'].flatMap((grant: Json) =>
        groups.includes(grant['groupId']) ? grant['roleKeys'] : [],
      );
      expect(roles).toEqual([...new Set([...ownRoles, ...roleKeys])].sort());
    },
  );

  it('and a user with an authenticator app is asked for its code', async () => {
    const elsewhere = client.elsewhere();
    const app = new App(world, new Seed({ buffer: new Uint8Array(Buffer.from(OTP_SECRET)).buffer }).base32);
    const asked = await elsewhere.enter(await elsewhere.authorize(), { loginName: 'dora', password: PASSWORD });
    const page = pageOf(asked);
    expect(page.title).toContain('Enter your code');
    const arrival = await elsewhere.browser.submit(page, { code: app.code() });
    expect(elsewhere.toAnswer(arrival).code).toBeDefined();
  });

  it('and a service user gets a token with its previous id and secret', async () => {
    const sync = new RelyingParty(world, { ...client.client, clientId: 'tour-sync', secret: SYNC_SECRET });
    expect((await sync.post('/oauth/v2/token', { grant_type: 'client_credentials', scope: 'openid' })).status).toBe(
      200,
    );
  });

  it('and an application keeps its short secret', async () => {
    const short = new RelyingParty(world, {
      ...client.client,
      id: 'id-of-short',
      clientId: 'short',
      secret: 'secret',
      redirectUri: 'https://short.test/callback',
    });
    const { id, username, email } = people.sha256 as { id: string; username: string; email: string };
    const code = await short.code({
      id,
      orgId: org()['orgId'],
      userName: username,
      loginName: username,
      email,
      password: PASSWORD,
    });
    expect((await short.redeem(code, { redirect_uri: 'https://short.test/callback' })).status).toBe(200);
    const guesser = new RelyingParty(world, { ...short.client, secret: 'Secret' });
    expect((await guesser.post('/oauth/v2/token', { grant_type: 'client_credentials' })).status).toBe(401);
  });

  it('and nothing changes when it is imported again', async () => {
    const before = await world.contents();
    expect(
      (await api.call('POST', '/admin/v1/import', { data_orgs: JSON.parse(await convert([single])) }))['errors'],
    ).toEqual([]);
    expect(await world.contents()).toBe(before);
  });
});
