import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { startWorld, type World } from '../support/world.js';
import { canonical } from './document.js';
import { variedDocument } from './varied.js';

const source = await startWorld();
const target = await startWorld({ env: { MASTER_KEY: 'another master key, for the target alone' } });
let from: AdminApi;
let to: AdminApi;

const callerOf = async (world: World): Promise<AdminApi> =>
  (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
const exportBy = (api: AdminApi, orgIds: readonly unknown[]): Promise<{ orgs: unknown[] }> =>
  api.call('POST', '/admin/v1/export', { orgIds, withPasswords: true, withOtp: true, withKeys: true });

beforeAll(async () => {
  [from, to] = [await callerOf(source), await callerOf(target)];
});
afterAll(() => Promise.all([source.close(), target.close()]));

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
  'export, import into an empty instance, export again: the documents are equal, for any content: seed %d [EXP-031]',
  async (seed) => {
    const document = variedDocument(seed);
    const orgIds = document.orgs.map(({ orgId }) => orgId);
    expect(
      (await from.call<{ errors: unknown[] }>('POST', '/admin/v1/import', { data_orgs: document })).errors,
    ).toEqual([]);
    const first = await exportBy(from, orgIds);
    expect(canonical(first)).toEqual(canonical(document));
    await to.call('POST', '/admin/v1/import', { data_orgs: first });
    expect(await exportBy(to, orgIds)).toEqual(first);
  },
);
