import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { link } from '../idp/external.js';
import { AdminApi, callerWith } from '../support/admin-api.js';
import { type TestOrg, uniqueName } from '../support/builders.js';
import type { Reply } from '../support/http.js';
import { exampleBody, type KnownOperation, operationsOf, pathFieldsOf } from '../support/operations.js';
import { startWorld, type World } from '../support/world.js';

/** What stands in the paths of an organization's operations. */
interface Estate {
  readonly user: string;
  readonly service: string;
  readonly key: string;
  readonly token: string;
  readonly session: string;
  readonly project: string;
  readonly app: string;
  readonly appKey: string;
  readonly projectGrant: string;
  readonly lentProject: string;
  readonly lentGrant: string;
  readonly userGrant: string;
  readonly group: string;
  readonly groupGrant: string;
  readonly idp: string;
  /** Who the person is there. */
  readonly linkedUser: string;
  readonly domain: string;
  readonly role: string;
  readonly metadata: string;
  readonly webhook: string;
  readonly delivery: string;
  /** Of the event of a configuration that was applied. */
  readonly applied: string;
}

/** Of the same form, but unknown. */
const NOBODYS = '404000000000000001';
const NOTHING: Estate = {
  user: NOBODYS,
  service: NOBODYS,
  key: NOBODYS,
  token: NOBODYS,
  session: NOBODYS,
  project: NOBODYS,
  app: NOBODYS,
  appKey: NOBODYS,
  projectGrant: NOBODYS,
  lentProject: NOBODYS,
  lentGrant: NOBODYS,
  userGrant: NOBODYS,
  group: NOBODYS,
  groupGrant: NOBODYS,
  idp: NOBODYS,
  linkedUser: NOBODYS,
  domain: 'nobodys.test',
  role: 'nothing',
  metadata: 'nothing',
  webhook: NOBODYS,
  delivery: NOBODYS,
  applied: NOBODYS,
};

let world: World;
let operations: KnownOperation[];
let ownerOfA: AdminApi;
let ownerOfB: AdminApi;
let ofA: Estate;
let ofB: Estate;

beforeAll(async () => {
  world = await startWorld();
  const [orgA, orgB] = [await world.cast.orgA, await world.cast.orgB];
  ownerOfA = (await callerWith(world, orgA, ['ORG_OWNER'])).api;
  ownerOfB = (await callerWith(world, orgB, ['ORG_OWNER'])).api;
  ofA = await furnish(ownerOfA, orgA);
  ofB = await furnish(ownerOfB, orgB);
  // What is not in any path of an organization's operations by an id of its own: kinds of text, of factors, of
  // languages, keys of the metadata of the organization itself.
  const named = /:(language|type|ownerId|image)|v1\/metadata\/:key$/;
  operations = operationsOf(world).filter(
    (operation) =>
      operation.path.startsWith('/management/') && pathFieldsOf(operation).length > 0 && !named.test(operation.path),
  );
});
afterAll(() => world.close());

/** An organization with one of everything. */
async function furnish(owner: AdminApi, org: TestOrg): Promise<Estate> {
  const person = await world.add.person({ orgId: org.id, phone: '+41791234567', phoneVerified: true });
  const service = await world.add.service({ orgId: org.id });
  await world.add.member(person.id, ['ORG_OWNER_VIEWER'], { level: 'org', objectId: org.id, orgId: org.id });
  await world.add.metadata(person.id, 'colour', Buffer.from('blue'));
  const project = await world.add.project({ orgId: org.id }, ['reader']);
  await world.add.member(person.id, ['PROJECT_OWNER_VIEWER'], { level: 'project', objectId: project, orgId: org.id });
  const { id: app, key: appKey } = await world.add.client({ projectId: project, authMethod: 'private_key_jwt' });
  const other = await world.add.org();
  const { grantId: projectGrant } = await owner.call('POST', `/management/v1/projects/${project}/grants`, {
    grantedOrgId: other.id,
    roleKeys: ['reader'],
  });
  await world.add.member(person.id, ['PROJECT_GRANT_OWNER_VIEWER'], {
    level: 'project_grant',
    objectId: String(projectGrant),
    orgId: org.id,
  });
  const lentProject = await world.add.project({ orgId: other.id }, ['reader']);
  const ownerOfOther = (await callerWith(world, other, ['ORG_OWNER'])).api;
  const { grantId: lentGrant } = await ownerOfOther.call('POST', `/management/v1/projects/${lentProject}/grants`, {
    grantedOrgId: org.id,
    roleKeys: ['reader'],
  });
  const userGrant = await world.add.grant(person.id, project, org.id, ['reader']);
  const { groupId: group } = await owner.call<{ groupId: string }>('POST', '/management/v1/groups', {
    name: uniqueName('group'),
  });
  await owner.call('POST', `/management/v1/groups/${group}/members`, { userIds: [person.id] });
  const { groupGrantId: groupGrant } = await owner.call<{ groupGrantId: string }>(
    'POST',
    `/management/v1/groups/${group}/grants`,
    { projectId: project, roleKeys: ['reader'] },
  );
  const { idpId: idp } = await owner.call('POST', '/management/v1/idps/jwt', {
    name: uniqueName('jwt'),
    jwtEndpoint: 'https://proxy.example.com/in',
    issuer: 'https://proxy.example.com',
    keysEndpoint: 'https://proxy.example.com/keys',
    headerName: 'x-jwt',
  });
  const linkedUser = `there-${person.id}`;
  await link(world, idp as string, person.id, org.id, linkedUser);
  const [token] = await world.rows<{ id: string }>('SELECT id FROM personal_access_token WHERE user_id = $1', [
    service.id,
  ]);
  const session = uniqueName('session');
  await world.rows(
    `INSERT INTO session (id, browser_id, user_id, created_at, password_checked_at)
     VALUES ($1, $1, $2, now(), now())`,
    [session, person.id],
  );
  // Of what never happens, and switched off: it changes nothing by itself.
  const { id: webhook } = await owner.call('POST', '/management/v1/webhooks', {
    url: 'https://hooks.acme.example/',
    types: ['org.removed'],
  });
  await owner.call('POST', `/management/v1/webhooks/${webhook}/_deactivate`, {});
  const [delivery] = await world.rows<{ id: string }>(
    `INSERT INTO webhook_delivery (webhook_id, position, state, created_at, due_at)
     SELECT $1, max(position), 'dead', now(), now() FROM event
     RETURNING id`,
    [webhook],
  );
  const { position: applied } = await owner.call<{ position: string }>('POST', '/management/v1/configuration/_apply', {
    configuration: { organizations: { [org.domain]: { metadata: { applied: 'once' } } } },
  });
  const domain = `${uniqueName('more')}.test`;
  await owner.call('POST', '/management/v1/orgs/me/domains', { domain });
  return {
    user: person.id,
    service: service.id,
    key: service.key.kid,
    token: token!.id,
    session,
    project,
    app,
    appKey: appKey!.kid,
    projectGrant,
    lentProject,
    lentGrant,
    userGrant,
    group,
    groupGrant,
    idp,
    linkedUser,
    domain,
    role: 'reader',
    metadata: 'colour',
    webhook: webhook as string,
    delivery: delivery!.id,
    applied,
  };
}

/** Which of an estate a field of a path names. */
function valueOf(estate: Estate, { path }: KnownOperation, field: string): string {
  const isOfService = /\/(machine|secret|keys|pats)(\/|$)/.test(path);
  switch (field) {
    case 'userId':
      return isOfService && path.includes('/users/') ? estate.service : estate.user;
    case 'projectId':
      return path.includes('/granted_projects/') ? estate.lentProject : estate.project;
    case 'appId':
      return estate.app;
    case 'keyId':
      return path.includes('/apps/') ? estate.appKey : estate.key;
    case 'tokenId':
      return estate.token;
    case 'sessionId':
      return estate.session;
    case 'grantId':
      return path.includes('/users/')
        ? estate.userGrant
        : path.includes('/groups/')
          ? estate.groupGrant
          : path.includes('/granted_projects/')
            ? estate.lentGrant
            : estate.projectGrant;
    case 'groupId':
      return estate.group;
    case 'roleKey':
      return estate.role;
    case 'idpId':
      return estate.idp;
    case 'linkedUserId':
      return estate.linkedUser;
    case 'domain':
      return estate.domain;
    case 'key':
      return estate.metadata;
    case 'webhookId':
      return estate.webhook;
    case 'deliveryId':
      return estate.delivery;
    case 'position':
      return estate.applied;
    case 'id':
      return path.includes('/projects/') ? estate.project : path.includes('/idps/') ? estate.idp : estate.user;
    default:
      throw new Error(`Nobody said what ${field} of ${path} names.`);
  }
}

async function ask(caller: AdminApi, operation: KnownOperation, estateOf: EstateOf): Promise<Reply> {
  const fields = pathFieldsOf(operation);
  const path = operation.path.replace(/:(\w+)/g, (_, field: string) =>
    encodeURIComponent(valueOf(estateOf(fields.indexOf(field)), operation, field)),
  );
  return caller.ask(operation.method, path, exampleBody(operation));
}

/** Status and text, without the ids that were sent. */
function verdictOf(reply: Reply, ...estates: readonly Estate[]): string {
  const ids = estates.flatMap((estate) => Object.values<string>({ ...estate }));
  return `${reply.status} ${ids.reduce((text, id) => text.replaceAll(`"${id}"`, '"…"').replaceAll(` ${id} `, ' … '), reply.text)}`;
}

type EstateOf = (place: number) => Estate;

/** Operations that distinguish the two, or that do something. */
async function differences(
  caller: AdminApi,
  these: readonly KnownOperation[],
  missingOf: EstateOf,
  foreignOf: EstateOf,
): Promise<string[]> {
  const found: string[] = [];
  for (const operation of these) {
    const [missing, foreign] = [await ask(caller, operation, missingOf), await ask(caller, operation, foreignOf)];
    const [expected, got] = [missing, foreign].map((reply) => verdictOf(reply, ofA, ofB, NOTHING));
    if (got !== expected || ![400, 403, 404].includes(foreign.status))
      found.push(`${operation.name}: ${got} instead of ${expected}`);
  }
  return found;
}

describe('What belongs to another organization [ADM-004, ADM-005]', () => {
  it('is there for its own manager: the ids of this test are right', async () => {
    const looking = operations.filter(({ facts: { id } }) => /^(Get|List)/.test(id));
    expect(looking.length).toBeGreaterThan(15);
    const refused: string[] = [];
    for (const operation of looking) {
      const reply = await ask(ownerOfB, operation, () => ofB);
      if (reply.status !== 200) refused.push(`${operation.name} ${reply.status} ${reply.text}`);
    }
    expect(refused).toEqual([]);
  });

  it.each<[string, (caller: AdminApi, orgA: TestOrg) => AdminApi]>([
    ['by its id', (caller) => caller],
    ["by its id, with one's own organization in the header", (caller, orgA) => caller.about(orgA.id)],
  ])('is not there for the manager of one %s: the answer is that for what does not exist', async (_, as) => {
    const caller = as(ownerOfA, await world.cast.orgA);
    const before = await world.contents();
    expect(
      await differences(
        caller,
        operations,
        () => NOTHING,
        () => ofB,
      ),
    ).toEqual([]);
    expect(await world.contents()).toBe(before);
  });

  it("is not there below what is one's own", async () => {
    const nested = operations.filter(
      (operation) => pathFieldsOf(operation).length > 1 && !/:(roleKey|key)$/.test(operation.path),
    );
    expect(nested.length).toBeGreaterThan(15);
    const before = await world.contents();
    expect(
      await differences(
        ownerOfA,
        nested,
        (place) => (place === 0 ? ofA : NOTHING),
        (place) => (place === 0 ? ofA : ofB),
      ),
    ).toEqual([]);
    expect(await world.contents()).toBe(before);
  });

  it("does not come into one's own organization below what is another's", async () => {
    const nested = operations.filter((operation) => pathFieldsOf(operation).length > 1);
    const before = await world.contents();
    expect(
      await differences(
        ownerOfA,
        nested,
        (place) => (place === 0 ? NOTHING : ofA),
        (place) => (place === 0 ? ofB : ofA),
      ),
    ).toEqual([]);
    expect(await world.contents()).toBe(before);
  });

  it("is in no list of one's own organization, whatever the filters", async () => {
    const lists = operationsOf(world).filter(
      ({ path, facts: { id } }) => path.startsWith('/management/') && !path.includes(':') && id.startsWith('List'),
    );
    expect(lists.length).toBeGreaterThan(8);
    const foreign = Object.values<string>({ ...ofB, role: ofB.user, metadata: ofB.user, delivery: ofB.user });
    for (const operation of lists) {
      const reply = await ownerOfA.ask(operation.method, operation.path, {});
      expect([operation.name, foreign.filter((id) => reply.text.includes(`"${id}"`))]).toEqual([operation.name, []]);
    }
  });

  it('is neither counted in a list nor named in it: answers stay the same whatever others have [LOG-029]', async () => {
    const lists = operationsOf(world).filter(
      ({ path, facts: { id } }) => !path.includes(':') && /^(List|Count)/.test(id),
    );
    const answers = async (): Promise<string[]> => {
      const all: string[] = [];
      for (const { name, method, path } of lists) {
        const reply = await ownerOfB.ask(method, path, method === 'GET' ? undefined : {});
        // The position of the journal and the time are of the whole service, and identify no user.
        all.push(
          `${name} ${reply.status} ${reply.text.replace(/"(processedSequence|viewTimestamp|timestamp)":"[^"]*"/g, '')}`,
        );
      }
      return all;
    };
    const before = await answers();
    await furnish(ownerOfA, await world.cast.orgA);
    expect(await answers()).toEqual(before);
    const counted = before.flatMap((answer) => {
      const [, name = '', body = ''] = /^(\S+ \S+) 200 (.*)$/s.exec(answer) ?? [];
      if (name === '') return [];
      const { details, result = [] } = JSON.parse(body.replaceAll(/,(?=[},])|(?<={),/g, '')) as {
        details?: { totalResult?: string };
        result?: unknown[];
      };
      return [[name, details?.totalResult ?? String(result.length), String(result.length)]];
    });
    expect(counted.length).toBeGreaterThan(10);
    expect(counted.filter(([, total, listed]) => total !== listed)).toEqual([]);
    // What is of the instance is refused as a whole.
    expect(before.filter((answer) => / \/admin\/v1\//.test(answer) && !/ 403 /.test(answer))).toEqual([]);
  });
});
