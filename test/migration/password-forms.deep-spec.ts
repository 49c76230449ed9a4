import { pbkdf2Sync, scryptSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { PasswordHash } from '../../src/foundation/password/password-hash.js';
import { UserService } from '../../src/user/user.service.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { EDITOR } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';

const PASSWORD = 'password';
const plain = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

/**
 * Of one password, as other services have kept it: what their documentation shows, or what Node or crypt(3) computes.
 */
const FORMS: ReadonlyArray<readonly [form: string, hash: string]> = [
  ['argon2i', '$argon2i$v=19$m=512,t=2,p=2$aI2R0hpDyLm3ltLa+1/rvQ$LqPKjd6n8yniKtAithoR7A'],
  [
    'argon2id of other parameters',
    '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  ],
  ['bcrypt, 2a', '$2a$04$abcdefghijklmnopqrstuughE8Ev8uGFaUgY2cNEySvxngrb/Jzdm'],
  ['bcrypt, 2b', '$2b$04$abcdefghijklmnopqrstuughE8Ev8uGFaUgY2cNEySvxngrb/Jzdm'],
  ['bcrypt, 2y', '$2y$12$NT0I31Sa7ihGEWpka9ASYeEFkhuTNeBQ2xfZskIiiJeyFXhRgS.Sy'],
  [
    'scrypt',
    `$scrypt$ln=14,r=8,p=1$${plain(Buffer.from('a salt'))}$${plain(scryptSync(PASSWORD, 'a salt', 32, { N: 2 ** 14, r: 8, p: 1 }))}`,
  ],
  [
    'PBKDF2 with SHA-1',
    `$pbkdf2$1000$${plain(Buffer.from('a salt'))}$${plain(pbkdf2Sync(PASSWORD, 'a salt', 1_000, 20, 'sha1'))}`,
  ],
  [
    'PBKDF2 with SHA-256',
    `$pbkdf2-sha256$27500$${plain(Buffer.from('a salt'))}$${plain(pbkdf2Sync(PASSWORD, 'a salt', 27_500, 64, 'sha256'))}`,
  ],
  [
    'PBKDF2 with SHA-512',
    `$pbkdf2-sha512$i=30000,l=64$${plain(Buffer.from('a salt'))}$${plain(pbkdf2Sync(PASSWORD, 'a salt', 30_000, 64, 'sha512'))}`,
  ],
  ['SHA-256 crypt', '$5$saltstring$OH4IDuTlsuTYPdED1gsuiRMyTAwNlRWyA6Xr3I4/dQ5'],
  [
    'SHA-512 crypt',
    '$6$rounds=10000$saltstringsaltst$Qzq13AQeOS5aa8nj8fFRVn5cZkLp.t1PUmhPeygZiOwD7eFxWmcxrxGtIgnXDKoTYvTEmyGzyqVjaDGGtAurL/',
  ],
  ['md5-crypt', '$1$5pZSV9va$azfrPr6af3Fc7dLblQXVa0'],
  ['md5-crypt of Apache', '$apr1$mu9kQYxm$J1T3bNte8UCOYaqPCj73G0'],
  [
    'PBKDF2 with SHA-224',
    `$pbkdf2-sha224$1000$${plain(Buffer.from('a salt'))}$${plain(pbkdf2Sync(PASSWORD, 'a salt', 1_000, 28, 'sha224'))}`,
  ],
  [
    'PBKDF2 with SHA-384',
    `$pbkdf2-sha384$1000$${plain(Buffer.from('a salt'))}$${plain(pbkdf2Sync(PASSWORD, 'a salt', 1_000, 48, 'sha384'))}`,
  ],
  ['scrypt of crypt(3)', '$7$C6..../....SodiumChloride$6OIeehEnzbyu949sLkdyNyp6EorTTZ52ToM3ucR5RK7'],
  ['Drupal 7', '$S$CkJ4QkJaQy1pN7U4tfopUozV8Ob/f3AvRipS73.7WyuIZVvo48eh'],
  ['MD5', '5f4dcc3b5aa765d61d8327deb882cf99'],
  ['MD5 with its salt before the password', '$md5salted-prefix$kJ4QkJaQ$mQk6mXjJT6Yr0nE5houW0A=='],
  ['MD5 with its salt behind the password', '$md5salted-suffix$kJ4QkJaQ$QL+cAgBX6ldHR7FAnnMUSA=='],
];
/** Their authors have published others. */
const OTHERS = [
  ['phpass', '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0', 'test12345'],
  ['phpass of phpBB', '$H$9aaaaaSXBjgypwqm.JsMssPLiS8YQ00', 'test1'],
] as const;
const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

const world = await startWorld({ hashing: 'real' });
let api: AdminApi;
let client: RelyingParty;

const people = [...FORMS.map(([form, hash]) => [form, hash, PASSWORD] as const), ...OTHERS].map(
  ([form, hash, password], n) => ({ form, hash, password, id: `form-${n}`, loginName: `form-${n}@forms.test` }),
);

let document: Json;

beforeAll(async () => {
  api = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
  client = new RelyingParty(world, await world.cast.web1);
  const humanUsers = people.map(
    ({ id, hash, loginName }): Json => ({
      userId: id,
      state: 'USER_STATE_ACTIVE',
      user: {
        userName: loginName,
        profile: { firstName: 'F', lastName: 'F' },
        email: { email: loginName, isEmailVerified: true },
        hashedPassword: { value: hash },
      },
    }),
  );
  document = { orgs: [{ orgId: 'org-of-forms', org: { name: 'Forms' }, humanUsers }] };
  await api.call('POST', '/admin/v1/import', { data_orgs: document });
});
afterAll(() => world.close());

async function storedOf(id: string): Promise<string> {
  const [row] = await world.rows<{ hash: string }>('SELECT password_hash AS hash FROM user_account WHERE id = $1', [
    id,
  ]);
  return row!.hash;
}

describe('An imported password continues to work, in every form of hash [EXP-020]', () => {
  it.each(people.map((person) => [person.form, person] as const))(
    'signs in with a hash of %s, which is argon2id from then on',
    async (_, { id, hash, password, loginName }) => {
      expect(await storedOf(id)).toBe(hash);
      const stranger = client.elsewhere();
      expect(
        (await stranger.enter(await stranger.authorize(), { loginName, password: `${password}!` })).redirect,
      ).toBeUndefined();
      expect(await storedOf(id)).toBe(hash);

      for (const time of ['first', 'second']) {
        const elsewhere = client.elsewhere();
        const answer = elsewhere.toAnswer(await elsewhere.enter(await elsewhere.authorize(), { loginName, password }));
        expect([time, typeof answer.code]).toEqual([time, 'string']);
        expect(await storedOf(id)).toMatch(CURRENT);
      }
    },
  );

  it('is no conflict when its document is imported again after all users have signed in, unless they have changed their password', async () => {
    const before = await world.rows('SELECT * FROM user_account ORDER BY id');
    expect((await api.call('POST', '/admin/v1/import', { data_orgs: document }))['errors']).toEqual([]);
    expect(await world.rows('SELECT * FROM user_account ORDER BY id')).toEqual(before);

    const hash = await world.get(PasswordHash).hash(new Secret('another one'));
    await world.transaction((tx) =>
      world.get(UserService).setPassword(tx, people[0]!.id, hash, { changeRequired: false }, EDITOR),
    );
    const reply = await api.ask('POST', '/admin/v1/import', { data_orgs: document });
    expect(reply.status).toBe(409);
    expect(
      reply
        .json<{ details: Array<{ fieldViolations: Array<{ field: string }> }> }>()
        .details[0]?.fieldViolations.map(({ field }) => field),
    ).toEqual(['orgs[0].humanUsers[0]']);
  });

  const withHash = (hash: string): Json => {
    const user = {
      userName: 'hostile@forms.test',
      profile: { firstName: 'H', lastName: 'H' },
      email: { email: 'hostile@forms.test', isEmailVerified: true },
      hashedPassword: { value: hash },
    };
    return { orgs: [{ orgId: 'org-of-forms', humanUsers: [{ userId: 'hostile', state: 'USER_STATE_ACTIVE', user }] }] };
  };

  it.each([
    ['sha-crypt of a billion rounds', `$6$rounds=999999999$salt$${'a'.repeat(86)}`],
    ['phpass of a billion rounds', `$P$S${'a'.repeat(30)}`],
    ['bcrypt of hours', `$2b$31$${'a'.repeat(53)}`],
    ['bcrypt of a second', `$2b$15$${'a'.repeat(53)}`],
    ['PBKDF2 of a hundred million iterations', `$pbkdf2-sha512$100000000$c2FsdA$${'a'.repeat(43)}`],
    ['scrypt of 16 lanes with 256 MiB each', `$scrypt$ln=18,r=8,p=16$c2FsdA$${'a'.repeat(43)}`],
    ['argon2id of 16 GiB', `$argon2id$v=19$m=16777216,t=1,p=1$c29tZXNhbHQ$${'a'.repeat(43)}`],
  ])('is left out if checking it would cost too much, and the user is imported without it: %s', async (_, hash) => {
    const answer = await api.call('POST', '/admin/v1/import', { data_orgs: withHash(hash) });
    expect(answer['errors']).toEqual([
      expect.objectContaining({
        id: 'hostile',
        message: expect.stringMatching(
          /hashedPassword\.value: must (not|have).*It is left out: the user needs another password$/,
        ),
      }),
    ]);
    expect(JSON.stringify(answer)).not.toContain(hash);
    expect(await storedOf('hostile')).toBeNull();
    await world.rows("DELETE FROM user_account WHERE id = 'hostile'");
  });

  it('is left out as a recovery code as well, and the other codes are kept', async () => {
    const document = withHash(FORMS[2]![1]);
    const orgs = document['orgs'] as Array<{ humanUsers: Array<{ user: Record<string, unknown> }> }>;
    orgs[0]!.humanUsers[0]!.user['recoveryCodes'] = [
      { hash: `$2b$15$${'a'.repeat(53)}` },
      { hash: `$2b$04$${'a'.repeat(53)}` },
    ];
    const answer = await api.call('POST', '/admin/v1/import', { data_orgs: document });
    expect(answer['errors']).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/recoveryCodes\[0\]\.hash: must not take longer than 100 ms.*It is left out$/),
      }),
    ]);
    const [row] = await world.rows<{ hashes: string[] }>(
      "SELECT recovery_hashes AS hashes FROM auth_factor WHERE user_id = 'hostile'",
    );
    expect(row?.hashes).toEqual([`$2b$04$${'a'.repeat(53)}`]);
    await world.rows("DELETE FROM user_account WHERE id = 'hostile'");
  });

  it.each([
    ['an unknown form', '$9$foo'],
    ['MD5 without a digit', '5f4dcc3b5aa765d61d8327deb882cf9'],
    ['a truncated bcrypt hash', '$2b$12$NT0I31Sa7ihGEWpka9ASYeEFkhuTNeBQ'],
  ])('is refused with its path, and not quoted, if its hash is %s', async (_, hash) => {
    const reply = await api.ask('POST', '/admin/v1/import', { data_orgs: withHash(hash) });
    expect(reply.status).toBe(400);
    expect(
      reply
        .json<{ details: Array<{ fieldViolations: Array<{ field: string }> }> }>()
        .details[0]?.fieldViolations.map(({ field }) => field),
    ).toEqual(['orgs[0].humanUsers[0].user.hashedPassword.value']);
    expect(reply.text).not.toContain(hash);
  });
});
