import { afterEach, describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/foundation/config/secret.js';
import { PasswordHash } from '../../src/foundation/password/password-hash.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { UserService } from '../../src/user/user.service.js';
import { statementsDuring } from './statement-counter.js';
import { startWorld, type World } from './world.js';

const worlds: World[] = [];

async function start(...options: Parameters<typeof startWorld>): Promise<World> {
  const world = await startWorld(...options);
  worlds.push(world);
  return world;
}

afterEach(async () => {
  while (worlds.length > 0) await worlds.pop()!.close();
});

describe('A world', () => {
  it('has the whole cast of the tests that attack', async () => {
    const { cast } = await start();
    const all = await Promise.all([
      cast.web1,
      cast.web2,
      cast.web3,
      cast.web4,
      cast.post1,
      cast.jwt1,
      cast.imp1,
      cast.nat1,
      cast.api1,
      cast.api2,
      cast.svc1,
      cast.svc2,
      cast.alice,
      cast.bob,
      cast.carol,
      cast.dave,
      cast.erin,
      cast.uma,
    ]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect((await cast.alice).loginName).toBe('alice@orga.test');
  });

  it('has a replica on the same database that learns of changes', async () => {
    const world = await start();
    const replica = await start({ replicaOf: world });
    await world.cast.web1;
    expect(await replica.get(ClientService).findActive('web1')).toBeDefined();
    expect(replica.issuer).toBe(world.issuer);
    expect(replica.origin).not.toBe(world.origin);
  });

  it('has cheap hashes unless a test is about their cost', async () => {
    const secret = new Secret('correct horse');
    const hashes = await Promise.all(
      [await start(), await start({ hashing: 'real' })].map((world) => world.get(PasswordHash).hash(secret)),
    );
    expect(hashes.map((hash) => hash.split('$')[3])).toEqual(['m=8,t=1,p=1', 'm=19456,t=2,p=1']);
  });

  it('counts statements, also those in a transaction', async () => {
    const world = await start();
    expect(await statementsDuring(() => world.get(UserService).findByLoginName('nobody'))).toHaveLength(1);
    expect(await statementsDuring(() => world.transaction(() => Promise.resolve()))).toEqual([
      'START TRANSACTION',
      'COMMIT',
    ]);
  });

  it('has a clock that stands still until it is advanced', async () => {
    const world = await start();
    const before = world.now();
    world.clock.advance('31d');
    expect(world.now()).toBe(before + 31 * 86_400);
  });
});
