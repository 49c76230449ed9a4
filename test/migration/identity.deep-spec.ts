import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SYSTEM_AUDIENCE } from '../admin/callers.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import type { TestOrg, TestService } from '../support/builders.js';
import { type Reply, send } from '../support/http.js';
import { basicAuth, bearer, paths } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';

const world = await startWorld();
let api: AdminApi;
let home: TestOrg;
let ownerOfHome: AdminApi;
let before: string;
let orgs = 0;

const contents = async (): Promise<string> => (await world.contents()).replace(/^signing_key .*$/m, '');

beforeAll(async () => {
  home = await world.add.org();
  ({ api } = await callerWith(world, home, ['IAM_OWNER']));
  ownerOfHome = (await callerWith(world, home, ['ORG_OWNER'])).api;
});
beforeEach(async () => {
  before = await contents();
});
afterAll(() => world.close());

const service = (userId: string, userName: string): Json => ({ userId, user: { userName, name: userName } });
const person = (userId: string, userName: string): Json => ({
  userId,
  user: { userName, profile: { firstName: 'A', lastName: 'B' } },
  state: 'USER_STATE_ACTIVE',
});

/** Sends members of a new organization, or of one that is there. */
async function bring(members: Json, orgId = `moved-${(orgs += 1)}`): Promise<Reply> {
  const named = orgId.startsWith('moved-') ? { org: { name: orgId } } : {};
  return api.ask('POST', '/admin/v1/import', { data_orgs: { orgs: [{ orgId, ...named, ...members }] } });
}

async function expectRefused(members: Json, status: number, fields: readonly string[], orgId?: string): Promise<void> {
  const reply = await bring(members, orgId);
  const { details } = reply.json<{ details?: Array<{ fieldViolations?: Array<{ field: string }> }> }>();
  expect([reply.status, details?.[0]?.fieldViolations?.map(({ field }) => field)]).toEqual([status, fields]);
  expect(await contents()).toBe(before);
}

describe('Ids and keys that are words in the paths of the API, and were there before they were refused [ADM-098]', () => {
  it('are the same objects in a document, and are read, changed and removed where they could be', async () => {
    const machine = { userName: 'word', userId: 'word', name: 'Word' };
    await ownerOfHome.call('POST', '/management/v1/users/machine', machine);
    await world.rows(`UPDATE user_account SET id = 'human' WHERE id = 'word'`);
    const { id: projectId } = await ownerOfHome.call<{ id: string }>('POST', '/management/v1/projects', { name: 'P' });
    const project = `/management/v1/projects/${projectId}`;
    await ownerOfHome.call('POST', `${project}/roles`, { roleKey: 'old', displayName: 'Old' });
    await world.rows(`UPDATE project_role SET key = '_bulk' WHERE project_id = $1`, [projectId]);
    const metadata = '/management/v1/users/human/metadata';
    await ownerOfHome.call('POST', `${metadata}/key`, { value: 'eA==' });
    await world.rows(`UPDATE user_metadata SET key = '_search' WHERE user_id = 'human'`);

    before = await contents();
    const same = await bring(
      {
        machineUsers: [{ userId: 'human', user: { userName: 'word', name: 'Word' } }],
        projectRoles: [{ projectId, roleKey: '_bulk', displayName: 'Old' }],
        userMetadata: [{ id: 'human', key: '_search', value: 'eA==' }],
      },
      home.id,
    );
    expect([same.status, same.text]).toEqual([200, expect.any(String)]);
    expect(await contents()).toBe(before);

    await ownerOfHome.call('PUT', `${project}/roles/_bulk`, { displayName: 'New' });
    await ownerOfHome.call('POST', `${metadata}/_bulk`, { metadata: [{ key: '_search', value: 'eQ==' }] });
    expect((await ownerOfHome.call('GET', `${metadata}/_search`))['metadata']).toMatchObject({ value: 'eQ==' });
    await ownerOfHome.call('DELETE', `${metadata}/_search`);
    await ownerOfHome.call('DELETE', `${project}/roles/_bulk`);
    await ownerOfHome.call('DELETE', '/management/v1/users/human');
  });
});

describe('A user who gets the id of a removed user', () => {
  it('does not revive their tokens', async () => {
    await ownerOfHome.call('POST', '/management/v1/users/machine', { userName: 'reborn', userId: 'reborn', name: 'x' });
    const { clientSecret } = await ownerOfHome.call<{ clientSecret: string }>(
      'PUT',
      '/management/v1/users/reborn/secret',
    );
    const issued = await send(world.origin, {
      method: 'POST',
      path: paths.token,
      headers: basicAuth('reborn', clientSecret),
      body: { grant_type: 'client_credentials', scope: `openid ${SYSTEM_AUDIENCE}` },
    });
    const { access_token: token } = issued.json<{ access_token: string }>();
    const ask = async (): Promise<number> =>
      (await send(world.origin, { path: '/auth/v1/users/me', headers: bearer(token) })).status;
    expect(await ask()).toBe(200);
    await ownerOfHome.call('DELETE', '/management/v1/users/reborn');
    expect((await bring({ machineUsers: [service('reborn', 'reborn')] }, home.id)).status).toBe(200);
    expect(await ask()).toBe(401);
    const [row] = await world.rows<{ above: boolean }>(
      `SELECT u.token_epoch >= (SELECT max(sequence) FROM event WHERE aggregate_type = 'user' AND aggregate_id = u.id) AS above FROM user_account u WHERE u.id = 'reborn'`,
    );
    expect(row?.above).toBe(true);
  });
});

describe('Service users are clients: a name or an id belongs to one service user or application (RFC 9700 §4.15)', () => {
  it.each<[string, (other: { id: string; userName: string }) => Json]>([
    ['a name that is the id of another one', ({ id }) => service('twin-a', id)],
    ['an id that is the name of another one', ({ userName }) => service(userName, 'twin-b')],
    [
      'an id that is the name of another one, in other letters',
      ({ userName }) => service(userName.toUpperCase(), 'twin-c'),
    ],
  ])('refuses %s', async (_, clash) => {
    const other = await world.add.service({ orgId: home.id });
    before = await contents();
    await expectRefused({ machineUsers: [clash(other)] }, 409, ['orgs[0].machineUsers[0]']);
  });

  it('refuses an id that is the name of another service user at a domain with letters beyond ASCII', async () => {
    const other = await world.add.service({ orgId: home.id, userName: 'night@bücher.example' });
    before = await contents();
    await expectRefused({ machineUsers: [service(other.userName, 'twin-d')] }, 409, ['orgs[0].machineUsers[0]']);
  });

  it('refuses two service users of one document, one of which has the other’s id as its name', async () => {
    await expectRefused({ machineUsers: [service('double-id', 'some-name'), service('other-id', 'Double-Id')] }, 409, [
      'orgs[0].machineUsers[0]',
    ]);
  });

  it('refuses a name or id that is the client id or id of an application, here or in the document', async () => {
    const projectId = await world.add.project({ orgId: home.id });
    const client = await world.add.client({ projectId });
    before = await contents();
    for (const taken of [client.clientId, client.id]) {
      await expectRefused({ machineUsers: [service('fresh-id', taken)] }, 409, ['orgs[0].machineUsers[0]']);
      await expectRefused({ machineUsers: [service(taken, 'fresh-name')] }, 409, ['orgs[0].machineUsers[0]']);
    }
    const app = {
      appId: 'new-app',
      clientId: 'both',
      app: { projectId: 'new-project', name: 'app', authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' },
    };
    await expectRefused(
      {
        projects: [{ projectId: 'new-project', project: { name: 'p' } }],
        apiApps: [app],
        machineUsers: [service('fresh-id', 'both')],
      },
      409,
      ['orgs[0].apiApps[0]'],
    );
  });

  it.each<[string, { userName?: string }, (user: TestService) => string]>([
    ['the id', {}, ({ id }) => id],
    ['the name', {}, ({ userName }) => userName],
    // Names are found by the form in which they are compared, which is more than lower case.
    ['the name, in full-width letters,', { userName: 'Ｗide' }, ({ userName }) => userName],
    ['the name, at a domain beyond ASCII,', { userName: 'sync@bücher.example' }, ({ userName }) => userName],
  ])('refuses an application with %s of an existing service user', async (_, input, clientIdOf) => {
    const clientId = clientIdOf(await world.add.service({ orgId: home.id, ...input }));
    before = await contents();
    const app = {
      appId: 'new-app',
      clientId,
      app: { projectId: 'new-project', name: 'app', authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' },
    };
    await expectRefused({ projects: [{ projectId: 'new-project', project: { name: 'p' } }], apiApps: [app] }, 409, [
      'orgs[0].apiApps[0]',
    ]);
  });

  it('refuses the id that the journal uses for the service itself', async () => {
    await expectRefused({ machineUsers: [service('system', 'x')], humanUsers: [person('system', 'y')] }, 400, [
      'orgs[0].machineUsers[0].userId',
      'orgs[0].humanUsers[0].userId',
    ]);
  });
});

describe('A login name belongs to one user', () => {
  it('refuses a name at a domain that another organization has verified', async () => {
    const other = await world.add.org();
    before = await contents();
    await expectRefused(
      {
        humanUsers: [
          person('at-a', `ilse@${other.domain}`),
          person('at-b', `ilse@more@${other.domain}`),
          person('at-c', `ilse@${other.domain}@elsewhere.test`),
        ],
      },
      409,
      ['orgs[0].humanUsers[0]', 'orgs[0].humanUsers[1]'],
    );
  });

  it('refuses a domain that user names of another organization end with', async () => {
    await world.add.person({ orgId: home.id, userName: 'kim@x@claimed.test', email: 'kim@claimed.test' });
    before = await contents();
    await expectRefused({ domains: [{ domainName: 'claimed.test', isVerified: true }] }, 409, ['orgs[0].domains[0]']);
  });

  it('refuses a whole name that is another user’s name at a domain of the organization, in the document or here', async () => {
    await world.add.person({ orgId: home.id, userName: 'jo', email: 'jo@claimed.test' });
    before = await contents();
    await expectRefused(
      { humanUsers: [person('whole', `jo@${home.domain}`)] },
      409,
      ['orgs[0].humanUsers[0]'],
      home.id,
    );
    await world.add.person({ orgId: home.id, userName: `lee@${home.domain}`, email: 'lee@claimed.test' });
    before = await contents();
    await expectRefused({ humanUsers: [person('plain', 'lee')] }, 409, ['orgs[0].humanUsers[0]'], home.id);
    const domains = [{ domainName: 'own.test', isVerified: true, isPrimary: true }];
    await expectRefused({ domains, humanUsers: [person('n-1', 'pat'), person('n-2', 'pat@own.test')] }, 409, [
      'orgs[0].humanUsers[0]',
      'orgs[0].humanUsers[1]',
    ]);
    expect(
      (
        await bring({
          domains,
          humanUsers: [person('n-1', 'pat'), person('n-2', 'pat@elsewhere.test'), person('n-3', 'sam@own.test')],
        })
      ).status,
    ).toBe(200);
  });

  it('refuses a domain policy that would change the login names of existing users', async () => {
    const org = await world.add.org();
    await world.add.person({ orgId: org.id });
    before = await contents();
    await expectRefused({ domainPolicy: { userLoginMustBeDomain: true } }, 409, ['orgs[0].domainPolicy'], org.id);
    expect((await bring({ domainPolicy: { validateOrgDomains: true } }, org.id)).status).toBe(200);
  });

  it('takes settings that the older form of a domain policy lacks from the instance', async () => {
    await world.rows(`UPDATE domain_policy SET validate_org_domains = true WHERE owner_id = (SELECT id FROM instance)`);
    expect((await bring({ iamPolicy: { userLoginMustBeDomain: true } }, 'moved-older')).status).toBe(200);
    expect(
      await world.rows(
        `SELECT user_login_must_be_domain AS m, validate_org_domains AS v FROM domain_policy WHERE owner_id = 'moved-older'`,
      ),
    ).toEqual([{ m: true, v: true }]);
  });
});
