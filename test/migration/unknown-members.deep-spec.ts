import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import type { Reply } from '../support/http.js';
import { startWorld } from '../support/world.js';
import { fullDocument } from './document.js';
import { contentsOf } from './holding.js';

const world = await startWorld();
let api: AdminApi;
let before: string;

beforeAll(async () => {
  ({ api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']));
});
beforeEach(async () => {
  before = await contentsOf(world);
});
afterAll(() => world.close());

type Changed = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any -- documents are broken in every way here
interface Refused {
  readonly message: string;
  readonly details: ReadonlyArray<{
    readonly id: string;
    readonly fieldViolations?: ReadonlyArray<{ readonly field: string; readonly description: string }>;
  }>;
}

const send = (body: Json | string): Promise<Reply> => api.ask('POST', '/admin/v1/import', body);

/** What is said of each fault, by its path. */
async function faultsOf(body: Json): Promise<Record<string, string>> {
  const reply = await send(body);
  expect(reply.status).toBe(400);
  expect(await contentsOf(world)).toBe(before);
  const violations = reply.json<Refused>().details[0]?.fieldViolations ?? [];
  return Object.fromEntries(violations.map(({ field, description }) => [field, description]));
}

function changed(change: (first: Changed, document: Changed) => void): Json {
  const document = structuredClone(fullDocument()) as Changed;
  change(document['orgs'][0], document);
  return { data_orgs: document };
}

describe('An unknown member is named with its path, and nothing is imported', () => {
  it.each<[string, (first: Changed, document: Changed) => void, string, RegExp]>([
    [
      'of an organization',
      (first) => {
        first['humanUser'] = [{}];
      },
      'orgs[0].humanUser',
      /did you mean humanUsers\?/,
    ],
    [
      'of an organization, although it is empty',
      (first) => {
        first['oidcApp'] = [];
      },
      'orgs[0].oidcApp',
      /did you mean oidcApps\?/,
    ],
    [
      'in snake_case',
      (first) => {
        first['project_role'] = [{}];
      },
      'orgs[0].project_role',
      /did you mean projectRoles\?/,
    ],
    [
      'of an entry',
      (first) => {
        first['humanUsers'][0].usr = {};
      },
      'orgs[0].humanUsers[0].usr',
      /did you mean user\?/,
    ],
    [
      'of an object in an entry',
      (first) => {
        first['humanUsers'][0].user.profile.surname = 'x';
      },
      'orgs[0].humanUsers[0].user.profile.surname',
      /not known/,
    ],
    [
      'of an object in a list of an entry',
      (first) => {
        first['loginPolicy'].idps[0].id = 'x';
      },
      'orgs[0].loginPolicy.idps[0].id',
      /did you mean idpId\?|known are idpId, ownerType/,
    ],
    [
      'of a policy',
      (first) => {
        first['lockoutPolicy'].maxAttempts = 1;
      },
      'orgs[0].lockoutPolicy.maxAttempts',
      /known are maxPasswordAttempts, maxOtpAttempts/,
    ],
    [
      'of a screen',
      (first) => {
        first['loginTexts'][0].loginText.titel = 'x';
      },
      'orgs[0].loginTexts[0].loginText.titel',
      /did you mean title\?/,
    ],
    [
      'of the document',
      (_, document) => {
        document['version'] = 'v1';
      },
      'version',
      /known are orgs/,
    ],
    [
      'of the document, as long as it may be',
      (_, document) => {
        document['org'] = Array.from({ length: 100_000 }, (_, n) => ({ n, text: 'x'.repeat(50) }));
      },
      'org',
      /did you mean orgs\?/,
    ],
    [
      'whose value is null',
      (first) => {
        first['humanUser'] = null;
      },
      'orgs[0].humanUser',
      /did you mean humanUsers\?/,
    ],
    [
      'whose name could be taken for a path',
      (first) => {
        first['a].b["'] = 1;
      },
      'orgs[0]."a].b[\\""',
      /not known/,
    ],
  ])('%s', async (_, change, path, description) => {
    expect(await faultsOf(changed(change))).toEqual({ [path]: expect.stringMatching(description) });
  });

  it.each(['clientSecret', 'hashedClientSecret', 'client_secret', 'hashed_client_secret'])(
    'explains how the secret of an application is sent: %s',
    async (name) => {
      const document = changed((first) => {
        first['oidcApps'][0][name] = 'x';
        first['apiApps'][0].app[name] = 'x';
      });
      expect(await faultsOf(document)).toEqual({
        [`orgs[0].oidcApps[0].${name}`]: expect.stringContaining('send secretHash'),
        [`orgs[0].apiApps[0].app.${name}`]: expect.stringContaining('send secretHash'),
      });
    },
  );

  it('names all of them, along with other faults', async () => {
    const document = changed((first, all) => {
      all['more'] = {};
      first['humanUsers'][0].usr = {};
      first['humanUsers'][1].user.email = { email: 'nobody' };
    });
    expect(Object.keys(await faultsOf(document)).sort()).toEqual([
      'more',
      'orgs[0].humanUsers[0].usr',
      'orgs[0].humanUsers[1].user.email.email',
    ]);
  });

  it('of the request: a misspelt dryRun writes nothing', async () => {
    expect(await faultsOf({ data_orgs: fullDocument(), dryrun: true })).toEqual({
      dryrun: expect.stringContaining('did you mean dryRun?'),
    });
    expect(
      await faultsOf({ dataOrgs: fullDocument(), on_conflicts: 'skip', with: { a: ['x'.repeat(100_000)] } }),
    ).toEqual({
      on_conflicts: expect.stringContaining('did you mean onConflict?'),
      with: expect.stringContaining('known are timeout, onConflict, dryRun, sendInitMails, data_orgs'),
    });
  });

  it('of the request: a document that is not embedded gets a hint where to put it', async () => {
    expect(await faultsOf({ ...fullDocument() })).toEqual({
      orgs: expect.stringContaining('{"data_orgs": {"orgs": […]}}'),
    });
  });
});

describe('Members that the described system writes and that have no meaning here', () => {
  it('are ignored: details of domains, the algorithm of a hash, and links in texts of earlier versions', async () => {
    const document = changed((first) => {
      first['domains'][0].details = {
        sequence: '7',
        creationDate: '2022-01-01T00:00:00Z',
        changeDate: '2022-01-01T00:00:00Z',
        resourceOwner: first['orgId'],
      };
      first['humanUsers'][0].user.hashedPassword.algorithm = 'bcrypt';
      first['loginTexts'][0].footerText = {
        tosLink: 'https://a.example',
        privacy_policy_link: 'https://b.example',
        help: 'Hilfe',
      };
    });
    const reply = await send(document);
    expect([reply.status, reply.json<{ errors: unknown[] }>().errors]).toEqual([200, []]);
  });

  it('the managers named in a request to add a project become managers of the project', async () => {
    const ids: string[] = [];
    const document = changed((first) => {
      first['projects'][0].project.admins = [{ userId: first['machineUsers'][0].userId, roles: ['PROJECT_OWNER'] }];
      first['projectMembers'] = [];
      ids.push(first['projects'][0].projectId as string, first['machineUsers'][0].userId as string);
    });
    expect((await send(document)).status).toBe(200);
    expect(await world.rows(`SELECT user_id, roles FROM member WHERE object_id = $1`, [ids[0]])).toEqual([
      { user_id: ids[1], roles: ['PROJECT_OWNER'] },
    ]);
  });
});

describe('A file of another kind is recognized', () => {
  it.each([
    '{"data_orgs":{}}',
    '{"data_orgs":{"orgs":[]}}',
    '{"data_orgs":{"orgs":null}}',
    '{"data_orgs":{"orgs":[null,{}]}}',
    '{"data_orgs":"{}"}',
  ])('%s contains no organization', async (body) => {
    expect(await api.verdict('POST', '/admin/v1/import', body)).toBe('400 import.empty');
    expect(await contentsOf(world)).toBe(before);
  });

  const realm = {
    id: 'r',
    realm: 'quarkus',
    enabled: true,
    roles: { realm: [] },
    users: [{ username: 'a', clientRoles: {} }],
    clients: [{ clientId: 'x' }],
  };
  it.each<[string, Json, RegExp]>([
    ['a Keycloak realm', { data_orgs: realm }, /a Keycloak realm.*gatehouse convert keycloak/],
    [
      'a Keycloak realm as a string',
      { data_orgs: JSON.stringify(realm) },
      /a Keycloak realm.*gatehouse convert keycloak/,
    ],
    ['a Keycloak realm as the request', realm, /a Keycloak realm.*gatehouse convert keycloak/],
    [
      'an Auth0 user',
      { data_orgs: { user_id: 'auth0|1', email: 'a@b.example' } },
      /an Auth0 user.*gatehouse convert auth0/,
    ],
  ])('%s: import.foreign, with the command that translates it', async (_, body, message) => {
    const reply = await send(body);
    expect([reply.status, reply.json<Refused>().details[0]?.id, reply.json<Refused>().message]).toEqual([
      400,
      'import.foreign',
      expect.stringMatching(message),
    ]);
    expect(await contentsOf(world)).toBe(before);
  });

  it('nulls instead of organizations or entries are left out, and the rest is imported', async () => {
    const document = changed((first, all) => {
      first['orgMembers'].unshift(null);
      all['orgs'].unshift(null, {});
    });
    const reply = await send(document);
    expect([reply.status, reply.json<{ errors: unknown[] }>().errors]).toEqual([200, []]);
    expect(
      reply
        .json<{ success: { orgs: Array<{ orgMembers: string[] }> } }>()
        .success.orgs.map(({ orgMembers }) => orgMembers.length),
    ).toEqual([2, 0]);
  });
});
