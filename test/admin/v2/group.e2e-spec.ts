import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith } from '../../support/admin-api.js';
import { uniqueName } from '../../support/builders.js';
import { type Stage, setStage } from '../project-support.js';

const PATH = '/v2/groups';

let stage: Stage;
let a: AdminApi;
let orgId: string;

beforeAll(async () => {
  stage = await setStage();
  a = stage.ownerOfA;
  orgId = stage.orgA.id;
});
afterAll(() => stage.world.close());

const create = async (api: AdminApi, organizationId: string, more: object = {}): Promise<string> =>
  (await api.call('POST', PATH, { organizationId, name: uniqueName('shift'), ...more }))['id'] as string;

const idsIn = async (api: AdminApi, filters: readonly object[], more: object = {}): Promise<string[]> =>
  ((await api.call('POST', `${PATH}/_search`, { filters, ...more }))['groups'] as Array<{ id: string }>).map(
    ({ id }) => id,
  );

describe('Groups of the second generation', () => {
  it('are those of the first', async () => {
    const name = uniqueName('Night');
    const { id, creationDate } = await a.call('POST', PATH, { organizationId: orgId, name, description: 'ten to six' });
    expect((await a.call('GET', `${PATH}/${id}`))['group']).toEqual({
      id,
      name,
      description: 'ten to six',
      organizationId: orgId,
      changeDate: creationDate,
      creationDate,
    });
    expect((await a.call('GET', `/management/v1/groups/${id}`))['group']).toMatchObject({ id, name });
    expect(await a.verdict('DELETE', `${PATH}/${id}`)).toBe('200');
    expect(await a.verdict('GET', `${PATH}/${id}`)).toBe('404 group.not_found');
  });

  it('keep what an update does not send', async () => {
    const id = await create(a, orgId, { description: 'early' });
    await a.call('POST', `${PATH}/${id}`, { name: uniqueName('late') });
    expect((await a.call('GET', `${PATH}/${id}`))['group']).toMatchObject({ description: 'early' });
  });

  it('are found by ids, name and organization, in the order that is asked for', async () => {
    const [one, two] = [await create(a, orgId, { name: uniqueName('zz') }), await create(a, orgId)];
    const both = { groupIds: { ids: [one, two] } };
    expect((await idsIn(a, [both])).sort()).toEqual([one, two].sort());
    expect(
      await idsIn(a, [both, { nameFilter: { name: 'ZZ', method: 'TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE' } }]),
    ).toEqual([one]);
    expect(await idsIn(a, [both, { organizationId: { id: stage.orgB.id } }])).toEqual([]);
    const byDate = { sortingColumn: 'FIELD_NAME_CREATION_DATE', pagination: { asc: true } };
    expect(await idsIn(a, [both], byDate)).toEqual([one, two]);
  });

  it('of other organizations are answered like those that do not exist, and are in no list', async () => {
    const { api: b } = await callerWith(stage.world, stage.orgB, ['ORG_OWNER']);
    const theirs = await create(a, orgId);
    for (const [method, path, body] of [
      ['GET', `${PATH}/${theirs}`, undefined],
      ['POST', `${PATH}/${theirs}`, { name: 'mine' }],
      ['DELETE', `${PATH}/${theirs}`, undefined],
    ] as const)
      expect(await b.verdict(method, path, body)).toBe('404 group.not_found');
    expect(await b.verdict('POST', PATH, { organizationId: orgId, name: 'x' })).toBe('404 org.not_found');
    expect(await idsIn(b, [{ groupIds: { ids: [theirs] } }])).toEqual([]);
  });
});
