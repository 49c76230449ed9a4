import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { LoginTextService } from '../../src/text/login-text.service.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { type Reply, send } from '../support/http.js';
import { bearer, RelyingParty } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';
import { fullDocument, PUBLIC_KEY } from './document.js';

const world = await startWorld();
let api: AdminApi;
let home: TestOrg;

beforeAll(async () => {
  home = await world.add.org();
  ({ api } = await callerWith(world, home, ['IAM_OWNER']));
});
afterAll(() => world.close());

// A document is changed freely before it is sent.
type Changed = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any
const changed = (): [Changed, Changed] => fullDocument().orgs;
const contents = async (): Promise<string> => (await world.contents()).replace(/^signing_key .*$/m, '');
const bring = (orgs: readonly Json[], more: Json = {}): Promise<Reply> =>
  api.ask('POST', '/admin/v1/import', { data_orgs: { orgs }, ...more });
const skipping = (orgs: readonly Json[]): Promise<Reply> => bring(orgs, { on_conflict: 'skip' });
const person = (userId: string, userName = userId): Json => ({
  userId,
  user: { userName, profile: { firstName: 'A', lastName: 'B' } },
  state: 'USER_STATE_ACTIVE',
});
/** What each of those that ask about tokens says of one. */
const verdicts = async (rp: RelyingParty, token: string): Promise<Json> => ({
  userinfo: (await rp.userinfo(token)).status,
  active: (await rp.introspect(token)).json<{ active: boolean }>().active,
  guard: (await send(world.origin, { path: '/auth/v1/users/me', headers: bearer(token) })).status,
});
const leftOut = (reply: Reply): string[] =>
  reply
    .json<{ errors: Array<{ type: string }> }>()
    .errors.map(({ type }) => type)
    .sort();

async function expectRefused(orgs: readonly Json[], status: number, fields: readonly string[]): Promise<void> {
  const before = await contents();
  const reply = await bring(orgs);
  const { details } = reply.json<{ details?: Array<{ fieldViolations?: Array<{ field: string }> }> }>();
  expect([reply.status, details?.[0]?.fieldViolations?.map(({ field }) => field)]).toEqual([status, fields]);
  expect(await contents()).toBe(before);
}

describe('A document does not change the instance', () => {
  it('refuses an organization that has the id of the instance', async () => {
    const { id } = await world.get(InstanceService).get();
    const idp = { idpId: 'for-all', idp: { name: 'E', clientId: 'c', issuer: 'https://e.example' } };
    await expectRefused(
      [{ orgId: id, org: { name: 'Everybody' }, oidcIdps: [idp], initMessages: [{ language: 'fr', title: 'x' }] }],
      400,
      ['orgs[0]'],
    );
  });

  it('refuses objects that would belong to the system project', async () => {
    const { defaultOrgId, systemProjectId: projectId } = await world.get(InstanceService).get();
    await expectRefused(
      [
        {
          orgId: defaultOrgId,
          humanUsers: [person('at-system')],
          projectRoles: [{ projectId, roleKey: 'boss' }],
          projectMembers: [{ projectId, userId: 'at-system', roles: ['PROJECT_OWNER'] }],
          apiApps: [
            { appId: 'at-system-app', app: { projectId, name: 'x', authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' } },
          ],
          userGrants: [{ userId: 'at-system', projectId, roleKeys: ['boss'] }],
        },
      ],
      400,
      ['orgs[0].projectRoles[0]', 'orgs[0].projectMembers[0]', 'orgs[0].apiApps[0]', 'orgs[0].userGrants[0]'],
    );
  });
});

describe('A document does not give access to existing accounts', () => {
  const idp = { idpId: 'means', idp: { name: 'E', clientId: 'c', issuer: 'https://e.example' } };
  const link = (userId: string): Json => ({
    orgId: home.id,
    oidcIdps: [idp],
    userLinks: [{ userId, idpId: 'means', providedUserId: 'mallory' }],
  });
  const machineKey = (userId: string): Json => ({
    orgId: home.id,
    machineKeys: [{ keyId: 'means', userId, publicKey: PUBLIC_KEY }],
  });

  it('refuses keys and links for existing users, and for the wrong kind of user', async () => {
    const [service, human] = [await world.add.service({ orgId: home.id }), await world.add.person({ orgId: home.id })];
    await expectRefused([machineKey(service.id)], 409, ['orgs[0].machineKeys[0]']);
    await expectRefused([machineKey(human.id)], 400, ['orgs[0].machineKeys[0]']);
    await expectRefused([link(human.id)], 409, ['orgs[0].userLinks[0]']);
    await expectRefused([link(service.id)], 400, ['orgs[0].userLinks[0]']);
  });

  it('refuses keys for existing applications', async () => {
    const client = await world.add.client({ projectId: await world.add.project({ orgId: home.id }) });
    await expectRefused(
      [{ orgId: home.id, appKeys: [{ id: 'means', appId: client.id, publicKey: PUBLIC_KEY }] }],
      409,
      ['orgs[0].appKeys[0]'],
    );
  });
});

describe('on_conflict skip: objects that are left out give no access', () => {
  it('no manager roles on a project of another organization that the document claims', async () => {
    const victim = await world.add.org();
    const projectId = await world.add.project({ orgId: victim.id }, ['admin']);
    const reply = await skipping([
      {
        orgId: 'thief-a',
        org: { name: 'Thief' },
        projects: [{ projectId, project: { name: 'Mine' } }],
        humanUsers: [person('mallory')],
        projectMembers: [{ projectId, userId: 'mallory', roles: ['PROJECT_OWNER'] }],
        userGrants: [{ userId: 'mallory', projectId, roleKeys: ['admin'] }],
      },
    ]);
    expect([reply.status, leftOut(reply)]).toEqual([200, ['project', 'project_member', 'user_grant']]);
    expect(
      await world.rows(
        `SELECT object_id FROM member WHERE user_id = 'mallory' UNION ALL SELECT id FROM user_grant WHERE user_id = 'mallory'`,
      ),
    ).toEqual([]);
  });

  it('no manager roles for a user of another organization who has the id of a user in the document', async () => {
    const other = await world.add.person({ orgId: (await world.add.org()).id });
    const reply = await skipping([
      {
        orgId: 'thief-b',
        org: { name: 'Another thief' },
        humanUsers: [person(other.id, 'other-name')],
        projects: [{ projectId: 'thief-p', project: { name: 'x' } }],
        projectRoles: [{ projectId: 'thief-p', roleKey: 'r' }],
        orgMembers: [{ userId: other.id, roles: ['ORG_OWNER'] }],
        userGrants: [{ userId: other.id, projectId: 'thief-p', roleKeys: ['r'] }],
      },
    ]);
    expect([reply.status, leftOut(reply)]).toEqual([200, ['human_user', 'org_member', 'user_grant']]);
    expect(
      await world.rows(
        `SELECT object_id FROM member WHERE user_id = $1 UNION ALL SELECT id FROM user_grant WHERE user_id = $1`,
        [other.id],
      ),
    ).toEqual([]);
  });

  it('no managers of a project grant that was left out, and no roles through it', async () => {
    const [first, second] = changed();
    first['projectGrants'][0].projectGrant.roleKeys = ['nobody'];
    const reply = await skipping([first, second]);
    expect([reply.status, leftOut(reply)]).toEqual([200, ['project_grant', 'project_grant_member', 'user_grant']]);
    expect(
      await world.rows(
        `SELECT object_id FROM member WHERE level = 'project_grant' AND NOT EXISTS (SELECT 1 FROM project_grant g WHERE g.id = object_id)`,
      ),
    ).toEqual([]);
  });

  it('nothing through a project grant of another organization that has the id of one in the document', async () => {
    const [victim, friend] = [await world.add.org(), await world.add.org()];
    const projectId = await world.add.project({ orgId: victim.id }, ['admin']);
    await world.rows(
      `INSERT INTO project_grant (id, project_id, granted_org_id, role_keys) VALUES ('taken-grant', $1, $2, '{admin}')`,
      [projectId, friend.id],
    );
    const [first, second] = changed();
    first['projectGrants'][0].grantId = 'taken-grant';
    second['projectGrantMembers'][0].grantId = 'taken-grant';
    const reply = await skipping([first, second]);
    expect([reply.status, leftOut(reply)]).toEqual([200, ['project_grant', 'project_grant_member', 'user_grant']]);
    expect(
      await world.rows(
        `SELECT user_id FROM user_grant WHERE project_grant_id = 'taken-grant' UNION ALL SELECT user_id FROM member WHERE object_id = 'taken-grant'`,
      ),
    ).toEqual([]);
  });

  it('nothing of an organization that was left out', async () => {
    const reply = await skipping([
      {
        orgId: 'nameless',
        humanUsers: [person('of-nameless')],
        orgMembers: [{ userId: 'of-nameless', roles: ['ORG_OWNER'] }],
        userGrants: [{ userId: 'of-nameless', projectId: 'x' }],
      },
    ]);
    expect([reply.status, leftOut(reply)]).toEqual([200, ['human_user', 'org', 'org_member', 'user_grant']]);
    expect(
      await world.rows(
        `SELECT 1 FROM member WHERE object_id = 'nameless' UNION ALL SELECT 1 FROM user_grant WHERE org_id = 'nameless'`,
      ),
    ).toEqual([]);
  });
});

describe('Existing objects are not changed', () => {
  it('a login policy neither gains nor loses providers', async () => {
    const [first, second] = changed();
    expect((await bring([first, second])).status).toBe(200);
    const { loginPolicy } = first;
    first['loginPolicy'] = { ...loginPolicy, idps: [...loginPolicy.idps, { idpId: first['jwtIdps'][0].idpId }] };
    await expectRefused([first, second], 409, ['orgs[0]']);
    first['loginPolicy'] = { ...loginPolicy, idps: [] };
    await expectRefused([first, second], 409, ['orgs[0]']);
  });

  it('a label policy stays the same while its preview has changes', async () => {
    const document = changed();
    expect((await bring(document)).status).toBe(200);
    await world.rows(`UPDATE label_preview SET primary_color = '#000000' WHERE owner_id = $1`, [document[0]['orgId']]);
    const before = await contents();
    expect((await bring(document)).status).toBe(200);
    expect(await contents()).toBe(before);
  });
});

describe('A removed application that is imported again', () => {
  it.each(['opaque', 'jwt'] as const)(
    'is another application: earlier access tokens stay invalid, %s',
    async (accessTokenType) => {
      const projectId = await world.add.project({ orgId: home.id });
      const client = await world.add.client({ projectId, accessTokenType, clockSkewSeconds: 5 });
      const rp = new RelyingParty(world, client);
      const owner = await world.add.person({ orgId: home.id });
      const { systemProjectId } = await world.get(InstanceService).get();
      const scope = `openid urn:service:iam:org:project:id:${systemProjectId}:aud`;
      const { access_token: before } = await rp.tokens(owner, { scope });
      expect(await verdicts(rp, before)).toEqual({ userinfo: 200, active: true, guard: 200 });
      const {
        orgs: [exported],
      } = await api.call('POST', '/admin/v1/export', { orgIds: [home.id], withPasswords: true });
      await api.about(home.id).call('DELETE', `/management/v1/projects/${projectId}/apps/${client.id}`);
      expect((await bring([{ orgId: home.id, oidcApps: exported.oidcApps }])).status).toBe(200);
      const { access_token: later } = await rp.tokens(owner, { scope }); // within the same second, and alive
      expect(await verdicts(rp, later)).toEqual({ userinfo: 200, active: true, guard: 200 });
      expect(await verdicts(rp, before)).toEqual({ userinfo: 401, active: false, guard: 401 });
    },
  );

  it('is another application: earlier refresh tokens stay invalid', async () => {
    const projectId = await world.add.project({ orgId: home.id });
    const client = await world.add.client({ projectId });
    const rp = new RelyingParty(world, client);
    const { refresh_token: earlier } = await rp.tokens(await world.add.person({ orgId: home.id }), {
      scope: 'openid offline_access',
    });
    const {
      orgs: [exported],
    } = await api.call('POST', '/admin/v1/export', { orgIds: [home.id], withPasswords: true });
    await api.about(home.id).call('DELETE', `/management/v1/projects/${projectId}/apps/${client.id}`);
    expect((await bring([{ orgId: home.id, oidcApps: exported.oidcApps }])).status).toBe(200);
    expect((await rp.refresh(earlier)).status).toBe(400);
    const { refresh_token: later } = await rp.tokens(await world.add.person({ orgId: home.id }), {
      scope: 'openid offline_access',
    });
    expect((await rp.refresh(later)).status).toBe(200);
  });
});

describe('An imported object', () => {
  it('keeps a client id that only a key contains, so that a client needs no new configuration', async () => {
    const [first, second] = changed();
    const [app] = first['apiApps'];
    const { clientId } = app;
    delete app.clientId;
    expect((await bring([first, second])).status).toBe(200);
    expect(await world.rows('SELECT client_id FROM client WHERE id = $1', [app.appId])).toEqual([
      { client_id: clientId },
    ]);
  });

  it('appears on the pages of every process at once', async () => {
    const replica = await startWorld({ replicaOf: world });
    const texts = replica.get(LoginTextService);
    const org = await world.add.org();
    expect(await texts.findOwn(org.id, 'de')).toEqual({});
    expect(
      (await bring([{ orgId: org.id, loginTexts: [{ language: 'de', loginText: { title: 'Neu' } }] }])).status,
    ).toBe(200);
    const deadline = Date.now() + 10_000; // far from the 30 s after which memory is stale by itself
    while (Date.now() < deadline && Object.keys(await texts.findOwn(org.id, 'de')).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await texts.findOwn(org.id, 'de')).toEqual({ loginText: { title: 'Neu' } });
    await replica.close();
  });
});
