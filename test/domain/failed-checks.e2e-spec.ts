import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/foundation/database/database.js';
import { waitForDisk } from '../../src/foundation/database/disk-wait.js';
import { FailedChecks } from '../../src/user/failed-checks.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let checks: FailedChecks;
let person: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  checks = world.get(FailedChecks);
});
afterAll(() => world.close());
beforeEach(async () => {
  person = await world.add.person({ orgId: (await world.cast.orgA).id });
});

const forgive = (): Promise<boolean> => checks.forgive(world.get(Database), 'code', person.id);

async function isWaiting(): Promise<void> {
  const ask = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while ((await world.rows(ask)).length === 0) await sleep(5);
}

describe('A wrong guess', () => {
  it('is counted without waiting for the disk, unless something else in the transaction must', async () => {
    await world.transaction(async (tx) => {
      const settings = async (): Promise<unknown> => {
        const ask = "SELECT setting, reset_val FROM pg_settings WHERE name = 'synchronous_commit'";
        return (await tx.entities.query<object[]>(ask))[0];
      };
      await tx.entities.query("SELECT set_config('synchronous_commit', 'local', true)");
      await checks.count(tx, 'password', person.id);
      expect(await settings()).toMatchObject({ setting: 'off' });
      await waitForDisk(tx);
      const { setting, reset_val: usual } = (await settings()) as Record<'setting' | 'reset_val', string>;
      expect(setting).toBe(usual);
    });
  });
});

describe('A right guess after wrong ones', () => {
  it('counts, also if it waits for another right one that starts the count again', async () => {
    await checks.count(world.get(Database), 'code', person.id);
    let second: Promise<boolean> | undefined;
    await world.transaction(async (tx) => {
      expect(await checks.forgive(tx, 'code', person.id)).toBe(true);
      second = forgive();
      await isWaiting();
    });
    expect(await second).toBe(true);
  });

  it('does not count if it waits for the wrong one that locks the account', async () => {
    await checks.count(world.get(Database), 'code', person.id);
    let right: Promise<boolean> | undefined;
    await world.transaction(async (tx) => {
      await checks.count(tx, 'code', person.id);
      await world.get(UserService).change(tx, person.id, { state: 'locked' }, 'user.state.locked', EDITOR);
      right = forgive();
      await isWaiting();
    });
    expect(await right).toBe(false);
  });

  it('writes nothing if nothing was counted', async () => {
    const version = (): Promise<object[]> => world.rows('SELECT xmin FROM user_account WHERE id = $1', [person.id]);
    const before = await version();
    expect(await forgive()).toBe(true);
    expect(await version()).toEqual(before);
  });
});
