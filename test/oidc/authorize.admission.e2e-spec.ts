import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestPerson } from '../support/builders.js';
import { answerOf, RelyingParty } from '../support/relying-party.js';
import { expectAuthorizeRefusal, expectRefusal } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let alice: TestPerson;
let carol: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  [alice, carol] = [await world.cast.alice, await world.cast.carol];
});
afterAll(() => world.close());

async function clientOf(
  checks: { projectRoleCheck?: boolean; hasProjectCheck?: boolean },
  implicit = false,
): Promise<{ rp: RelyingParty; projectId: string }> {
  const projectId = await world.add.project({ orgId: alice.orgId, ...checks }, ['reader']);
  const client = await world.add.client({
    projectId,
    ...(implicit
      ? { authMethod: 'none', clientType: 'user_agent', responseTypes: ['id_token token'], grantTypes: ['implicit'] }
      : {}),
  });
  return { rp: new RelyingParty(world, client), projectId };
}

describe('A project that admits only holders of its roles', () => {
  it.each([false, true])(
    'refuses all others, with a fresh sign-in, with a session and silently (implicit: %p)',
    async (implicit) => {
      const { rp, projectId } = await clientOf({ projectRoleCheck: true }, implicit);
      const mode = { mode: implicit ? 'fragment' : 'query' } as const;
      expectRefusal(rp, await rp.enter(await rp.authorize(), alice), 'access_denied', mode);
      await expectAuthorizeRefusal(rp, {}, 'access_denied', mode);
      await expectAuthorizeRefusal(rp, { prompt: 'none' }, 'access_denied', mode);
      await world.add.grant(alice.id, projectId, alice.orgId, ['reader']);
      const answer = answerOf((await rp.authorize({ prompt: 'none' })).redirect!);
      expect(answer[implicit ? 'access_token' : 'code']).toBeDefined();
    },
  );

  it('ignores roles of other projects', async () => {
    const { rp } = await clientOf({ projectRoleCheck: true });
    const other = await world.add.project({ orgId: alice.orgId }, ['reader']);
    const person = await world.add.person({ orgId: alice.orgId });
    await world.add.grant(person.id, other, alice.orgId, ['reader']);
    expectRefusal(rp, await rp.enter(await rp.authorize(), person), 'access_denied');
  });
});

describe('A project that admits only users of its organization', () => {
  it.each([false, true])(
    'refuses others in the same way, with a fresh sign-in, with a session and silently (implicit: %p)',
    async (implicit) => {
      const { rp } = await clientOf({ hasProjectCheck: true }, implicit);
      const mode = { mode: implicit ? 'fragment' : 'query' } as const;
      expectRefusal(rp, await rp.enter(await rp.authorize(), carol), 'access_denied', mode);
      await expectAuthorizeRefusal(rp, {}, 'access_denied', mode);
      await expectAuthorizeRefusal(rp, { prompt: 'none' }, 'access_denied', mode);
      expect((await rp.elsewhere().signIn(alice))[implicit ? 'access_token' : 'code']).toBeDefined();
    },
  );

  it('lets another account be chosen when the client asks for that', async () => {
    const { rp } = await clientOf({ hasProjectCheck: true });
    expectRefusal(rp, await rp.enter(await rp.authorize(), carol), 'access_denied');
    const chooser = await rp.authorize({ prompt: 'select_account' });
    const arrival = await rp.enter(await rp.browser.press(chooser.page!, /\/loginname/), alice);
    expect(answerOf(arrival.redirect!)['code']).toBeDefined();
  });

  it('logs who was refused, at which client', async () => {
    const { rp } = await clientOf({ hasProjectCheck: true });
    await rp.enter(await rp.authorize(), carol);
    expect(world.logText()).toMatch(
      new RegExp(`"reason":"oidc.user_not_admitted".*"clientId":"${rp.client.clientId}","userId":"${carol.id}"`),
    );
  });
});
