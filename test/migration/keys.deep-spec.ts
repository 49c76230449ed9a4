import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ORIGIN, withKey } from '../login/passkey-turns.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { TestPerson } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

interface Exported {
  readonly orgs: ReadonlyArray<{
    readonly humanUsers: ReadonlyArray<{ readonly userId: string; readonly user: { readonly hasKeys?: boolean } }>;
  }>;
  readonly usersWithKeys?: number;
  readonly leftOut: readonly string[];
}

let source: World;
let target: World;
let from: AdminApi;
let to: AdminApi;
let person: TestPerson;
let exported: Exported;

beforeAll(async () => {
  source = await startWorld({ publicUrl: ORIGIN });
  target = await startWorld();
  from = (await callerWith(source, await source.cast.orgA, ['IAM_OWNER'])).api;
  to = (await callerWith(target, await target.cast.orgB, ['IAM_OWNER'])).api;
  const org = await source.add.org();
  person = await source.add.person({ orgId: org.id });
  await source.add.person({ orgId: org.id });
  await withKey(source, person, 'passkey');
  await withKey(source, person, 'u2f');
  exported = await from.call('POST', '/admin/v1/export', { orgIds: [org.id], responseOutput: true });
});
afterAll(async () => {
  await source.close();
  await target.close();
});

it('An export says that keys are left out, how many users have some, and who', () => {
  expect([exported.usersWithKeys, exported.leftOut]).toEqual([1, expect.arrayContaining(['passkey', 'security_key'])]);
  const marked = exported.orgs[0]!.humanUsers.filter(({ user }) => user.hasKeys === true);
  expect(marked.map(({ userId }) => userId)).toEqual([person.id]);
  expect(JSON.stringify(exported)).not.toMatch(/credentialId|publicKey"/);
});

it('An import says who needs a link to add a passkey, and imports the users', async () => {
  const reply = await to.ask('POST', '/admin/v1/import', { dataOrgs: exported });
  expect(reply.status).toBe(200);
  expect(reply.text).toContain('Send the user a link to add a passkey: SendPasswordlessRegistration');
  expect(reply.text.match(/hasKeys/g)).toHaveLength(1);
  expect(await target.rows('SELECT 1 FROM user_account WHERE id = $1', [person.id])).toHaveLength(1);
  expect(await target.rows('SELECT 1 FROM auth_key')).toHaveLength(0);
});
