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
