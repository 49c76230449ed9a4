import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/foundation/database/database.js';
import { ALL_ORGS, DayCounts } from '../../src/foundation/day-count/day-counts.js';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const rows = async (): Promise<string[]> => {
  await world.get(DayCounts).write();
  const found = await world.rows<{ what: string; detail: string; count: string }>(
    `SELECT what, detail, count FROM day_count WHERE of_id <> '*' ORDER BY what, detail`,
  );
  return found.map(({ what, detail, count }) => `${what} ${detail} ${count}`);
};

describe('What happens each day', () => {
  it('is counted: sign-ins, refusals, redirect URIs and tokens', async () => {
    const person = await world.cast.alice;
    const client = await world.cast.web4;
    const rp = new RelyingParty(world, client);
    await rp.tokens(person);
    const other = rp.elsewhere();
    await other.enter(await other.authorize(), { ...person, password: 'Wrong-Horse-7' });
    await other.tokens(person);
    expect(await rows()).toEqual([
      `redirect ${client.redirectUri} 2`,
      expect.stringMatching(/^refused_sign_in password [1-9]$/),
      'sign_in password 2',
      'token authorization_code 2',
    ]);
  });

  it('is counted for all organizations together as well', async () => {
    const sums = await world
      .get(DayCounts)
      .sums(world.get(Database), ['sign_in', 'refused_sign_in'], ALL_ORGS, '2000-01-01');
    expect(sums.map(({ what }) => what)).toEqual(['refused_sign_in', 'sign_in']);
    expect(sums.at(-1)).toMatchObject({ count: 2 });
  });

  it('is added up by all processes, and kept for a quarter of a year', async () => {
    const replica = await world.replica();
    world.get(DayCounts).add('sign_in', 'org', 'password');
    replica.get(DayCounts).add('sign_in', 'org', 'password');
    await replica.close(); // writes what it has counted
    await world.get(DayCounts).write();
    const read = () => world.get(DayCounts).of(world.get(Database), 'sign_in', 'org', '2000-01-01');
    expect(await read()).toEqual([{ detail: 'password', day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), count: 2 }]);
    world.clock.advance('93d');
    await world.get(HousekeepingService).run();
    expect(await read()).toEqual([]);
  });

  it('is counted together where only the end of a long detail differs', async () => {
    for (const end of ['a', 'b'])
      world.get(DayCounts).add('redirect', 'long', `https://a.test/${'x'.repeat(600)}${end}`);
    await world.get(DayCounts).write();
    expect(await world.get(DayCounts).of(world.get(Database), 'redirect', 'long', '2000-01-01')).toMatchObject([
      { count: 2 },
    ]);
  });

  it('is kept for the next time where it cannot be written', async () => {
    world.get(DayCounts).add('sign_in', 'kept', 'password');
    await world.rows('ALTER TABLE day_count RENAME TO away');
    await world.get(DayCounts).write();
    await world.rows('ALTER TABLE away RENAME TO day_count');
    world.get(DayCounts).add('sign_in', 'kept', 'password');
    await world.get(DayCounts).write();
    expect(await world.get(DayCounts).of(world.get(Database), 'sign_in', 'kept', '2000-01-01')).toMatchObject([
      { count: 2 },
    ]);
  });
});
