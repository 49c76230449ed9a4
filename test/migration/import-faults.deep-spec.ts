import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_FAULTS } from '../../src/migration/document/faults.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { Reply } from '../support/http.js';
import { startWorld } from '../support/world.js';
import { fullDocument, PUBLIC_KEY } from './document.js';
import { contentsOf, fieldsOf, type Refused } from './import-refusal.js';

const world = await startWorld();
let api: AdminApi;
let before: string;

beforeAll(async () => {
  const home = await world.add.org();
  api = (await callerWith(world, home, ['IAM_OWNER'])).api;
});
beforeEach(async () => {
  before = await contentsOf(world);
});
afterAll(() => world.close());

type Document = ReturnType<typeof fullDocument>;
type Changed = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- documents are broken in every way here

/** A correct document, broken in one place. */
function broken(change: (first: Changed, second: Changed, document: Changed) => void): Document {
  const document = structuredClone(fullDocument());
  change(document.orgs[0], document.orgs[1], document);
  return document;
}

const send = (data: unknown): Promise<Reply> => api.ask('POST', '/admin/v1/import', { data_orgs: data });

async function expectRefused(data: unknown, status: number, fields: readonly string[]): Promise<void> {
  const reply = await send(data);
  expect([reply.status, fieldsOf(reply)]).toEqual([status, fields]);
  expect(await contentsOf(world)).toBe(before);
}

describe('A document with faults is refused as a whole, and each fault is named with its path', () => {
  it.each<[string, (first: Changed, second: Changed, document: Changed) => void, string[]]>([
    [
      'resources that are addresses of this service, or no addresses at all',
      (first) => {
        first['projects'][0].project.resourceUris = [`${world.issuer}/oauth/v2/token`, 'files', world.issuer];
      },
      [0, 1, 2].map((index) => `orgs[0].projects[0].project.resourceUris[${index}]`),
    ],
    [
      'a bad e-mail address [EXP-015]',
      (first) => {
        first['humanUsers'][0].user.email.email = 'nobody';
      },
      ['orgs[0].humanUsers[0].user.email.email'],
    ],
    [
      'a name of 201 characters [EXP-015]',
      (_, second) => {
        second['humanUsers'][0].user.profile.firstName = '😀'.repeat(201);
      },
      ['orgs[1].humanUsers[0].user.profile.firstName'],
    ],
    [
      'an organization without an id',
      (first) => {
        delete first['orgId'];
      },
      ['orgs[0].orgId'],
    ],
    [
      'a new organization without a name',
      (_, second) => {
        delete second['org'];
      },
      ['orgs[1]'],
    ],
    [
      'members of the wrong types',
      (first) => {
        first['projects'] = {};
        first['loginPolicy'] = [{}];
        first['org'] = 'x';
      },
      ['orgs[0].loginPolicy', 'orgs[0].projects', 'orgs[0].org'],
    ],
    [
      'a header name with a line end',
      (first) => {
        first['jwtIdps'][0].idp.headerName = 'x\r\ny';
      },
      ['orgs[0].jwtIdps[0].idp.headerName'],
    ],
    [
      'a value that the enumeration does not have',
      (first) => {
        first['oidcApps'][0].app.appType = 'APP_TYPE_TOASTER';
      },
      ['orgs[0].oidcApps[0].app.appType'],
    ],
    [
      'NUL',
      (first) => {
        first['projects'][0].project.name = 'a\0b';
      },
      ['orgs[0].projects[0].project.name'],
    ],
    [
      'a role of the instance',
      (first) => {
        first['orgMembers'][0].roles = ['IAM_OWNER'];
      },
      ['orgs[0].orgMembers[0].roles[0]'],
    ],
    [
      'a role of another level',
      (first) => {
        first['projectMembers'][0].roles = ['ORG_OWNER'];
      },
      ['orgs[0].projectMembers[0].roles[0]'],
    ],
    [
      'a password in clear beside its hash',
      (first) => {
        first['humanUsers'][0].user.password = 'planted clear text';
      },
      ['orgs[0].humanUsers[0].user.hashedPassword'],
    ],
    [
      'a password in clear that is longer than any',
      (first) => {
        first['humanUsers'][1].user.password = 'x'.repeat(201);
      },
      ['orgs[0].humanUsers[1].user.password'],
    ],
    [
      'a recovery code in clear beside its hash',
      (first) => {
        first['humanUsers'][0].user.recoveryCodes[0].raw = 'planted';
      },
      ['orgs[0].humanUsers[0].user.recoveryCodes[0]'],
    ],
    [
      'a password as its own hash',
      (first) => {
        first['humanUsers'][1].user.hashedPassword = { value: 'planted clear text' };
      },
      ['orgs[0].humanUsers[1].user.hashedPassword.value'],
    ],
    [
      'an unknown form of hash',
      (first) => {
        first['humanUsers'][1].user.hashedPassword = { value: '$foo$planted' };
      },
      ['orgs[0].humanUsers[1].user.hashedPassword.value'],
    ],
    [
      'a private key',
      (first) => {
        first['machineKeys'][0].publicKey = Buffer.from('-----BEGIN PRIVATE KEY-----').toString('base64');
      },
      ['orgs[0].machineKeys[0].publicKey'],
    ],
    [
      'a removed organization',
      (first) => {
        first['orgState'] = 'ORG_STATE_REMOVED';
      },
      ['orgs[0].orgState'],
    ],
    // What refers to nothing.
    [
      'a grant of an unknown role [EXP-017]',
      (first) => {
        first['userGrants'][0].roleKeys = ['nobody'];
      },
      ['orgs[0].userGrants[0]'],
    ],
    [
      'a grant to an unknown person',
      (first) => {
        first['userGrants'][0].userId = 'nobody';
      },
      ['orgs[0].userGrants[0]'],
    ],
    [
      'a grant of a role that was not granted with the project',
      (_, second) => {
        second['userGrants'][0].roleKeys = ['driver'];
      },
      ['orgs[1].userGrants[0]'],
    ],
    [
      'an application of an unknown project',
      (first) => {
        first['apiApps'][0].app.projectId = 'nobody';
      },
      ['orgs[0].apiApps[0]'],
    ],
    [
      'a manager who is no user',
      (first) => {
        first['orgMembers'][0].userId = 'nobody';
      },
      ['orgs[0].orgMembers[0]'],
    ],
    [
      'a grant to the organization that owns the project',
      (first) => {
        first['projectGrants'][0].projectGrant.grantedOrgId = first['orgId'];
      },
      ['orgs[0].projectGrants[0]', 'orgs[1].userGrants[0]', 'orgs[1].projectGrantMembers[0]'],
    ],
    [
      'metadata of a user of the other organization',
      (first, second) => {
        first['userMetadata'][0].id = second['humanUsers'][0].userId;
      },
      ['orgs[0].userMetadata[0]'],
    ],
    [
      'a member over a project of the other organization',
      (first, second) => {
        second['projectMembers'] = [
          {
            projectId: first['projects'][0].projectId,
            userId: first['humanUsers'][0].userId,
            roles: ['PROJECT_OWNER'],
          },
        ];
      },
      ['orgs[1].projectMembers[0]'],
    ],
    // What is there twice.
    [
      'a person in two organizations [EXP-016]',
      (first, second) => {
        second['humanUsers'][0].userId = first['humanUsers'][1].userId;
        second['userGrants'] = [];
        second['projectGrantMembers'] = [];
        first['orgMembers'] = [];
      },
      ['orgs[1].humanUsers[0]'],
    ],
    [
      'a client id twice',
      (first) => {
        first['oidcApps'][0].clientId = first['apiApps'][0].clientId;
      },
      ['orgs[0].oidcApps[0]'],
    ],
    [
      'a login name twice',
      (first) => {
        first['humanUsers'][1].user.userName = 'ILSE.Brandt';
      },
      ['orgs[0].humanUsers[1]'],
    ],
    [
      'two primary domains [EXP-022]',
      (first) => {
        first['domains'][1] = { ...first['domains'][1], isVerified: true, isPrimary: true };
      },
      ['orgs[0].domains[1]'],
    ],
    [
      'a domain verified in two organizations',
      (first, second) => {
        second['domains'].push({ domainName: first['domains'][0].domainName, isVerified: true });
      },
      ['orgs[1].domains[1]'],
    ],
  ])('%s', async (_, change, fields) => {
    await expectRefused(broken(change), 400, fields);
  });

  /** Everything whose id or key is chosen, and would be a word in a path of the API. */
  function wordsOf(orgId: string): Changed {
    const app = { projectId: 'members', authMethodType: 'API_AUTH_METHOD_TYPE_BASIC' };
    const publicKey = PUBLIC_KEY;
    return {
      orgId,
      org: { name: orgId },
      projects: [{ projectId: 'members', project: { name: 'P' } }],
      projectRoles: [{ projectId: 'members', roleKey: '_Bulk', displayName: 'B' }],
      apiApps: [
        { appId: 'OIDC', app: { ...app, name: 'a' } },
        { appId: `${orgId}-app`, clientId: '..', app: { ...app, name: 'b' } },
      ],
      appKeys: [{ id: '_search', appId: 'OIDC', publicKey }],
      oidcIdps: [{ idpId: 'jwt', idp: { name: 'I', clientId: 'c', issuer: 'https://sso.birkenhof.example' } }],
      machineUsers: [{ userId: 'human', user: { userName: `${orgId}-machine`, name: 'm' } }],
      machineKeys: [{ keyId: '_search', userId: 'human', publicKey }],
      userMetadata: [{ id: 'human', key: '_SEARCH', value: 'eA==' }],
      userGrants: [{ id: '..', userId: 'human', projectId: 'members', roleKeys: ['_Bulk'] }],
      projectGrants: [{ grantId: '_search', projectGrant: { projectId: 'members', grantedOrgId: 'default' } }],
    };
  }

  it('ids and keys that would be words in the paths of the API, each by its value [ADM-098]', async () => {
    const reply = await send({ orgs: [{ orgId: 'default', org: { name: 'D' } }, wordsOf('words')] });
    expect(reply.status).toBe(400);
    const found = reply
      .json<Refused>()
      .details.flatMap(({ fieldViolations = [] }) => fieldViolations)
      .map(({ field, description }) => [field, /^"(.*)" cannot be in a path of the API/.exec(description)?.[1]]);
    expect(found.sort()).toEqual([
      ['orgs[0]', 'default'],
      ['orgs[1].apiApps[0]', 'OIDC'],
      ['orgs[1].apiApps[1]', '..'],
      ['orgs[1].appKeys[0]', '_search'],
      ['orgs[1].machineKeys[0]', '_search'],
      ['orgs[1].machineUsers[0]', 'human'],
      ['orgs[1].oidcIdps[0]', 'jwt'],
      ['orgs[1].projectGrants[0]', '_search'],
      ['orgs[1].projectRoles[0]', '_Bulk'],
      ['orgs[1].projects[0]', 'members'],
      ['orgs[1].userGrants[0]', '..'],
      ['orgs[1].userMetadata[0]', '_SEARCH'],
    ]);
    expect(await contentsOf(world)).toBe(before);
  });

  it.each<[string, (first: Changed) => void, object, string, string]>([
    [
      'a redirect to a script [EXP-021]',
      (first) => {
        first['oidcApps'][0].app.redirectUris.push('javascript:x()');
      },
      {
        type: 'oidc_app',
        message: 'app.redirectUris[1]: "javascript:x()" is left out: it must not use the scheme javascript',
      },
      `SELECT 1 FROM client WHERE 'javascript:x()' = ANY(redirect_uris)`,
      'orgs[0].oidcApps[0].app.redirectUris[1]',
    ],
    [
      'a text with an unknown template field',
      (first) => {
        first['initMessages'][0].text = '{{.Password}}';
      },
      { type: 'init_message', message: expect.stringContaining('text must not use {{.Password}}') },
      `SELECT 1 FROM message_text WHERE text LIKE '%Password%'`,
      'orgs[0].initMessages[0]',
    ],
    [
      'a link with an unknown provider',
      (first) => {
        first['userLinks'][0].idpId = 'nobody';
      },
      {
        type: 'user_link',
        message: 'names an identity provider that is neither in the document nor one of the instance here',
      },
      `SELECT 1 FROM idp_link WHERE idp_id = 'nobody'`,
      'orgs[0].userLinks[0]',
    ],
  ])(
    'but %s, which the described system stores, is left out and listed, by a job as well',
    async (_, change, entry, stored, path) => {
      const reply = await send(broken(change));
      expect([reply.status, reply.json<{ errors: unknown[] }>().errors]).toEqual([
        200,
        [expect.objectContaining(entry)],
      ]);
      expect(await world.rows(stored)).toEqual([]);
      const begun = await api.ask(
        'POST',
        '/admin/v1/import',
        { data_orgs: broken(change), dryRun: true },
        { Prefer: 'respond-async' },
      );
      const { id } = begun.json<{ job: { id: string } }>().job;
      let job: { state: string; errors: Array<{ path: string }>; errorTotal: number };
      do ({ job } = await api.call('GET', `/admin/v1/jobs/${id}`));
      while (job.state === 'MIGRATION_JOB_STATE_RUNNING');
      expect([job.state, job.errors.map((error) => error.path), job.errorTotal]).toEqual([
        'MIGRATION_JOB_STATE_SUCCEEDED',
        [path],
        1,
      ]);
    },
  );

  it('names all faults, at the start, in the middle and at the end, and their number [EXP-015]', async () => {
    const document = broken((first, second) => {
      first['humanUsers'] = Array.from({ length: 1_500 }, (_, index) => ({
        userId: `p${index}`,
        user: { userName: '', profile: { firstName: 'a', lastName: 'b' } },
      }));
      second['humanUsers'][0].user.email.email = 'x';
    });
    const reply = await send(document);
    expect([reply.status, fieldsOf(reply).length]).toEqual([400, MAX_FAULTS]);
    expect(reply.json<Refused>().message).toContain(`and 1500 more; the first ${MAX_FAULTS} are listed`);
    expect(await contentsOf(world)).toBe(before);
  });
});
