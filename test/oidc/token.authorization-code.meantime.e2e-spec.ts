import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ClientService } from '../../src/client/client.service.js';
import { OrgService } from '../../src/org/org.service.js';
import { ProjectService } from '../../src/project/project.service.js';
import { SessionService } from '../../src/session/session.service.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import type { Reply } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { expectToken400, expectToken401 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('Between the code and its redemption', () => {
  async function redeemAfter(
    change: (person: TestPerson, rp: RelyingParty) => Promise<unknown>,
    undo?: () => Promise<unknown>,
  ): Promise<Reply> {
    const person = await world.add.person({ orgId: (await world.cast.orgB).id });
    const rp = new RelyingParty(world, await world.cast.web3);
    const code = await rp.code(person, { scope: 'openid offline_access' });
    await change(person, rp);
    const reply = await rp.redeem(code);
    await undo?.();
    return reply;
  }
  const users = (): UserService => world.get(UserService);

  it.each<[string, (person: TestPerson) => Promise<unknown>]>([
    ['deactivated', (person) => world.transaction((tx) => users().changeState(tx, person.id, 'inactive', EDITOR))],
    ['locked', (person) => world.transaction((tx) => users().changeState(tx, person.id, 'locked', EDITOR))],
    ['deleted', (person) => world.transaction((tx) => users().remove(tx, person.id, EDITOR))],
    ['given another password', (person) => world.add.newPassword(person.id, 'Another-Horse-8')],
    [
      'signed out',
      async (person) => {
        const rows = await world.rows<{ id: string }>('SELECT id FROM session WHERE user_id = $1', [person.id]);
        await world.transaction((tx) =>
          world.get(SessionService).end(
            tx,
            rows.map(({ id }) => id),
          ),
        );
      },
    ],
  ])('the user was %s: no token [TOK-011]', async (_, change) => {
    expectToken400(await redeemAfter(change), 'invalid_grant');
  });

  it('the organization was deactivated: no token [TOK-012]', async () => {
    const set = (state: 'active' | 'inactive') =>
      world.transaction(async (tx) => world.get(OrgService).changeState(tx, (await world.cast.orgB).id, state, EDITOR));
    expect([400, 401]).toContain(
      (
        await redeemAfter(
          () => set('inactive'),
          () => set('active'),
        )
      ).status,
    );
  });

  it('the project was deactivated: no token [TOK-012]', async () => {
    const set = (state: 'active' | 'inactive') =>
      world.transaction(async (tx) =>
        world.get(ProjectService).changeState(tx, await world.cast.projectQ, state, EDITOR),
      );
    expectToken401(
      await redeemAfter(
        () => set('inactive'),
        () => set('active'),
      ),
    );
  });

  it('the redirect URI was taken from the client: no token [TOK-012]', async () => {
    const change = (redirectUris: string[]) =>
      world.transaction(async (tx) =>
        world.get(ClientService).changeSettings(tx, (await world.cast.web3).id, { redirectUris }, EDITOR),
      );
    expectToken400(
      await redeemAfter(
        () => change(['https://rp3.test/other']),
        () => change(['https://rp3.test/cb']),
      ),
      'invalid_grant',
    );
  });

  it('the client lost the grant: no token', async () => {
    const change = (grantTypes: Array<'authorization_code' | 'refresh_token'>, responseTypes: Array<'code'>) =>
      world.transaction(async (tx) =>
        world.get(ClientService).changeSettings(tx, (await world.cast.web3).id, { grantTypes, responseTypes }, EDITOR),
      );
    expectToken400(
      await redeemAfter(
        () => change([], []),
        () => change(['authorization_code', 'refresh_token'], ['code']),
      ),
      'unauthorized_client',
    );
  });
});
