import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { callerWith } from '../support/admin-api.js';
import { PASSWORD, uniqueName } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { begin, occupyHashing, pageOf } from './turns.js';

const AT_ONCE = 10;
const NEW = 'Another-Horse-8';

let world: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ hashing: 'real' });
  web1 = new RelyingParty(world, await world.cast.web1);
});

afterAll(() => world.close());

/** How many connections are held by transactions that wait for something else than the database, at most. */
async function heldConnections(): Promise<number> {
  let most = 0;
  for (let look = 0; look < 10; look += 1) {
    const [row] = await world.rows<{ held: string }>(
      `SELECT count(*) AS held
       FROM pg_stat_activity
       WHERE datname = current_database()
         AND state = 'idle in transaction'
         AND state_change < clock_timestamp() - interval '250 ms'`, // not between two statements of a busy machine
    );
    most = Math.max(most, Number(row!.held));
    await sleep(50);
  }
  return most;
}

it('Registrations and new passwords hold no connection while they wait for their hash', async () => {
  const { id: orgId } = await world.cast.orgA;
  const turns = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, n) => {
      const client = web1.elsewhere();
      if (n % 2 === 0) {
        const page = await begin(client, { prompt: 'create' });
        const fields = {
          email: `waiting-${n}@mail.test`,
          firstName: 'W',
          lastName: 'W',
          password: PASSWORD,
          passwordRepeat: PASSWORD,
        };
        return () => client.browser.submit(page, fields);
      }
      const person = await world.add.person({ orgId, passwordChangeRequired: true });
      const page = pageOf(await client.enter(await client.authorize(), person));
      return () => client.browser.submit(page, { oldPassword: PASSWORD, newPassword: NEW, newPasswordRepeat: NEW });
    }),
  );
  await using occupation = occupyHashing(world, 30); // enough to wait for, and less than what a slow machine refuses
  const arrivals = Promise.all(turns.map((turn) => turn()));
  expect(await heldConnections()).toBe(0);
  await occupation.end();
  for (const arrival of await arrivals) {
    if (arrival.page) expect(arrival.page.title).toBe('Confirm your e-mail address · Acme');
    else expect(web1.toAnswer(arrival).code).toBeDefined();
  }
}, 60_000);

it('Users whom a manager imports with many recovery codes do not delay sign-ins', async () => {
  const { api } = await callerWith(world, await world.add.org(), ['ORG_USER_MANAGER']);
  const person = await world.add.person({ orgId: (await world.cast.orgA).id });
  const bring = (): Promise<unknown> =>
    api.call('POST', '/management/v1/users/human/_import', {
      userName: uniqueName('brought'),
      profile: { firstName: 'B', lastName: 'B' },
      email: { email: 'brought@mail.test', isEmailVerified: true },
      recoveryCodes: Array.from({ length: 32 }, (_, n) => ({ raw: `code ${n}` })),
    });
  const brought = Promise.all(Array.from({ length: 20 }, bring)); // 640 hashes, of which 500 may wait
  await sleep(300);
  expect((await web1.elsewhere().signIn(person)).code).toBeDefined();
  await brought; // none of them was refused either
}, 60_000);
