import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { AdminApi } from '../../support/admin-api.js';
import { startWorld, type World } from '../../support/world.js';

const V1 = '/management/v1/configuration';

let world: World;
let owner: AdminApi;
beforeAll(async () => {
  world = await startWorld();
  owner = await world.manager(['IAM_OWNER']);
});
afterAll(() => world.close());

it('A configuration of hundreds of organizations is read by naming some of them', async () => {
  await world.rows("INSERT INTO org (id, name) SELECT 'many-' || n, 'Many ' || n FROM generate_series(1, 500) n");
  expect(await owner.verdict('POST', `${V1}/_pull`, {})).toBe('400 configuration.too_many_orgs');
  expect(await owner.verdict('POST', `${V1}/_pull`, { organizations: ['Many 7', 'Many 9'] })).toBe('200');
});

it('What was too large to be kept is not taken back by its position, and that is said', async () => {
  const configuration = { instance: { policies: { lockout: { maxPasswordAttempts: 5 } } } };
  const { position } = await owner.call('POST', `${V1}/_apply`, { configuration });
  await world.rows("UPDATE event SET payload = payload - 'undo' WHERE position = $1", [position]);
  expect(await owner.verdict('GET', `${V1}/applied/${position as string}`)).toBe('400 configuration.undo_not_kept');
});
