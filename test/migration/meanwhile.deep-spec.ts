import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ExportService } from '../../src/migration/export.service.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import type { TestClient, TestOrg, TestPerson } from '../support/builders.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { fullDocument, HASH } from './document.js';
import { Holder, MOMENTS } from './holding.js';

const world = await startWorld();
const holder = new Holder(world);
let api: AdminApi;
let org: TestOrg;
let owner: AdminApi;
let person: TestPerson;
let web: TestClient;

beforeAll(async () => {
  org = await world.add.org();
  ({ api } = await callerWith(world, org, ['IAM_OWNER']));
  owner = (await callerWith(world, org, ['ORG_OWNER'])).api;
  person = await world.add.person({ orgId: org.id });
  web = await world.cast.web1;
});
afterEach(() => holder.letGo());
afterAll(() => world.close());

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('While an import writes, other requests do not wait for it [EXP-033]', () => {
  // A sign-in writes `user_account` and `event` itself, which the holder prevents. Held up before `member`, the import
  // has written its users.
  it.each(MOMENTS.filter((moment) => moment !== 'user_account' && moment !== 'event'))(
    'users sign in and are added, and tokens are issued, refreshed and introspected; the import is paused at: %s',
    async (moment) => {
      await holder.hold(moment);
      const running = api.ask('POST', '/admin/v1/import', { data_orgs: fullDocument() });
      await holder.waiting();
      const client = new RelyingParty(world, web);
      const tokens = await client.tokens(person, { scope: 'openid offline_access' });
      expect((await client.introspect(tokens.access_token)).json()).toMatchObject({ active: true });
      expect((await client.userinfo(tokens.access_token)).status).toBe(200);
      tokensOf(await client.refresh(tokens.refresh_token));
      // But for the table that this test itself keeps from being written.
      if (moment === 'its turn' || moment === 'org') {
        const { userId } = await owner.call<{ userId: string }>('POST', '/management/v1/users/machine', {
          userName: `meanwhile-${moment.length}`,
          name: 'x',
        });
        expect(userId).not.toBe('');
      }
      await holder.letGo();
      expect((await running).status).toBe(200);
    },
  );
});

describe('An export is a consistent snapshot', () => {
  it('contains nothing that is written during the export, and everything that is removed meanwhile', async () => {
    const house = await world.add.org();
    const people = Array.from(
      { length: 1_500 },
      (_, n): Json => ({
        userId: `crowd-${n}`,
        user: {
          userName: `crowd-${n}@crowd.example`,
          profile: { firstName: 'A', lastName: 'B' },
          email: { email: `crowd-${n}@crowd.example`, isEmailVerified: true },
          hashedPassword: { value: HASH },
        },
      }),
    );
    const project = { projectId: 'crowd-project', project: { name: 'Crowd' } };
    const roles = [{ projectId: 'crowd-project', roleKey: 'reader', displayName: 'Reader' }];
    const userGrants = [{ userId: 'crowd-1', projectId: 'crowd-project', roleKeys: ['reader'] }];
    await api.call('POST', '/admin/v1/import', {
      data_orgs: {
        orgs: [{ orgId: house.id, projects: [project], projectRoles: roles, humanUsers: people, userGrants }],
      },
    });
    const wanted = {
      orgIds: [house.id],
      excludedOrgIds: [],
      withPasswords: true,
      withOtp: true,
      withKeys: true,
      withPasskeys: true,
      timeoutMs: 60_000,
    };
    const whole = (): Promise<string> => textOf(world.get(ExportService).export('test', wanted));
    const before = await whole();

    const pieces = world.get(ExportService).export('test', wanted);
    const begun = await pieces.next();
    const inHouse = api.about(house.id);
    await inHouse.call('POST', '/management/v1/users/machine', { userName: 'late', name: 'late' });
    await inHouse.call('POST', '/management/v1/users/crowd-2/grants', {
      projectId: 'crowd-project',
      roleKeys: ['reader'],
    });
    await inHouse.call('DELETE', '/management/v1/users/crowd-1');
    await inHouse.call('DELETE', '/management/v1/users/crowd-1499');
    await inHouse.call('PUT', '/management/v1/projects/crowd-project', { name: 'Renamed' });
    const rest = await textOf(pieces);
    expect(rest).not.toBe('');
    expect(`${begun.value as string}${rest}`).toBe(before);
    expect(await whole()).not.toBe(before);
  });
});
