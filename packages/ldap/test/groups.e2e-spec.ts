import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { World } from 'gatehouse/testing';
import { LdapStage, startLdapWorld } from './support/ldap-stage.js';
import { BASE, LdapStandIn } from './support/ldap-stand-in.js';

const ADMINS = `cn=admins,ou=groups,${BASE}`;

let world: World;
let stage: LdapStage;
let directory: LdapStandIn;

beforeAll(async () => {
  world = await startLdapWorld();
  [stage, directory] = [await LdapStage.set(world), await LdapStandIn.start()];
});
afterAll(async () => {
  await world.close();
  await directory.close();
});

describe('Groups of Gatehouse that follow a directory', () => {
  it('have those people who are in the group there, from one sign-in to the next', async () => {
    directory.add('cora', 'right', { mail: ['cora@mail.test'] });
    const orgId = await orgOf(await stage.try(await stage.at(directory), 'cora', 'right'));
    const { groupId } = await stage.admin
      .about(orgId)
      .call<{ groupId: string }>('POST', '/management/v1/groups', { name: 'Admins' });
    const over = { memberOfAttribute: 'memberOf', groupMappings: [`${groupId}=${ADMINS.toUpperCase()}`] };
    const id = await stage.at(directory, over);
    const anna = directory.add('anna', 'right', { mail: ['anna@mail.test'], memberOf: [ADMINS] });
    directory.add('ben', 'right', { mail: ['ben@mail.test'], memberOf: [`cn=others,${BASE}`] });
    const sub = await stage.try(id, 'anna', 'right');
    await stage.try(id, 'ben', 'right');
    const members = async (): Promise<unknown[]> =>
      (await world.sql`SELECT user_id FROM user_group_member WHERE group_id = ${groupId}`).map(
        ({ user_id }) => user_id,
      );
    expect(await members()).toEqual([sub]);
    anna.attributes.memberOf = [];
    expect(await stage.try(id, 'anna', 'right')).toBe(sub);
    expect(await members()).toEqual([]);
  });
});

async function orgOf(userId: string): Promise<string> {
  const [user] = await world.sql<{ orgId: string }>`SELECT org_id AS "orgId" FROM user_account WHERE id = ${userId}`;
  return user!.orgId;
}
