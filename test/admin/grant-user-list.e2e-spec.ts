import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { type TestPerson, uniqueName } from '../support/builders.js';
import { addGrant, addPerson, addProject, addUserGrant, managerOf, type Stage, setStage } from './project-support.js';

const SEARCH = '/management/v1/users/grants/_search';

let stage: Stage;
let projectId: string;

beforeAll(async () => {
  stage = await setStage();
  projectId = await addProject(stage.ownerOfA, ['reader', 'writer']);
});
afterAll(() => stage.world.close());

const grantsOf = ({ id }: { id: string }): string => `/management/v1/users/${id}/grants`;

describe('ListUserGrants', () => {
  let mine: Record<'reader' | 'writer' | 'service', string>;
  let lent: string;
  let id: string;
  let grantId: string;
  let ilse: TestPerson;
  let api: AdminApi;

  beforeAll(async () => {
    const { world, orgB, ownerOfB } = stage;
    const org = await world.add.org('list.test', 'List House');
    api = (await callerWith(world, org, ['ORG_OWNER'])).api;
    id = await addProject(api, ['reader', 'writer'], { name: uniqueName('Listed') });
    grantId = await addGrant(api, id, orgB, ['reader']);
    ilse = await world.add.person({
      orgId: org.id,
      userName: 'ilse',
      profile: { firstName: 'Ilse', lastName: 'Brandt' },
    });
    const otto = await world.add.person({
      orgId: org.id,
      userName: 'otto',
      profile: { firstName: 'Otto', lastName: '100%' },
    });
    const service = await world.add.service({ orgId: org.id, userName: 'robot' });
    mine = {
      reader: await addUserGrant(api, ilse.id, id, ['reader']),
      writer: await addUserGrant(api, otto.id, id, ['writer']),
      service: await addUserGrant(api, service.id, id, []),
    };
    lent = await addUserGrant(ownerOfB, (await addPerson(stage, orgB)).id, id, ['reader']);
  });

  const search = async (caller: AdminApi, ...queries: Json[]): Promise<string[]> =>
    (await caller.call('POST', SEARCH, { queries })).result.map((grant: { id: string }) => grant.id);

  it.each<[string, () => Json, Array<'reader' | 'writer' | 'service'>]>([
    ['project', () => ({ projectIdQuery: { projectId: id } }), ['reader', 'writer', 'service']],
    ['another project', () => ({ projectIdQuery: { projectId } }), []],
    ['user', () => ({ userIdQuery: { userId: ilse.id } }), ['reader']],
    ['several users', () => ({ inUserIdsQuery: { inUserIds: [ilse.id, 'nobody'] } }), ['reader']],
    ['no user at all', () => ({ inUserIdsQuery: { inUserIds: [] } }), []],
    [
      'role',
      () => ({ roleKeyQuery: { roleKey: 'WRI', method: 'TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE' } }),
      ['writer'],
    ],
    ['project grant', () => ({ projectGrantIdQuery: { projectGrantId: grantId } }), []],
    ['user name', () => ({ userNameQuery: { userName: 'ilse' } }), ['reader']],
    ['first name', () => ({ firstNameQuery: { firstName: 'tt', method: 'TEXT_QUERY_METHOD_CONTAINS' } }), ['writer']],
    [
      'last name, with a wildcard as plain text',
      () => ({ lastNameQuery: { lastName: '%', method: 'TEXT_QUERY_METHOD_ENDS_WITH' } }),
      ['writer'],
    ],
    [
      'e-mail',
      () => ({ emailQuery: { email: 'ILSE@MAIL.TEST', method: 'TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE' } }),
      ['reader'],
    ],
    [
      'organization',
      () => ({ orgNameQuery: { orgName: 'List', method: 'TEXT_QUERY_METHOD_STARTS_WITH' } }),
      ['reader', 'writer', 'service'],
    ],
    ['domain', () => ({ orgDomainQuery: { orgDomain: 'list.test' } }), ['reader', 'writer', 'service']],
    [
      'project name',
      () => ({ projectNameQuery: { projectName: 'Listed', method: 'TEXT_QUERY_METHOD_STARTS_WITH' } }),
      ['reader', 'writer', 'service'],
    ],
    ['display name', () => ({ displayNameQuery: { displayName: 'Ilse Brandt' } }), ['reader']],
    ['type', () => ({ userTypeQuery: { type: 'TYPE_MACHINE' } }), ['service']],
    ['SQL', () => ({ userNameQuery: { userName: "' OR 1=1--", method: 'TEXT_QUERY_METHOD_CONTAINS' } }), []],
  ])('filters by %s', async (_, query, expected) => {
    expect(await search(api, query())).toEqual(expected.map((name) => mine[name]));
  });

  it('filters by all queries at once, pages and counts', async () => {
    expect(
      await search(
        api,
        { projectIdQuery: { projectId: id } },
        { userTypeQuery: { type: 'TYPE_HUMAN' } },
        { roleKeyQuery: { roleKey: 'reader' } },
      ),
    ).toEqual([mine.reader]);
    const { result, details } = await api.call('POST', SEARCH, { query: { asc: true, offset: '1', limit: 1 } });
    expect([result.map((grant: { id: string }) => grant.id), details.totalResult]).toEqual([[mine.writer], '3']);
  });

  it('shows what a granted organization has given only where that is asked for', async () => {
    expect(await search(api)).toEqual(Object.values(mine));
    expect(await search(api, { withGrantedQuery: { withGranted: true } })).toEqual([...Object.values(mine), lent]);
    expect(
      await search(
        api,
        { withGrantedQuery: { withGranted: true } },
        { projectGrantIdQuery: { projectGrantId: grantId } },
      ),
    ).toEqual([lent]);
    expect(await search(stage.ownerOfB, { projectIdQuery: { projectId: id } })).toEqual([lent]);
    expect(
      await search(stage.ownerOfB, { projectIdQuery: { projectId: id } }, { withGrantedQuery: { withGranted: true } }),
    ).toEqual([lent]);
  });
});

describe('managers of a single project, or of a single grant of one', () => {
  it('gives, sees and takes the roles of that one alone', async () => {
    const { ownerOfA, ownerOfB, orgA, orgB } = stage;
    const [own, other] = [await addProject(ownerOfA, ['reader']), await addProject(ownerOfA, ['reader'])];
    const grantId = await addGrant(ownerOfA, own, orgB, ['reader']);
    const cases: ReadonlyArray<readonly [AdminApi, AdminApi, TestPerson, string]> = [
      [await managerOf(stage, orgA, 'PROJECT_OWNER', own), ownerOfA, await addPerson(stage, orgA), other],
      [
        await managerOf(stage, orgB, 'PROJECT_GRANT_OWNER', grantId),
        ownerOfB,
        await addPerson(stage, orgB),
        await addProject(ownerOfB, ['reader']),
      ],
    ];
    for (const [manager, owner, person, elsewhere] of cases) {
      const foreign = await addUserGrant(owner, person.id, elsewhere, ['reader']);
      const { userGrantId: mine } = await manager.call('POST', grantsOf(person), {
        projectId: own,
        roleKeys: ['reader'],
      });
      expect((await manager.call('POST', SEARCH, {})).result.map((grant: { id: string }) => grant.id)).toEqual([mine]);
      expect(await manager.verdict('GET', `${grantsOf(person)}/${mine}`)).toBe('200');
      expect(await manager.verdict('PUT', `${grantsOf(person)}/${mine}`, { roleKeys: [] })).toBe('200');
      expect(await manager.verdict('GET', `${grantsOf(person)}/${foreign}`)).toBe('404 user_grant.not_found');
      expect(await manager.verdict('POST', grantsOf(person), { projectId: elsewhere, roleKeys: ['reader'] })).toBe(
        '403 permission.missing',
      );
      expect(await manager.verdict('PUT', `${grantsOf(person)}/${foreign}`, { roleKeys: [] })).toBe(
        '403 permission.missing',
      );
      expect(await manager.verdict('DELETE', `${grantsOf(person)}/${foreign}`)).toBe('403 permission.missing');
      expect(await manager.verdict('DELETE', '/management/v1/user_grants/_bulk', { grantId: [mine, foreign] })).toBe(
        '403 permission.missing',
      );
      expect(await manager.verdict('DELETE', `${grantsOf(person)}/${mine}`)).toBe('200');
    }
  });

  it('may look and nothing else as a viewer', async () => {
    const own = await addProject(stage.ownerOfA, ['reader']);
    const person = await addPerson(stage, stage.orgA);
    const id = await addUserGrant(stage.ownerOfA, person.id, own, ['reader']);
    const viewer = await managerOf(stage, stage.orgA, 'PROJECT_OWNER_VIEWER', own);
    expect(await viewer.verdict('GET', `${grantsOf(person)}/${id}`)).toBe('200');
    expect(await viewer.verdict('DELETE', `${grantsOf(person)}/${id}`)).toBe('403 permission.missing');
    expect(await viewer.verdict('POST', grantsOf(person), { projectId: own, roleKeys: [] })).toBe(
      '403 permission.missing',
    );
  });
});
