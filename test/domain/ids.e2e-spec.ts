import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/foundation/crypto/id.js';
import { Database } from '../../src/foundation/database/database.js';
import { numberThisProcess } from '../../src/process/setup/process-number.js';
import { startWorld, type World } from '../support/world.js';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

describe('The ids of two processes on one database', () => {
  it('never meet: each process has a number of its own', async () => {
    const numbers = new Set<bigint>();
    for (let start = 0; start < 5; start += 1) {
      await numberThisProcess(world.get(Database));
      numbers.add((BigInt(newId()) >> 12n) & 1023n);
    }
    expect(numbers.size).toBe(5);
  });

  it('do so after a thousand starts, too', async () => {
    await world.rows("SELECT setval('process_number', 1023)");
    await numberThisProcess(world.get(Database));
    expect((BigInt(newId()) >> 12n) & 1023n).toBe(0n);
  });

  it('have been numbered by the start of the service', async () => {
    const [before] = await world.rows<{ last: string }>('SELECT last_value AS last FROM process_number');
    const replica = await startWorld({ replicaOf: world });
    await replica.close();
    expect(await world.rows('SELECT last_value AS last FROM process_number')).toEqual([
      { last: String(Number(before!.last) + 1) },
    ]);
  });
});
