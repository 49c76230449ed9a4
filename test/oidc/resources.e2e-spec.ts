import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { ProjectService } from '../../src/project/project.service.js';
import { GrpcClient, methodsOf } from '../grpc/grpc-clients.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import { EDITOR, type TestClient, type TestPerson } from '../support/builders.js';
import { Device } from '../support/device.js';
import { send } from '../support/http.js';
import { answerOf, basicAuth, paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { expectRefusal, expectToken400 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const FILES = 'https://files.example.test/mcp';
const MAIL = 'urn:example:mail';
const OTHERS = 'https://others.example.test/';
const UNKNOWN = 'https://unknown.example.test/';

let world: World;
let alice: TestPerson;
let client: TestClient;
let rp: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  client = await world.add.client({ projectId: await world.cast.projectP, accessTokenType: 'jwt' });
  await register(await world.cast.projectP, FILES, MAIL);
  await register(await world.cast.projectQ, OTHERS);
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.advance('1m');
  rp = new RelyingParty(world, client);
});

async function register(projectId: string, ...uris: readonly string[]): Promise<void> {
  await world.transaction((tx) => world.get(ProjectService).setResources(tx, projectId, uris, EDITOR));
  await world.changesToArrive();
}

function audienceOf({ access_token: token }: Pick<Tokens, 'access_token'>): unknown {
  return decodeJwt(token).aud;
}

describe('A token for protected resources (RFC 8707)', () => {
  it('names those that the token request chooses among the granted ones, and nothing else [RES-001]', async () => {
    const resource = [FILES, MAIL];
    expect(audienceOf(await rp.tokens(alice, { resource }))).toEqual([FILES, MAIL]);
    const code = await rp.code(alice, { resource });
    expect(audienceOf(tokensOf(await rp.redeem(code, { resource: MAIL })))).toEqual([MAIL]);
    const plain = audienceOf(await rp.tokens(alice));
    expect(plain).toEqual([client.clientId, await world.cast.projectP]);
  });

  it('names a resource as it was registered, however its host is spelled', async () => {
    expect(audienceOf(await rp.tokens(alice, { resource: 'HTTPS://Files.Example.TEST/mcp' }))).toEqual([FILES]);
    expect(audienceOf(await rp.tokens(alice, { resource: OTHERS.slice(0, -1) }))).toEqual([OTHERS]);
  });

  it('is refused for one that was not granted, and the code is not used up [RES-002]', async () => {
    const code = await rp.code(alice, { resource: FILES });
    for (const resource of [MAIL, [FILES, MAIL], UNKNOWN, `${FILES}#part`, '/mcp', 'files'])
      expectToken400(await rp.redeem(code, { resource }), 'invalid_target');
    expect(audienceOf(tokensOf(await rp.redeem(code, { resource: FILES })))).toEqual([FILES]);
    const without = await rp.code(alice);
    expectToken400(await rp.redeem(without, { resource: FILES }), 'invalid_target');
    expect((await rp.redeem(without)).status).toBe(200);
  });

  it.each([
    ['unknown', UNKNOWN],
    ['relative', '/mcp'],
    ['with a fragment', `${FILES}#part`],
    ['six of them', Array.from({ length: 6 }, (_, n) => `${FILES}/${n}`)],
    ['one of two unknown', [FILES, UNKNOWN]],
  ])('is refused at the authorization endpoint: %s [RES-002]', async (_, resource) => {
    expectRefusal(rp, await rp.authorize({ resource }), 'invalid_target');
  });

  it('can be asked for in a form of another site, too', async () => {
    const reply = await rp.browser.request('POST', paths.authorize, rp.parameters({ resource: [FILES, MAIL] }), {
      'Sec-Fetch-Site': 'cross-site',
    });
    expect(new URL(reply.location!, world.issuer).searchParams.getAll('resource')).toEqual([FILES, MAIL]);
    const other = await rp.browser.request('POST', paths.authorize, rp.parameters({ scope: ['openid', 'email'] }), {
      'Sec-Fetch-Site': 'cross-site',
    });
    expect(other.status).toBe(400);
  });

  it('is for all that was granted again after a narrower one [RES-004]', async () => {
    const tokens = await rp.tokens(alice, { scope: 'openid offline_access', resource: [FILES, MAIL] });
    const narrow = tokensOf(await rp.refresh(tokens.refresh_token, { resource: FILES }));
    expect(audienceOf(narrow)).toEqual([FILES]);
    expectToken400(await rp.refresh(narrow.refresh_token, { resource: OTHERS }), 'invalid_target');
    const all = tokensOf(await rp.refresh(narrow.refresh_token));
    expect(audienceOf(all)).toEqual([FILES, MAIL]);
  });

  it('is active at introspection for the project that owns the resource, and for no other [RES-003]', async () => {
    const [ours, theirs] = [
      new RelyingParty(world, await world.cast.api1),
      new RelyingParty(world, await world.cast.api2),
    ];
    const { access_token: forFiles } = await rp.tokens(alice, { resource: FILES });
    expect((await ours.introspect(forFiles)).json()).toMatchObject({ active: true, sub: alice.id, aud: [FILES] });
    expect((await theirs.introspect(forFiles)).json()).toEqual({ active: false });
    const { access_token: forOthers } = await rp.tokens(alice, { resource: OTHERS });
    expect((await ours.introspect(forOthers)).json()).toEqual({ active: false });
    expect((await rp.introspect(forOthers)).json()).toEqual({ active: false });
    expect((await theirs.introspect(forOthers)).json()['active']).toBe(true);
  });

  it('is taken by userinfo, and not by the administrative API on either wire, whatever its scopes are [RES-006]', async () => {
    const scope = 'openid email urn:service:iam:org:project:id:service:aud';
    await world.add.member(alice.id, ['ORG_OWNER'], { level: 'org', objectId: alice.orgId, orgId: alice.orgId });
    const path = '/management/v1/projects/_search';
    const ask = async (token: string): Promise<number> =>
      (
        await send(world.origin, {
          method: 'POST',
          path,
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: '{}',
        })
      ).status;
    const { access_token: wide } = await rp.tokens(alice, { scope });
    const { access_token: token } = await rp.tokens(alice, { scope, resource: FILES });
    expect([await ask(wide), await ask(token)]).toEqual([200, 401]);
    const { ListProjects } = methodsOf('service.management.v1.ManagementService');
    const grpc = new GrpcClient(world.origin);
    for (const [authorization, code] of [
      [`Bearer ${wide}`, 0],
      [`Bearer ${token}`, 16],
    ] as const)
      expect((await grpc.call(ListProjects!, {}, { authorization })).code).toBe(code);
    grpc.close();
    expect((await rp.userinfo(token)).json()['email']).toBe(alice.email);
  });

  it.each(['opaque', 'jwt'] as const)('is issued to service users with %s tokens as well', async (accessTokenType) => {
    const service = await world.add.service({ orgId: alice.orgId, accessTokenType });
    const reply = await send(world.origin, {
      method: 'POST',
      path: paths.token,
      headers: basicAuth(service.userName, service.secret),
      body: { grant_type: 'client_credentials', scope: 'openid', resource: FILES },
    });
    const api = new RelyingParty(world, await world.cast.api1);
    expect((await api.introspect(tokensOf(reply).access_token)).json()).toMatchObject({ active: true, aud: [FILES] });
  });

  it('is issued to devices, and in an implicit answer', async () => {
    const device = new Device(
      world,
      await world.add.client({
        projectId: await world.cast.projectP,
        authMethod: 'none',
        accessTokenType: 'jwt',
        grantTypes: ['device_code', 'refresh_token'],
        redirectUris: [],
      }),
    );
    const codes = await device.start({ scope: 'openid offline_access', resource: [FILES] });
    await device.approve(codes, alice);
    const tokens = tokensOf(await device.poll(codes));
    expect(audienceOf(tokens)).toEqual([FILES]);
    expect(audienceOf(tokensOf(await device.client.refresh(tokens.refresh_token)))).toEqual([FILES]);
    const spa = new RelyingParty(world, await world.cast.imp1);
    const { access_token: token = '' } = await spa.signIn(alice, { resource: FILES });
    const api = new RelyingParty(world, await world.cast.api1);
    expect((await api.introspect(token)).json()).toMatchObject({ active: true, aud: [FILES] });
  });

  it('is not issued any more once the resource is gone, or its project inactive [RES-005]', async () => {
    const projectId = await world.add.project({ orgId: alice.orgId });
    await register(projectId, 'urn:example:fleeting', 'urn:example:lasting');
    const resource = ['urn:example:fleeting', 'urn:example:lasting'];
    let { refresh_token: token } = await rp.tokens(alice, { scope: 'openid offline_access', resource });
    const code = await rp.code(alice, { resource: 'urn:example:fleeting' });
    await register(projectId, 'urn:example:lasting');
    const rest = tokensOf(await rp.refresh(token));
    expect(audienceOf(rest)).toEqual(['urn:example:lasting']);
    expectToken400(await rp.redeem(code), 'invalid_target');
    token = rest.refresh_token;
    await world.transaction((tx) => world.get(ProjectService).changeState(tx, projectId, 'inactive', EDITOR));
    await world.changesToArrive();
    expectToken400(await rp.refresh(token), 'invalid_target');
  });

  it('may be asked for without effect where the instance ignores unknown resources', async () => {
    const lenient = await startWorld({ replicaOf: world, env: { UNKNOWN_RESOURCE: 'ignore' } });
    const there = new RelyingParty(lenient, client);
    const answer = answerOf(
      (await there.enter(await there.authorize({ resource: UNKNOWN }), alice)).redirect ?? 'no answer',
    );
    const reply = await there.redeem(answer['code']!, { resource: UNKNOWN });
    expect(audienceOf(tokensOf(reply))).toEqual([client.clientId, await world.cast.projectP]);
    expect(audienceOf(await there.tokens(alice, { resource: [UNKNOWN, FILES] }))).toEqual([FILES]);
    expectRefusal(there, await there.authorize({ resource: '/mcp' }), 'invalid_target');
    await lenient.close();
  });
});

describe('The protected resources of a project', () => {
  it('are set and listed by its managers, each for one project of the instance only [RES-005]', async () => {
    const admin = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal());
    const orgId = world.firstStart.orgId;
    const [one, other] = [await world.add.project({ orgId }), await world.add.project({ orgId })];
    const at = (id: string): string => `/management/v1/projects/${id}/resources`;
    const uris = ['https://a.example.test/', 'urn:example:a'];
    expect((await admin.ask('PUT', at(one), { uris: [...uris, 'HTTPS://A.example.test'] })).status).toBe(200);
    expect((await admin.ask('GET', at(one))).json()['uris']).toEqual(['HTTPS://A.example.test', 'urn:example:a']);
    expect((await admin.ask('PUT', at(one), { uris })).status).toBe(200);
    expect((await admin.ask('GET', at(one))).json()['uris']).toEqual(uris);
    expect(await admin.verdict('PUT', at(other), { uris: ['https://A.EXAMPLE.test'] })).toBe(
      '409 project.resource_taken',
    );
    expect((await admin.ask('PUT', at(other), { uris: ['https://b.example.test/', 'urn:example:a'] })).status).toBe(
      409,
    );
    expect((await admin.ask('GET', at(other))).json()['uris']).toEqual([]);
    const { clientId } = await world.add.client({ projectId: one, clientId: 'https://client.example.test/' });
    for (const uri of ['/relative', 'https://x.test/#a', `${world.issuer}/oauth/v2/token`, clientId])
      expect((await admin.ask('PUT', at(one), { uris: [uri] })).status).toBe(400);
    expect((await admin.ask('PUT', at(one), { uris: [] })).status).toBe(200);
    expect((await admin.ask('PUT', at(other), { uris })).status).toBe(200);
    const foreign = await world.cast.projectQ;
    expect((await admin.ask('GET', at(foreign))).status).toBe(404);
    expect((await admin.ask('PUT', at(foreign), { uris: [] })).status).toBe(404);
  });

  it('are not removed by a body that does not name the list, and are by an empty one [ADM-088]', async () => {
    const admin = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal());
    const id = await world.add.project({ orgId: world.firstStart.orgId });
    const at = `/management/v1/projects/${id}/resources`;
    const uris = ['urn:example:kept'];
    expect((await admin.ask('PUT', at, { uris })).status).toBe(200);
    for (const body of [{ uri: uris }, {}, { uris: null }]) {
      const refused = await admin.ask('PUT', at, body);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('uris: must be sent')]);
    }
    expect((await admin.ask('GET', at)).json()['uris']).toEqual(uris);
    expect((await admin.ask('PUT', at, { uris: [] })).status).toBe(200);
    expect((await admin.ask('GET', at)).json()['uris']).toEqual([]);
  });

  it('are taken over from another organization by owners of the instance alone, which both journals tell [RES-057]', async () => {
    const [orgA, orgB] = [await world.cast.orgA, await world.cast.orgB];
    const [squatter, rightful] = [
      await world.add.project({ orgId: orgB.id }),
      await world.add.project({ orgId: orgA.id }),
    ];
    await register(squatter, 'https://victim.example.test/', 'urn:example:own');
    const at = `/management/v1/projects/${rightful}/resources`;
    const uris = ['https://victim.example.test/'];
    const { api: owner } = await callerWith(world, orgA, ['IAM_OWNER']);
    const { api: asManager } = await callerWith(world, orgA, ['ORG_OWNER']);
    expect((await asManager.ask('PUT', at, { uris, takeOver: true })).status).toBe(403);
    expect(await owner.verdict('PUT', at, { uris })).toBe('409 project.resource_taken');
    expect((await owner.ask('PUT', at, { uris, takeOver: true })).status).toBe(200);
    expect((await owner.ask('GET', at)).json()['uris']).toEqual(uris);
    expect(await world.rows('SELECT uri FROM project_resource WHERE project_id = $1', [squatter])).toEqual([
      { uri: 'urn:example:own' },
    ]);
    const told = await world.rows<{ id: string }>(
      "SELECT aggregate_id AS id FROM event WHERE type = 'project.resources.set' AND aggregate_id = ANY($1)",
      [[squatter, rightful]],
    );
    expect(told.map(({ id }) => id).toSorted()).toEqual([squatter, squatter, rightful].toSorted());
  });

  it('are taken once by two projects at the same time', async () => {
    const orgId = alice.orgId;
    for (let round = 0; round < 10; round += 1) {
      const projects = await Promise.all(Array.from({ length: 4 }, () => world.add.project({ orgId })));
      const uris = [`urn:example:race-${round}`, `urn:example:race-${round}-b`];
      const results = await Promise.allSettled(
        projects.map((id) => world.transaction((tx) => world.get(ProjectService).setResources(tx, id, uris, EDITOR))),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });
});
