import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { USUAL_PEOPLE } from '../people-settings.js';
import { Report } from '../report.js';
import { convertAuth0 } from './auth0.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-auth0-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BCRYPT = `$2b$10$${'a'.repeat(53)}`;
interface Entry {
  readonly userId: string;
  readonly user: {
    readonly userName: string;
    readonly hashedPassword?: { readonly value: string };
    readonly email?: object;
  };
}

async function convert(
  users: readonly object[],
  { orgId = 'birkenhof', passwords = [] }: { orgId?: string; passwords?: readonly object[] } = {},
) {
  const path = (name: string, list: readonly object[]): string => {
    writeFileSync(join(folder, name), JSON.stringify(list));
    return join(folder, name);
  };
  const report = new Report('auth0');
  let text = '';
  const source = {
    users: [path('users.json', users)],
    passwords: [path('passwords.json', passwords)],
    orgId,
    orgName: 'Birkenhof',
    connections: new Map<string, string>(),
    people: USUAL_PEOPLE,
  };
  for await (const piece of convertAuth0(source, report)) text += piece;
  const { humanUsers, userMetadata } = JSON.parse(text).orgs[0] as {
    humanUsers: Entry[];
    userMetadata: Array<{ id: string }>;
  };
  return {
    humanUsers,
    userMetadata,
    notes: (report.toJson() as { notCarried: Array<{ kind: string; important: boolean; examples: string[] }> })
      .notCarried,
  };
}

describe("A file for Auth0's own import, where only the address is required", () => {
  /** As in the examples of Auth0's command line. */
  const file = [
    {
      email: 'antoinette@contoso.test',
      email_verified: false,
      custom_password_hash: { algorithm: 'bcrypt', hash: { value: BCRYPT } },
      app_metadata: { roles: ['admin'] },
    },
    { email: 'Antoinette@contoso.test', given_name: 'Another' },
    { username: 'ilse' },
    { given_name: 'Nobody' },
  ];

  it('converts its users, each with an id that is the same each time', async () => {
    const [one, another] = [await convert(file), await convert(file)];
    expect(one.humanUsers.map(({ user }) => user.userName)).toEqual(['antoinette@contoso.test', 'ilse']);
    expect(new Set(one.humanUsers.map(({ userId }) => userId)).size).toBe(2);
    expect(another.humanUsers).toEqual(one.humanUsers);
    expect(one.userMetadata.map(({ id }) => id)).toEqual([one.humanUsers[0]!.userId]);
  });

  it('and another one where the address belongs to another organization', async () => {
    const ids = [await convert(file), await convert(file, { orgId: 'other' })].map(
      ({ humanUsers }) => humanUsers[0]!.userId,
    );
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('reports the ids that were generated, and marks every omitted user as important', async () => {
    const { notes } = await convert(file);
    expect(notes).toContainEqual(
      expect.objectContaining({
        kind: expect.stringMatching(/^Users without an id/),
        important: false,
        examples: ['antoinette@contoso.test', 'ilse'],
      }),
    );
    expect(notes).toContainEqual(
      expect.objectContaining({
        kind: expect.stringMatching(/have the e-mail address of another entry: left out/),
        important: true,
      }),
    );
    expect(notes).toContainEqual(
      expect.objectContaining({
        kind: expect.stringMatching(/an e-mail address or a user name: left out/),
        important: true,
      }),
    );
  });

  it('and where it names an id, Auth0 puts the kind of connection before it', async () => {
    expect((await convert([{ user_id: '5dea', email: 'a@contoso.test' }])).humanUsers[0]!.userId).toBe('auth0|5dea');
  });

  it('is refused if it contains no users', async () => {
    await expect(convert([{ given_name: 'Nobody' }])).rejects.toThrow(/^There are no users in these files/);
    await expect(convert([])).rejects.toThrow(/^There are no users in these files/);
  });
});

describe('The file of passwords', () => {
  const users = [{ user_id: 'auth0|5dea', email: 'a@contoso.test' }];

  it.each([
    { _id: { $oid: '5dea' } },
    { _ID: { $oid: '5dea' } },
    { _id: '5dea' },
    { _id: { $oid: 'x' }, alt_id: '5dea' },
  ])('matches its users by %j', async (id) => {
    const { humanUsers } = await convert(users, { passwords: [{ ...id, passwordHash: BCRYPT }] });
    expect(humanUsers[0]!.user.hashedPassword).toEqual({ value: BCRYPT });
  });

  it.each([
    ['matches no user', { _id: { $oid: 'gone' }, passwordHash: BCRYPT }],
    ['has no id', { passwordHash: BCRYPT }],
  ])('is important where an entry %s', async (_, entry) => {
    expect((await convert(users, { passwords: [entry] })).notes).toContainEqual(
      expect.objectContaining({ important: true }),
    );
  });
});

it('Users of Auth0 whose address was never verified can sign in, as before', async () => {
  const { humanUsers } = await convert([
    { email: 'a@contoso.test', custom_password_hash: { algorithm: 'bcrypt', hash: { value: BCRYPT } } },
  ]);
  expect(humanUsers[0]!.user.email).toEqual({ email: 'a@contoso.test', mayStayUnverified: true });
});

describe('A password in the file of users', () => {
  const ARGON2 = `$argon2id$v=19$m=4096,t=3,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
  const PBKDF2 = `$pbkdf2-sha256$i=10000,l=32$${'A'.repeat(22)}$${'A'.repeat(43)}`;
  const SHA = `$6$salt$${'a'.repeat(86)}`;
  const custom = (algorithm: string, more: object): object => ({ custom_password_hash: { algorithm, ...more } });
  const MD5 = '5f4dcc3b5aa765d61d8327deb882cf99';
  const MD5_BASE64 = Buffer.from(MD5, 'hex').toString('base64');

  it.each<[string, object, string]>([
    ['password_hash', { password_hash: BCRYPT }, BCRYPT],
    ['passwordHash', { passwordHash: BCRYPT }, BCRYPT],
    ['password, if it is a hash', { password: BCRYPT }, BCRYPT],
    ['the hash as a text', custom('bcrypt', { hash: BCRYPT }), BCRYPT],
    ['custom_password_hash as a text', { custom_password_hash: BCRYPT }, BCRYPT],
    ['an algorithm in capitals', custom('BCRYPT', { hash: { value: BCRYPT, encoding: 'utf8' } }), BCRYPT],
    ['no algorithm', { custom_password_hash: { hash: { value: BCRYPT } } }, BCRYPT],
    [
      'a hash in base64',
      custom('bcrypt', { hash: { value: Buffer.from(BCRYPT).toString('base64'), encoding: 'base64' } }),
      BCRYPT,
    ],
    ['argon2', custom('argon2', { hash: { value: ARGON2 } }), ARGON2],
    ['pbkdf2', custom('pbkdf2', { hash: { value: PBKDF2, encoding: 'utf8' } }), PBKDF2],
    ['crypt of LDAP', custom('ldap', { hash: { value: `{CRYPT}${SHA}` } }), SHA],
    ['MD5 of LDAP', custom('ldap', { hash: { value: `{MD5}${MD5_BASE64}` } }), MD5],
    ['md5 in hexadecimal', custom('md5', { hash: { value: MD5, encoding: 'hex' } }), MD5],
    ['md5 in base64', custom('md5', { hash: { value: MD5_BASE64, encoding: 'base64' } }), MD5],
    [
      'md5 with a salt',
      custom('md5', {
        hash: { value: MD5, encoding: 'hex' },
        salt: { value: 'c2FsdA==', encoding: 'base64', position: 'suffix' },
      }),
      `$md5salted-suffix$salt$${MD5_BASE64}`,
    ],
  ])('is kept as %s', async (_, member, expected) => {
    const { humanUsers, notes } = await convert([{ email: 'a@contoso.test', email_verified: true, ...member }]);
    expect(humanUsers[0]!.user.hashedPassword).toEqual({ value: expected });
    expect(notes.filter(({ important }) => important)).toEqual([]);
  });

  it('is kept in clear', async () => {
    const { humanUsers, notes } = await convert([{ email: 'a@contoso.test', password: 'Correct-Horse-7' }]);
    expect(humanUsers[0]!.user).toMatchObject({ password: 'Correct-Horse-7' });
    expect(notes.filter(({ important }) => important)).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    [
      'SHA-512 alone',
      custom('sha512', { hash: { value: 'ab', encoding: 'hex' } }),
      /hashed by sha512: .*Accepted are argon2/,
    ],
    ['HMAC', custom('hmac', { hash: { value: 'ab', digest: 'sha1', key: { value: 'x' } } }), /hashed by hmac/],
    ['SSHA', custom('ldap', { hash: { value: '{SSHA}abcd' } }), /hashed by ldap/],
    ['bcrypt beside a salt', custom('bcrypt', { hash: { value: BCRYPT }, salt: { value: 'x' } }), /hashed by bcrypt/],
    [
      'a password in UTF-16',
      custom('bcrypt', { hash: { value: BCRYPT }, password: { encoding: 'utf16le' } }),
      /hashed by bcrypt/,
    ],
    [
      'a salt of no position',
      custom('md5', { hash: { value: MD5, encoding: 'hex' }, salt: { value: 'x' } }),
      /hashed by md5/,
    ],
    ['half a hash', { password_hash: '$2b$10$abc' }, /^Password hashes of bcrypt/],
    ['Django', { password_hash: 'pbkdf2_sha256$1000$salt$abc' }, /Django: write .* as \$pbkdf2-sha256\$I/],
    ['Werkzeug', { password: 'scrypt:32768:8:1$salt$ab' }, /Passwords in clear that look like hashes/],
    ['Kratos', { passwordHash: '$scrypt$ln=16384,r=8,p=1$c2FsdA$abc' }, /Kratos, .*ln=14 for 16384/],
    ['Spring', { passwordHash: `{bcrypt}${BCRYPT}` }, /leave out the word in braces/],
    ['LDAP', { passwordHash: '{SSHA}abcd' }, /\{SSHA\}: no accepted form/],
    ['a number', { password: 1234 }, /^User: password: not read, although it looks like a credential/],
    ['a placeholder', { password: '${PASSWORD}' }, /^Placeholders instead of values/],
    ['asterisks', { password: '********' }, /^Passwords in clear that are masked/],
    ['another name', { password_digest: BCRYPT }, /^User: password_digest/],
    ['no password of an account of the database', { user_id: 'auth0|1' }, /missing from the files.*--passwords/],
  ])('is important if it is lost: %s', async (_, member, kind) => {
    const { humanUsers, notes } = await convert([{ email: 'a@contoso.test', ...member }]);
    expect(humanUsers[0]!.user).not.toHaveProperty('hashedPassword');
    expect(humanUsers[0]!.user).not.toHaveProperty('password');
    expect(notes).toContainEqual(expect.objectContaining({ important: true, kind: expect.stringMatching(kind) }));
    expect(JSON.stringify(notes)).not.toMatch(/aaaaa|abcd|16384,r|1000\$salt/);
  });
});
