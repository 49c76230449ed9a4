import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { OrgService } from '../../src/org/org.service.js';
import { ProjectService } from '../../src/project/project.service.js';
import { exchangeAssertion, signAssertion } from '../support/assertion.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { send } from '../support/http.js';
import { answerOf, basicAuth, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { expectInactive } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const audienceScope = (id: string): string => `urn:service:iam:org:project:id:${id}:aud`;

let world: World;
let alice: TestPerson;
/** With JWT access tokens, which show their audience. */
let web4: RelyingParty;
let projectP: string;
let projectQ: string;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  web4 = new RelyingParty(world, await world.cast.web4);
  [projectP, projectQ] = [await world.cast.projectP, await world.cast.projectQ];
  await Promise.all([world.cast.web3, world.cast.api2]);
});
afterAll(() => world.close());

const setProject = (id: string, state: 'active' | 'inactive') =>
  world.transaction((tx) => world.get(ProjectService).changeState(tx, id, state, EDITOR));

describe('An audience scope: aud is the client, its project, and each project named by an audience scope', () => {
  it('is granted for a project of any organization', async () => {
    const tokens = await web4.tokens(alice, { scope: `openid ${audienceScope(projectQ)}` });
    expect(tokens.scope).toBe(`openid ${audienceScope(projectQ)}`);
    expect(decodeJwt(tokens.access_token).aud).toEqual(['web4', projectP, projectQ]);
    const api2 = new RelyingParty(world, await world.cast.api2);
    expect((await api2.introspect(tokens.access_token)).json()).toMatchObject({ active: true, client_id: 'web4' });
  });

  it.each<[string, () => Promise<string>]>([
    ['the client id of another application', async () => 'web3'],
    ['the id of another application', async () => (await world.cast.web3).id],
    ['an address', async () => 'https://pay.example'],
    ['an organization', async () => (await world.cast.orgB).id],
    ['a person', async () => alice.id],
    ['nothing that exists', async () => '4711'],
    ['more than an id can hold', async () => '7'.repeat(1000)],
  ])('is dropped when it names %s', async (_, name) => {
    const scope = `openid ${audienceScope(await name())}`;
    const tokens = await web4.tokens(alice, { scope });
    expect([tokens.scope, decodeJwt(tokens.access_token).aud]).toEqual(['openid', ['web4', projectP]]);
    expectInactive(await new RelyingParty(world, await world.cast.web3).introspect(tokens.access_token));
    const imp1 = new RelyingParty(world, await world.cast.imp1);
    expect((await imp1.signIn(alice, { scope }))['scope']).toBe('openid');
    const svc1 = await world.cast.svc1;
    const service = {
      headers: basicAuth(svc1.userName, svc1.secret),
      body: { grant_type: 'client_credentials', scope },
    };
    expect((await send(world.origin, { method: 'POST', path: paths.token, ...service })).json()['scope']).toBe(
      'openid',
    );
    expect(
      (await exchangeAssertion(world, await signAssertion(world, svc1.key, svc1.id), { scope })).json()['scope'],
    ).toBe('openid');
  });

  it('is dropped while its project, or the organization of it, is not active', async () => {
    const { id: orgId } = await world.add.org();
    const projectId = await world.add.project({ orgId });
    const granted = async (): Promise<string> =>
      (await web4.tokens(alice, { scope: `openid ${audienceScope(projectId)}` })).scope;
    const setOrg = (state: 'active' | 'inactive') =>
      world.transaction((tx) => world.get(OrgService).changeState(tx, orgId, state, EDITOR));
    expect(await granted()).toContain(projectId);
    for (const set of [setOrg, (state: 'active' | 'inactive') => setProject(projectId, state)]) {
      await set('inactive');
      expect(await granted()).toBe('openid');
      await set('active');
      expect(await granted()).toContain(projectId);
    }
  });

  it('is granted as soon as the project exists: its absence is not cached', async () => {
    const id = 'later';
    const ask = async (): Promise<string> => (await web4.tokens(alice, { scope: `openid ${audienceScope(id)}` })).scope;
    expect(await ask()).toBe('openid');
    await world.add.project({ id, orgId: alice.orgId });
    expect(await ask()).toContain(audienceScope(id));
  });

  it('is dropped from a code and from a refresh token if the project was removed since', async () => {
    const projectId = await world.add.project({ orgId: alice.orgId });
    const scope = `openid offline_access ${audienceScope(projectId)}`;
    const code = await web4.code(alice, { scope });
    const first = await web4.tokens(alice, { scope });
    await setProject(projectId, 'inactive');
    for (const reply of [await web4.redeem(code), await web4.refresh(first.refresh_token)]) {
      const tokens = tokensOf(reply);
      expect([tokens.scope, decodeJwt(tokens.access_token).aud]).toEqual(['openid offline_access', ['web4', projectP]]);
    }
  });

  it('costs a statement only if the project is not in memory, and at most twenty however many are named', async () => {
    await web4.signIn(alice);
    const statements = async (ids: readonly string[]): Promise<number> => {
      const scope = ['openid', ...ids.map(audienceScope)].join(' ');
      const sent = await statementsDuring(async () =>
        expect(answerOf((await web4.authorize({ scope, prompt: 'none' })).redirect!)['code']).toBeDefined(),
      );
      return sent.filter((text) => text.startsWith('project.active')).length;
    };
    await world.changesToArrive();
    await statements([projectQ]);
    expect(await statements([projectQ])).toBe(0);
    expect(await statements(Array.from({ length: 80 }, (_, i) => `n${i}`))).toBe(20);
  });
});
