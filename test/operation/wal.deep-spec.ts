import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { beginPassword } from '../login/turns.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

/** Without images of whole pages, one for each page that is changed for the first time after a checkpoint. */
const MOST_BYTES = 4_000;
/** Other tests of the same server write at the same time, and the sequence of events is logged for each 32nd. */
const MOST_TRIES = 20;

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function written(): Promise<bigint> {
  const [row] = await world.rows<{ at: string }>(`SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS at`);
  return BigInt(row!.at);
}

it('A sign-in by password with the redemption of its code writes less than four kilobytes of WAL, whole pages aside', async () => {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < MOST_TRIES && least >= MOST_BYTES; count += 1) {
    const person = await world.add.person({ orgId: (await world.cast.orgA).id });
    const party = new RelyingParty(world, await world.cast.web1);
    const before = await written();
    const page = await beginPassword(party, person.loginName);
    const { code } = party.toAnswer(await party.browser.submit(page, { password: person.password }));
    tokensOf(await party.redeem(code!));
    least = Math.min(least, Number((await written()) - before));
  }
  expect(least).toBeLessThan(MOST_BYTES);
});
