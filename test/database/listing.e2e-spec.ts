import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { equals } from '../../src/foundation/database/condition.js';
import { Database } from '../../src/foundation/database/database.js';
import { Listing } from '../../src/foundation/database/listing.js';
import type { TestPerson } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let alice: TestPerson;
let bob: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  [alice, bob] = await Promise.all([world.cast.alice, world.cast.bob]);
  for (const { id } of [alice, bob])
    for (const key of ['a', 'b', 'c']) await world.add.metadata(id, key, Buffer.from(id));
});
afterAll(() => world.close());

describe('A page of a list whose key is unique for one owner alone', () => {
  it.each([
    ['in the order of the list', '', false],
    ['with what is joined to its rows', 'JOIN user_account u ON u.id = m.user_id', false],
    ['filter first, as after a search that was too slow', '', true],
    ['filter first, with what is joined', 'JOIN user_account u ON u.id = m.user_id', true],
  ])('has no row of another owner, %s [ADM-061]', async (_how, joins, filterFirst) => {
    const listing = new Listing<{ userId: string; key: string }, 'key'>({
      select: 'm.user_id AS "userId", m.key',
      from: 'user_metadata m',
      joins,
      key: 'm.key',
      sort: { key: 'm.key' },
    });
    const request = {
      offset: 1n,
      limit: 2,
      ascending: true,
      sortBy: 'key',
      where: [equals('m.user_id', alice.id)],
    } as const;
    const { statement, values } = listing.pageStatement(request, filterFirst);
    const rows = await world.get(Database).source.query<object[]>(statement, values);
    expect(rows).toEqual(['b', 'c'].map((key) => ({ userId: alice.id, key })));
  });
});
