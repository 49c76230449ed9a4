import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Transaction } from '../../src/foundation/database/database.js';
import { UserGrantService } from '../../src/project/user-grant/user-grant.service.js';
import { PersonalAccessTokens } from '../../src/token/personal-access-tokens.js';
import { MachineKeys } from '../../src/user/machine-keys.js';
import { ServiceUserService } from '../../src/user/service-user.service.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const find = async (typed: string, orgId?: string): Promise<string | undefined> =>
  (await world.get(UserService).findByLoginName(typed, orgId))?.userName;

describe('A login name means', () => {
  it('the person of that user name, in any case and width, or at a verified domain of the organization', async () => {
    await Promise.all([world.cast.alice, world.cast.carol]);
    for (const typed of ['alice', 'ALICE', ' alice ', 'ａｌｉｃｅ', 'alice@orga.test', 'Alice@OrgA.Test'])
      expect(await find(typed)).toBe('alice');
    for (const typed of [
      'alice@orgb.test',
      'alice@evil.test',
      'carol@orga.test',
      '',
      '@orga.test',
      'alice@',
      '%',
      "' OR 1=1--",
    ])
      expect(await find(typed)).toBeUndefined();
  });

  it('a person of the asked organization alone', async () => {
    const [orgA, orgB] = [await world.cast.orgA, await world.cast.orgB];
    expect(await find('carol', orgB.id)).toBe('carol');
    expect(await find('carol', orgA.id)).toBeUndefined();
    expect(await find('carol@orgb.test', orgA.id)).toBeUndefined();
  });

  it('no service user', async () => {
    const { userName } = await world.cast.svc1;
    expect(await find(userName)).toBeUndefined();
  });
});

describe('A user name', () => {
  it("is one person's in the whole instance, however it is written", async () => {
    const { id: orgId } = await world.cast.orgB;
    await world.cast.alice;
    for (const userName of ['alice', 'ALICE', 'Ａlice']) {
      await expect(world.add.person({ orgId, userName, email: 'x@mail.test' })).rejects.toMatchObject({
        reason: 'user.name_taken',
      });
    }
  });

  it('asked for by two at once goes to one of them', async () => {
    const { id: orgId } = await world.cast.orgA;
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => world.add.person({ orgId, userName: 'wanted' })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('What only programs have', () => {
  it('people cannot get: secrets, keys and personal access tokens', async () => {
    const alice = await world.cast.alice;
    const { key } = await world.cast.svc1;
    const services = world.get(ServiceUserService);
    const attempts: Array<(tx: Transaction) => Promise<unknown>> = [
      (tx) => services.generateSecret(tx, alice.id, EDITOR),
      (tx) => world.get(MachineKeys).add(tx, alice.id, key.publicJwk, EDITOR),
      (tx) => world.get(PersonalAccessTokens).add(tx, alice.id, EDITOR),
    ];
    for (const attempt of attempts)
      await expect(world.transaction(attempt)).rejects.toMatchObject({ reason: 'user.not_service' });
  });
});

describe('A grant of roles', () => {
  it('names roles that the project has, once per person, project and organization', async () => {
    const [alice, projectP, orgA] = [await world.cast.alice, await world.cast.projectP, await world.cast.orgA];
    await expect(world.add.grant(alice.id, projectP, orgA.id, ['reader', 'nothing'])).rejects.toMatchObject({
      kind: 'InvalidArgument',
    });
    const id = await world.add.grant(alice.id, projectP, orgA.id, ['reader']);
    await expect(world.add.grant(alice.id, projectP, orgA.id, ['writer'])).rejects.toMatchObject({
      reason: 'user_grant.exists',
    });
    await world.transaction((tx) => world.get(UserGrantService).remove(tx, id, EDITOR));
    expect(await world.add.grant(alice.id, projectP, orgA.id, ['writer'])).toBeDefined();
  });
});

describe('Removing a person', () => {
  it('removes what belongs to them, and nothing else', async () => {
    const { id: orgId } = await world.cast.orgA;
    const person = await world.add.person({ orgId });
    await world.add.grant(person.id, await world.cast.projectP, orgId, ['reader']);
    await world.add.metadata(person.id, 'key', Buffer.from('x'));
    const others = await world.rows('SELECT id FROM user_account WHERE id <> $1', [person.id]);
    await world.transaction((tx) => world.get(UserService).remove(tx, person.id, EDITOR));
    expect(await world.rows('SELECT id FROM user_account WHERE id <> $1', [person.id])).toEqual(others);
    for (const table of ['user_grant', 'user_metadata', 'session'])
      expect(await world.rows(`SELECT user_id FROM ${table} WHERE user_id = $1`, [person.id])).toEqual([]);
    expect(await find(person.userName)).toBeUndefined();
  });
});
