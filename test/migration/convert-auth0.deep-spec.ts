import { pbkdf2Sync, scryptSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashSync as argon2HashSync } from '@node-rs/argon2';
import { hashSync } from '@node-rs/bcrypt';
import { type Auth0Source, convertAuth0 } from '../../src/migration/convert/auth0/auth0.js';
import { USUAL_PEOPLE } from '../../src/migration/convert/people-settings.js';
import { Report } from '../../src/migration/convert/report.js';
import { App } from '../login/factor-turns.js';
import { pageOf } from '../login/turns.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';

const PASSWORD = 'Correct-Horse-7';
const SEED = 'NB2W45DFOIZA2345NB2W45DFOIZA2345';
const BCRYPT = hashSync(PASSWORD, { cost: 10 });
const plain = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

const user = (id: string, over: Json = {}): Json => ({
  user_id: `auth0|${id}`,
  email: `${id}@auth0.test`,
  email_verified: true,
  name: `Ilse Maria ${id}`,
  nickname: id,
  picture: `https://s.gravatar.com/avatar/${id}`,
  created_at: '2019-12-06T18:36:12.412Z',
  updated_at: '2024-01-01T00:00:00.000Z',
  last_login: '2024-01-01T00:00:00.000Z',
  logins_count: 7,
  identities: [{ user_id: id, provider: 'auth0', connection: 'Username-Password-Authentication', isSocial: false }],
  ...over,
});

/** As `POST /api/v2/jobs/users-exports` writes them, one on each line. */
const exported = [
  user('5dea9f9c82dd7c0e76e4ec93', {
    given_name: 'Ilse',
    family_name: 'Brandt',
    user_metadata: { depot: 'Berlin', likes: ['tea', '\u2028'] },
    app_metadata: { plan: 'gold' },
    locale: 'de',
  }),
  user('euclid', { username: 'euclid', multifactor: ['guardian'] }),
  user('blocked', {
    blocked: true,
    identities: [
      { user_id: 'blocked', provider: 'auth0', connection: 'Username-Password-Authentication' },
      { user_id: 1234, provider: 'github', connection: 'github', isSocial: true, profileData: { name: 'ilse-hub' } },
    ],
  }),
  {
    ...user('x'),
    user_id: 'google-oauth2|1098',
    email: 'EUCLID@auth0.test',
    identities: [{ user_id: '1098', provider: 'google-oauth2', connection: 'google-oauth2', isSocial: true }],
  },
  {
    ...user('x'),
    user_id: 'oidc|partner|u-4471',
    email: 'euclid@auth0.test',
    identities: [{ user_id: 'partner|u-4471', provider: 'oidc', connection: 'partner', isSocial: false }],
  },
  { email: 'nobody@auth0.test' },
];
/** As Auth0's support sends it. */
const hashes = [
  {
    _id: { $oid: '5dea9f9c82dd7c0e76e4ec93' },
    email_verified: true,
    email: 'x@auth0.test',
    passwordHash: BCRYPT,
    password_set_date: { $date: '2019-12-06T18:36:12.412Z' },
    tenant: 'birkenhof',
    connection: 'Username-Password-Authentication',
    _tmp_is_unique: true,
  },
  {
    _id: { $oid: '5dea9f9c82dd7c0e76e4ec94' },
    alt_id: 'euclid',
    email: 'euclid@auth0.test',
    passwordHash: BCRYPT.replace('$2b$', '$2a$'),
    tenant: 'birkenhof',
    connection: 'Username-Password-Authentication',
  },
  { _id: { $oid: 'gone' }, passwordHash: BCRYPT, tenant: 'birkenhof' },
  { _id: { $oid: 'social' }, tenant: 'birkenhof' },
];
/** As files for Auth0's own import, with any imported hash that has not been used since. */
const custom = (id: string, algorithm: string, hash: Json, over: Json = {}): Json =>
  user(id, { custom_password_hash: { algorithm, hash, ...over } });
const imported = [
  user('totp', {
    password_hash: BCRYPT,
    mfa_factors: [
      { totp: { secret: SEED } },
      { email: { value: 'totp@auth0.test' } },
      { phone: { value: '+49301234567' } },
    ],
  }),
  custom('argon2', 'argon2', {
    value: argon2HashSync(PASSWORD, { algorithm: 2, memoryCost: 4_096, timeCost: 3, parallelism: 1 }),
    encoding: 'utf8',
  }),
  custom('pbkdf2', 'pbkdf2', {
    value: `$pbkdf2-sha512$i=100000,l=64$${plain(Buffer.from('some salt'))}$${plain(pbkdf2Sync(PASSWORD, 'some salt', 100_000, 64, 'sha512'))}`,
    encoding: 'utf8',
  }),
  custom(
    'scrypt',
    'scrypt',
    { value: scryptSync(PASSWORD, 'pepper', 64, { N: 16_384, r: 8, p: 1 }).toString('hex'), encoding: 'hex' },
    { salt: { value: 'pepper', encoding: 'utf8' }, keylen: 64, cost: 16_384, blockSize: 8, parallelization: 1 },
  ),
  custom('sha512', 'sha512', { value: '5f4dcc3b5aa765d61d8327deb882cf99', encoding: 'hex' }),
  user('weak', { password_hash: '$2b$31$' }),
];

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-auth0-'));
const world = await startWorld();
let api: AdminApi;
let client: RelyingParty;
let source: Auth0Source;
let report: Report;
let document: {
  // oxlint-disable-next-line typescript/no-explicit-any -- a document is looked at in every way here
  orgs: Array<{ humanUsers: Array<Record<string, any>>; userMetadata: Json[]; [member: string]: unknown }>;
};

async function convert(from: Auth0Source, into: Report): Promise<typeof document> {
  let text = '';
  for await (const piece of convertAuth0(from, into)) text += piece;
  return JSON.parse(text);
}

beforeAll(async () => {
  for (const secret of [PASSWORD, SEED, BCRYPT]) world.plant(secret);
  api = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
  client = new RelyingParty(world, await world.cast.web1);
  const { idpId: google } = await api.call('POST', '/admin/v1/idps/oidc', {
    name: 'Google',
    clientId: 'g',
    clientSecret: 's',
    issuer: 'https://accounts.google.com',
    scopes: ['openid'],
  });
  const lines = (list: readonly Json[]): string => list.map((each) => JSON.stringify(each)).join('\n');
  writeFileSync(join(folder, 'users.ndjson.gz'), gzipSync(`\ufeff${lines(exported)}\n\n`));
  writeFileSync(join(folder, 'import.json'), JSON.stringify(imported, undefined, 2));
  writeFileSync(join(folder, 'hashes.ndjson'), lines(hashes));
  source = {
    users: [join(folder, 'users.ndjson.gz'), join(folder, 'import.json')],
    passwords: [join(folder, 'hashes.ndjson')],
    orgId: 'auth0-birkenhof',
    orgName: 'Birkenhof',
    connections: new Map([['google-oauth2', google as string]]),
    people: USUAL_PEOPLE,
  };
  report = new Report('auth0');
  document = await convert(source, report);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

// oxlint-disable-next-line typescript/no-explicit-any -- as above
const human = (userId: string): Record<string, any> =>
  document.orgs[0]!.humanUsers.find((each) => each['userId'] === userId)!;
const noted = (kind: string): { count: number; examples: string[] } | undefined =>
  (report.toJson() as { notCarried: Array<{ kind: string; count: number; examples: string[] }> }).notCarried.find(
    (note) => note.kind === kind,
  );

describe('An Auth0 export becomes an organization of the document', () => {
  it('keeps the ids of users, and so their subjects', () => {
    expect(document.orgs[0]).toMatchObject({ orgId: 'auth0-birkenhof', org: { name: 'Birkenhof' } });
    expect(document.orgs[0]!.humanUsers.map(({ userId }) => userId as string)).toEqual(
      [
        'auth0|5dea9f9c82dd7c0e76e4ec93',
        'auth0|euclid',
        'auth0|blocked',
        'google-oauth2|1098',
        'oidc|partner|u-4471',
        'auth0|totp',
        'auth0|argon2',
        'auth0|pbkdf2',
        'auth0|scrypt',
        'auth0|sha512',
        'auth0|weak',
      ].flatMap((id) => (id === 'auth0|totp' ? [expect.stringMatching(/^auth0-[0-9a-f]{24}$/), id] : [id])),
    );
  });

  it('contains names, e-mail addresses, and hashes from the password file, found by either id', () => {
    expect(human('auth0|5dea9f9c82dd7c0e76e4ec93')).toMatchObject({
      state: 'USER_STATE_ACTIVE',
      user: {
        userName: '5dea9f9c82dd7c0e76e4ec93@auth0.test',
        profile: { firstName: 'Ilse', lastName: 'Brandt', preferredLanguage: 'de' },
        email: { isEmailVerified: true },
        hashedPassword: { value: BCRYPT },
      },
    });
    expect(human('auth0|euclid').user).toMatchObject({
      userName: 'euclid',
      profile: { firstName: 'Ilse Maria', lastName: 'euclid' },
      hashedPassword: { value: BCRYPT.replace('$2b$', '$2a$') },
    });
    expect(human('auth0|blocked').state).toBe('USER_STATE_INACTIVE');
  });

  it('contains links for the connections that have an identity provider here', () => {
    expect(human('google-oauth2|1098').user.idps).toMatchObject([
      { configId: source.connections.get('google-oauth2'), externalUserId: '1098' },
    ]);
    expect(human('oidc|partner|u-4471').user.idps).toBeUndefined();
  });

  it('contains as metadata what applications stored about users', () => {
    const metadata = document.orgs[0]!.userMetadata.map(({ key, value }) => [
      key,
      Buffer.from(value as string, 'base64').toString(),
    ]);
    expect(metadata).toEqual([
      ['user_metadata.depot', 'Berlin'],
      ['user_metadata.likes', '["tea","\u2028"]'],
      ['app_metadata.plan', 'gold'],
    ]);
  });

  it.each([
    ['Identities of the connection github: say which identity provider it is here', 1, 'auth0|blocked'],
    ['Identities of the connection partner: say which identity provider it is here', 1, 'oidc|partner|u-4471'],
    ['Second factors whose seed is missing from the export: must be set up again', 1, 'auth0|euclid'],
    [
      'Users whose user name is already taken: the id becomes the user name, and the e-mail address is kept',
      1,
      'oidc|partner|u-4471',
    ],
    [
      "Users without an id, as in files for Auth0's own import: the id is derived from the e-mail address, and is the same each time",
      1,
      'nobody@auth0.test',
    ],
    ['Passwords of users who are missing from the export', 1, 'auth0|gone'],
    ['Entries of the password file without an id or a hash', 1, 'social'],
    [
      'Passwords hashed by sha512: the user must choose a new one. Accepted are argon2, bcrypt, pbkdf2 and scrypt, MD5 alone or with a salt, and every hash in modular form, such as `$argon2id$…`',
      1,
      'auth0|sha512',
    ],
    ['Second factors of the kind phone: must be set up again', 1, 'auth0|totp'],
    [
      'Password hashes of bcrypt: a hash must be $2b$<cost>$<22 characters of salt><31 of hash>; the user must choose a new password',
      1,
      'weak@auth0.test',
    ],
    ['User: logins_count', 11, 'auth0|euclid'],
  ])('has a report that contains: %s', (kind, count, example) => {
    expect(noted(kind)?.count).toBe(count);
    expect(noted(kind)?.examples).toContain(example);
  });

  it('has a report without secrets', () => {
    expect(world.secretsIn(`${JSON.stringify(report.toJson())}${report.toText()}`)).toEqual([]);
  });

  it('is refused if a line is not valid JSON: the message names the line and does not quote it', async () => {
    writeFileSync(join(folder, 'broken.ndjson'), `${JSON.stringify(hashes[0])}\n{"passwordHash":"${BCRYPT}"`);
    const work = convert({ ...source, passwords: [join(folder, 'broken.ndjson')] }, new Report('auth0'));
    await expect(work).rejects.toThrow(/broken\.ndjson is not valid JSON at line 2, column \d+\.$/);
  });
});

describe('The document converted from an Auth0 export is imported unchanged', () => {
  beforeAll(async () => {
    expect((await api.call('POST', '/admin/v1/import', { data_orgs: document }))['errors']).toEqual([]);
  });

  it.each([
    '5dea9f9c82dd7c0e76e4ec93@auth0.test',
    'euclid',
    'argon2@auth0.test',
    'pbkdf2@auth0.test',
    'scrypt@auth0.test',
  ])('and %s signs in with the previous password', async (loginName) => {
    const elsewhere = client.elsewhere();
    expect(
      elsewhere.toAnswer(await elsewhere.enter(await elsewhere.authorize(), { loginName, password: PASSWORD })).code,
    ).toBeDefined();
  });

  it('and a user with an authenticator app is asked for its code', async () => {
    const elsewhere = client.elsewhere();
    const page = pageOf(
      await elsewhere.enter(await elsewhere.authorize(), { loginName: 'totp@auth0.test', password: PASSWORD }),
    );
    expect(page.title).toContain('Enter your code');
    expect(
      elsewhere.toAnswer(await elsewhere.browser.submit(page, { code: new App(world, SEED).code() })).code,
    ).toBeDefined();
  });

  it('and users keep their links to identity providers', async () => {
    expect(
      await world.rows(`SELECT external_user_id AS id FROM idp_link WHERE user_id = 'google-oauth2|1098'`),
    ).toEqual([{ id: '1098' }]);
  });

  it('and nothing changes when it is converted and imported again', async () => {
    const before = (await world.contents()).replace(/^signing_key .*$/gm, '');
    expect(
      (await api.call('POST', '/admin/v1/import', { data_orgs: await convert(source, new Report('auth0')) }))['errors'],
    ).toEqual([]);
    expect((await world.contents()).replace(/^signing_key .*$/gm, '')).toBe(before);
  });
});
