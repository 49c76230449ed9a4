import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import { uniqueName } from '../support/builders.js';
import { eventsOf, MARK, type Stage, setStage } from './project-support.js';

const V1 = '/management/v1/metadata';
const GOLD = 'Z29sZA==';
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown as string;

let stage: Stage;
let a: AdminApi;
let v2: string;

beforeAll(async () => {
  stage = await setStage();
  a = stage.ownerOfA;
  v2 = `/v2/organizations/${stage.orgA.id}/metadata`;
});
afterAll(() => stage.world.close());

const keysOf = async (api: AdminApi, queries: readonly object[] = []): Promise<string[]> =>
  ((await api.call('POST', `${V1}/_search`, { queries }))['result'] as Array<{ key: string }>).map(({ key }) => key);

describe('Metadata of an organization', () => {
  it('are set, read, changed and removed, with an event each', async () => {
    const key = uniqueName('contract');
    const before = (await eventsOf(stage, stage.orgA.id)).length;
    expect(await a.call('POST', `${V1}/${key}`, { value: GOLD })).toMatchObject({ details: MARK });
    await a.call('POST', `${V1}/${key}`, { value: GOLD });
    expect((await a.call('GET', `${V1}/${key}`))['metadata']).toMatchObject({ key, value: GOLD });
    await a.call('POST', `${V1}/${key}`, { value: 'YnJvbnpl' });
    expect((await a.call('GET', `${V1}/${key}`))['metadata']).toMatchObject({ key, value: 'YnJvbnpl' });
    await a.call('DELETE', `${V1}/${key}`);
    expect(await a.verdict('GET', `${V1}/${key}`)).toBe('404 org.metadata_not_found');
    expect((await eventsOf(stage, stage.orgA.id)).slice(before)).toEqual([
      'org.metadata.set',
      'org.metadata.set',
      'org.metadata.removed',
    ]);
  });

  it('are set and removed together or not at all', async () => {
    const [one, two] = [uniqueName('bulk'), uniqueName('bulk')];
    const metadata = [one, two].map((key) => ({ key, value: GOLD }));
    expect(await a.verdict('POST', `${V1}/_bulk`, { metadata: [...metadata, metadata[0]] })).toBe('400 metadata');
    expect(await a.verdict('POST', `${V1}/_bulk`, { metadata: [...metadata, { key: '_bulk', value: GOLD }] })).toBe(
      '400 key',
    );
    expect(await keysOf(a, [{ keyQuery: { key: 'bulk', method: 'TEXT_QUERY_METHOD_STARTS_WITH' } }])).toEqual([]);
    await a.call('POST', `${V1}/_bulk`, { metadata });
    expect(await keysOf(a, [{ keyQuery: { key: 'bulk', method: 'TEXT_QUERY_METHOD_STARTS_WITH' } }])).toEqual([
      one,
      two,
    ]);
    expect(await a.verdict('DELETE', `${V1}/_bulk`, { keys: [one, 'missing'] })).toBe('404 org.metadata_not_found');
    await a.call('DELETE', `${V1}/_bulk`, { keys: [one, two] });
    expect(await a.verdict('GET', `${V1}/${one}`)).toBe('404 org.metadata_not_found');
  });

  it('are the same in the second generation', async () => {
    const key = uniqueName('second');
    expect(await a.call('POST', v2, { metadata: [{ key, value: GOLD }] })).toEqual({ setDate: DATE });
    expect((await a.call('GET', `${V1}/${key}`))['metadata']).toMatchObject({ value: GOLD });
    const filters = [{ keyFilter: { key } }];
    expect((await a.call('POST', `${v2}/search`, { filters }))['metadata']).toEqual([
      { creationDate: DATE, changeDate: DATE, key, value: GOLD },
    ]);
    expect(await a.call('DELETE', v2, { keys: [key] })).toEqual({ deletionDate: DATE });
    expect(await a.verdict('DELETE', v2, { keys: [key] })).toBe('404 org.metadata_not_found');
  });

  it('are out of reach for managers of other organizations [ADM-101]', async () => {
    const key = uniqueName('secret');
    await a.call('POST', `${V1}/${key}`, { value: GOLD });
    const there = stage.ownerOfB;
    expect(await there.verdict('GET', `${V1}/${key}`)).toBe('404 org.metadata_not_found');
    expect(await there.about(stage.orgA.id).verdict('GET', `${V1}/${key}`)).toBe('403 permission.missing');
    expect([
      await there.verdict('POST', v2, { metadata: [{ key, value: 'eA==' }] }),
      await there.verdict('POST', `${v2}/search`, {}),
      await there.verdict('DELETE', v2, { keys: [key] }),
    ]).toEqual(Array.from({ length: 3 }, () => '404 org.not_found'));
    expect(await keysOf(there)).not.toContain(key);
  });

  it('are read with a role that reads the organization, and written with one that writes it', async () => {
    const key = uniqueName('role');
    const { api } = await callerWith(stage.world, stage.orgA, ['ORG_SETTINGS_MANAGER']);
    expect(await api.verdict('POST', `${V1}/${key}`, { value: GOLD })).toBe('200');
    expect(await stage.viewerOfA.verdict('GET', `${V1}/${key}`)).toBe('200');
    expect(await stage.viewerOfA.verdict('POST', `${V1}/${key}`, { value: 'eA==' })).toBe('403 permission.missing');
    expect(await stage.viewerOfA.verdict('DELETE', v2, { keys: [key] })).toBe('403 permission.missing');
    expect(await stage.nobodyOfA.verdict('GET', `${V1}/${key}`)).toBe('403 permission.missing');
  });

  it('are removed with the organization', async () => {
    const { organizationId } = await stage.iamOwner.call<{ organizationId: string }>('POST', '/v2/organizations', {
      name: uniqueName('Gone'),
    });
    const there = `/v2/organizations/${organizationId}`;
    await stage.iamOwner.call('POST', `${there}/metadata`, { metadata: [{ key: 'contract', value: GOLD }] });
    await stage.iamOwner.call('DELETE', there);
    expect(await stage.world.rows('SELECT 1 FROM org_metadata WHERE org_id = $1', [organizationId])).toEqual([]);
  });
});
