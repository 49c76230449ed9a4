import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OrgService } from '../../src/org/org.service.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { ProjectService } from '../../src/project/project.service.js';
import { SessionService } from '../../src/session/session.service.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import type { Reply } from '../support/http.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
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

describe('Settings of an application that became stricter', () => {
  type Stricter = Parameters<ClientService['changeSettings']>[2];
  const cases: ReadonlyArray<readonly [what: string, stricter: Stricter, error: string]> = [
    ['pushed requests', { requirePushedRequests: true }, 'invalid_request'],
    ['signed requests', { requireSignedRequests: true }, 'invalid_request'],
    ['PKCE, as a public one', { authMethod: 'none' }, 'invalid_request'],
    ['another response type', { responseTypes: ['id_token'], grantTypes: ['implicit'] }, 'unauthorized_client'],
  ];
  const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined };
  const partyWith = async (): Promise<{ rp: RelyingParty; become: (settings: Stricter) => Promise<void> }> => {
    const client = await world.add.client({ projectId: await world.cast.projectP, jwksUri: 'https://rp.test/keys' });
    const rp = new RelyingParty(world, client);
    const become = async (settings: Stricter): Promise<void> => {
      await world.transaction((tx) => world.get(ClientService).changeSettings(tx, client.id, settings, EDITOR));
      await world.changesToArrive();
      if (settings.authMethod) Object.assign(client, { authMethod: settings.authMethod });
    };
    return { rp, become };
  };

  it.each(cases)('count for sign-ins that are under way: %s [AUT-137]', async (_, stricter, error) => {
    const { rp, become } = await partyWith();
    const person = await world.cast.alice;
    const opened = await rp.authorize(withoutPkce);
    await become(stricter);
    expect(rp.toAnswer(await rp.enter(opened, person))).toMatchObject({ error });
    // Also where somebody has signed in already.
    const later = await partyWith();
    await later.rp.signIn(person);
    world.clock.advance('1m');
    const choosing = await later.rp.authorize({ ...withoutPkce, prompt: 'login' });
    await later.become(stricter);
    expect(later.rp.toAnswer(await later.rp.enter(choosing, person))).toMatchObject({ error });
  });

  it.each(cases)('count for codes that are not redeemed yet: %s [AUT-137]', async (_, stricter) => {
    const { rp, become } = await partyWith();
    const code = await rp.code(await world.cast.alice, withoutPkce);
    await become(stricter);
    const reply = await rp.redeem(code, { code_verifier: undefined });
    expect([reply.status, reply.json<{ error: string }>().error]).toEqual([
      400,
      'responseTypes' in stricter ? 'unauthorized_client' : 'invalid_grant',
    ]);
  });

  it('take refresh tokens from codes that are not redeemed yet [AUT-137]', async () => {
    const { rp, become } = await partyWith();
    const code = await rp.code(await world.cast.alice, { scope: 'openid offline_access' });
    await become({ grantTypes: ['authorization_code'] });
    const tokens = tokensOf(await rp.redeem(code));
    expect([tokens.refresh_token, tokens.scope]).toEqual([undefined, 'openid']);
    expect(await world.rows('SELECT id FROM token_family WHERE client_id = $1', [rp.client.clientId])).toEqual([]);
  });

  it('that became more lenient refuse nothing', async () => {
    const { rp, become } = await partyWith();
    const opened = await rp.authorize();
    await become({
      grantTypes: ['authorization_code', 'refresh_token', 'implicit'],
      responseTypes: ['code', 'id_token'],
    });
    const { code } = rp.toAnswer(await rp.enter(opened, await world.cast.alice));
    expect((await rp.redeem(code!)).status).toBe(200);
  });
});
