import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { OrgService } from '../../src/org/org.service.js';
import { ClientService } from '../../src/project/client/client.service.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { ProjectService } from '../../src/project/project.service.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { type Parameters, type Reply, send } from '../support/http.js';
import { basicAuth, bearer, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { actedBy, exchangeOf, ID_TOKEN_TYPE, JWT_TYPE, USER_ID_TYPE } from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let alice: TestPerson;
/** Acts for alice. */
let support: TestPerson;
/** Its users and its service call `back`. */
let orgId: string;
/** Of another project than all others, exchanges and introspects. */
let back: RelyingParty;
let scope: string;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  support = await world.add.person({ orgId: alice.orgId });
  await world.add.member(support.id, ['ORG_END_USER_IMPERSONATOR'], {
    level: 'org',
    objectId: alice.orgId,
    orgId: alice.orgId,
  });
  await world.get(InstanceService).setImpersonation(true, EDITOR);
  await world.changesToArrive();
  orgId = (await world.add.org()).id;
  back = await exchangerOf(await world.cast.projectP);
  scope = `openid urn:service:iam:org:project:id:${await world.cast.projectP}:aud`;
});
afterAll(() => world.close());
beforeEach(() => world.clock.advance('1m'));

async function exchangerOf(projectId: string, over: Partial<ClientSettings> = {}): Promise<RelyingParty> {
  return new RelyingParty(
    world,
    await world.add.client({
      projectId,
      grantTypes: ['authorization_code', 'refresh_token', 'token_exchange'],
      ...over,
    }),
  );
}

interface Front {
  readonly rp: RelyingParty;
  readonly projectId: string;
}

/** In a project of its own, and in another organization than the users unless it says so. */
async function makeFront(over: Partial<ClientSettings> = {}, ofOrg = orgId): Promise<Front> {
  const projectId = await world.add.project({ orgId: ofOrg });
  return { rp: new RelyingParty(world, await world.add.client({ projectId, ...over })), projectId };
}

async function tokenOf({ rp }: Front, person = alice): Promise<string> {
  return (await rp.elsewhere().tokens(person, { scope })).access_token;
}

async function exchanged(token: string, over: Parameters = {}, rp = back): Promise<string> {
  return tokensOf(await rp.token(exchangeOf(token, over))).access_token;
}

function outcomeOf(reply: Reply): string {
  return reply.status === 200 ? 'ok' : reply.json<{ error: string }>().error;
}

async function isActive(token: string): Promise<boolean> {
  const isShown = (await back.introspect(token)).json()['active'] === true;
  const userinfo = await send(world.origin, { path: paths.userinfo, headers: bearer(token) });
  expect(userinfo.status).toBe(isShown ? 200 : 401);
  return isShown;
}

type State = 'active' | 'inactive';

const switches: ReadonlyArray<[string, (front: Front, state: State) => Promise<unknown>]> = [
  [
    'the application',
    async ({ rp }, state) =>
      world.transaction((tx) => world.get(ClientService).changeState(tx, rp.client.id, state, EDITOR)),
  ],
  [
    'its project',
    async ({ projectId }, state) =>
      world.transaction((tx) => world.get(ProjectService).changeState(tx, projectId, state, EDITOR)),
  ],
  [
    'its organization',
    async (_, state) => world.transaction((tx) => world.get(OrgService).changeState(tx, orgId, state, EDITOR)),
  ],
];

async function remove({ rp }: Front): Promise<void> {
  await world.transaction((tx) => world.get(ClientService).remove(tx, rp.client.id, EDITOR));
  await world.changesToArrive();
}

/** Another application, under the same client id. */
async function replace(front: Front, over: Partial<ClientSettings> = {}): Promise<RelyingParty> {
  await remove(front);
  const { projectId, rp } = front;
  const client = await world.add.client({ projectId, clientId: rp.client.clientId, ...over });
  await world.changesToArrive();
  return new RelyingParty(world, client);
}

describe('A token that was exchanged ends with the application of the token before it', () => {
  it.each(switches)('for as long as %s is inactive [TEX-010]', async (_, set) => {
    const front = await makeFront();
    const given = await tokenOf(front);
    const tokens = [given, await exchanged(given), await exchanged(given, { requested_token_type: JWT_TYPE })];
    expect(await Promise.all(tokens.map(isActive))).toEqual([true, true, true]);
    await set(front, 'inactive');
    expect(await Promise.all(tokens.map(isActive))).toEqual([false, false, false]);
    for (const token of tokens) expect(outcomeOf(await back.token(exchangeOf(token)))).toBe('invalid_request');
    await set(front, 'active');
    expect(await Promise.all(tokens.map(isActive))).toEqual([true, true, true]);
  });

  it('when it is removed, also if another one has its client id then [TEX-010]', async () => {
    const [gone, replaced] = [await makeFront(), await makeFront()];
    const tokens = [await exchanged(await tokenOf(gone)), await exchanged(await tokenOf(replaced))];
    await remove(gone);
    await replace(replaced);
    expect(await Promise.all(tokens.map(isActive))).toEqual([false, false]);
  });

  it('wherever it stands in a row of exchanges [TEX-008, TEX-010]', async () => {
    const projectId = await world.cast.projectP;
    const front = await makeFront();
    const [one, two] = [await exchangerOf(projectId), await exchangerOf(projectId)];
    const first = await exchanged(await tokenOf(front), {}, one);
    const second = await exchanged(first, {}, two);
    const third = await exchanged(second);
    const all = [first, second, third];
    const [[, setClient] = []] = switches;
    for (const [rp, expected] of [
      [front.rp, [false, false, false]],
      [one, [false, false, false]],
      [two, [true, false, false]],
      [back, [true, true, false]],
    ] as const) {
      const at = back === rp ? one : back;
      const states = () =>
        Promise.all(all.map(async (token) => (await at.introspect(token)).json()['active'] === true));
      await setClient!({ rp, projectId }, 'inactive');
      expect(await states()).toEqual(expected);
      await setClient!({ rp, projectId }, 'active');
      expect(await states()).toEqual([true, true, true]);
    }
  });

  it('also where the user is only named, and where the one who acts has exchanged their token before [TEX-009]', async () => {
    // Whoever acts does so by a role, which counts at the applications of that organization.
    const [ofUser, ofActor] = [await makeFront(), await makeFront({}, alice.orgId)];
    const [subject, actor] = [await tokenOf(ofUser), await tokenOf(ofActor, support)];
    const actorAgain = await exchanged(actor);
    const forId = { subject_token_type: USER_ID_TYPE };
    const tokens = [
      await exchanged(subject, actedBy(actor)),
      await exchanged(subject, actedBy(actorAgain)),
      await exchanged(alice.id, { ...actedBy(actor), ...forId }),
      await exchanged(alice.id, { ...actedBy(actorAgain), ...forId }),
    ];
    const nested = await exchanged(tokens[1]!);
    const states = () => Promise.all([...tokens, nested].map(isActive));
    const [[, setClient] = []] = switches;
    expect(await states()).toEqual([true, true, true, true, true]);
    await setClient!(ofUser, 'inactive');
    expect(await states()).toEqual([false, false, true, true, false]);
    expect(outcomeOf(await back.token(exchangeOf(subject, actedBy(actor))))).toBe('invalid_request');
    await setClient!(ofUser, 'active');
    await setClient!(ofActor, 'inactive');
    expect(await states()).toEqual([false, false, false, false, false]);
    for (const one of [actor, actorAgain])
      expect(outcomeOf(await back.token(exchangeOf(alice.id, { ...actedBy(one), ...forId })))).toBe('invalid_request');
  });

  it('and not with a service user, who is none [TEX-010]', async () => {
    const service = await world.add.service({ orgId: alice.orgId });
    const own = tokensOf(
      await send(world.origin, {
        method: 'POST',
        path: paths.token,
        headers: basicAuth(service.userName, service.secret),
        body: { grant_type: 'client_credentials', scope },
      }),
    ).access_token;
    expect(await isActive(await exchanged(await exchanged(own)))).toBe(true);
  });

  it('by one statement, as for any other token', async () => {
    const token = await exchanged(await exchanged(await tokenOf(await makeFront())));
    const statements = async (): Promise<string[]> =>
      (await statementsDuring(() => back.introspect(token))).filter((text) => text.startsWith('token.'));
    await statements();
    expect((await statements()).map((text) => text.split(':')[0])).toEqual(['token.alive_exchanged']);
    expect((await statementsDuring(() => exchanged(token))).filter((text) => text.startsWith('token.'))).toHaveLength(
      1,
    );
  });
});

describe('An ID token in an exchange', () => {
  it('is worth nothing to another application that has the same client id now [TEX-012]', async () => {
    const grantTypes: ClientSettings['grantTypes'] = ['authorization_code', 'token_exchange'];
    const front = await makeFront({ grantTypes }, alice.orgId);
    const asId = { subject_token_type: ID_TOKEN_TYPE };
    const { id_token: id } = await front.rp.elsewhere().tokens(alice, { scope });
    const token = await exchanged(id, asId, front.rp);
    expect((await front.rp.userinfo(token)).status).toBe(200);
    world.clock.advance('1m');
    const other = await replace(front, { grantTypes });
    expect((await other.userinfo(token)).status).toBe(401);
    expect(outcomeOf(await other.token(exchangeOf(id, asId)))).toBe('invalid_request');
    const { id_token: own } = await other.elsewhere().tokens(alice, { scope });
    expect(outcomeOf(await other.token(exchangeOf(own, asId)))).toBe('ok');
    const { id_token: ofActor } = await other.elsewhere().tokens(support, { scope });
    const asActor = { actor_token: ofActor, actor_token_type: ID_TOKEN_TYPE };
    expect(outcomeOf(await other.token(exchangeOf(own, { ...asId, ...asActor })))).toBe('ok');
  });
});
