import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type TestOrg, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import { addDirectory, type Directory, ENTERPRISE, patchOf, person, verdictOf } from './support/directory.js';

const REQUEST = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

interface BulkResult {
  readonly method: string;
  readonly bulkId?: string;
  readonly location?: string;
  readonly version?: string;
  readonly status: string;
  readonly response?: { readonly scimType?: string; readonly detail: string };
}

let world: World;
let org: TestOrg;
let directory: Directory;

beforeAll(async () => {
  world = await startWorld({ extensions: [scim] });
  org = await world.add.organization();
  directory = await addDirectory(world, org);
});
afterAll(() => world.close());

async function bulk(operations: readonly object[], more: object = {}): Promise<readonly BulkResult[]> {
  const body = { schemas: [REQUEST], Operations: operations, ...more };
  const answer = await directory.call<{ schemas: string[]; Operations: BulkResult[] }>('POST', '/Bulk', body);
  expect(answer.schemas).toEqual([RESPONSE]);
  return answer.Operations;
}

const idIn = ({ location = '' }: BulkResult): string => location.slice(location.lastIndexOf('/') + 1);
const statuses = (results: readonly BulkResult[]): string[] => results.map(({ status }) => status);
const post = (bulkId: string, data: object, path = '/Users'): object => ({ method: 'POST', path, bulkId, data });

describe('RFC 7644 §3.7: a bulk request', () => {
  it('carries out operations of all kinds, and answers each', async () => {
    const [old, gone] = [await directory.add(), await directory.add()];
    const results = await bulk([
      post('new', person()),
      { method: 'PUT', path: `/Users/${old.id}`, data: person({ title: 'Put' }) },
      { method: 'patch', path: `/Users/${old.id}`, data: patchOf({ op: 'add', path: 'title', value: 'Patched' }) },
      { method: 'DELETE', path: `/Users/${gone.id}`, version: gone.meta.version },
    ]);
    expect(statuses(results)).toEqual(['201', '200', '200', '204']);
    expect(results[0]).toEqual({
      method: 'POST',
      bulkId: 'new',
      location: expect.stringContaining(`${directory.base}/Users/`),
      version: expect.stringMatching(/^W\/"/),
      status: '201',
    });
    expect((await directory.call('GET', `/Users/${old.id}`))['title']).toBe('Patched');
    expect(await directory.verdict('GET', `/Users/${gone.id}`)).toMatch(/^404/);
  });

  it('resolves references by bulkId, also to what comes later (§3.7.2)', async () => {
    const results = await bulk([
      post(
        'team',
        { displayName: 'Bulk team', members: [{ value: 'bulkId:anna' }, { value: 'bulkId:berta' }] },
        '/Groups',
      ),
      post('berta', person({ [ENTERPRISE]: { manager: { value: 'bulkId:anna' } } })),
      post('anna', person()),
      { method: 'PATCH', path: '/Users/bulkId:anna', data: patchOf({ op: 'add', path: 'title', value: 'Lead' }) },
      {
        method: 'PATCH',
        path: '/Groups/bulkId:team',
        data: patchOf({ op: 'remove', path: 'members', value: [{ value: 'bulkId:berta' }] }),
      },
    ]);
    expect(statuses(results)).toEqual(['201', '201', '201', '200', '204']);
    const anna = idIn(results[2] as BulkResult);
    const group = await directory.call('GET', `/Groups/${idIn(results[0] as BulkResult)}`);
    expect(group.members?.map(({ value }) => value)).toEqual([anna]);
    const berta = await directory.call('GET', `/Users/${idIn(results[1] as BulkResult)}`);
    expect(berta[ENTERPRISE]).toEqual({ manager: { value: anna } });
    expect((await directory.call('GET', `/Users/${anna}`))['title']).toBe('Lead');
  });

  it('refuses resources that refer to each other in a circle with 409 (§3.7.1)', async () => {
    const results = await bulk([
      post('a', person({ [ENTERPRISE]: { manager: { value: 'bulkId:b' } } })),
      post('b', person({ [ENTERPRISE]: { manager: { value: 'bulkId:a' } } })),
      post('c', person({ [ENTERPRISE]: { manager: { value: 'bulkId:c' } } })),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['400', '409', '409']);
    expect(results[1]?.response?.detail).toContain('[scim.bulk_circle]');
  });

  it('goes on after errors, each operation in a transaction of its own', async () => {
    const taken = await directory.add();
    const results = await bulk([
      post('a', person()),
      post('b', person({ userName: taken.userName })),
      post('c', { displayName: 'Never', members: [{ value: 'bulkId:b' }] }, '/Groups'),
      { method: 'DELETE', path: '/Users/unknown' },
      {
        method: 'PATCH',
        path: `/Users/${taken.id}`,
        version: 'W/"0"',
        data: patchOf({ op: 'add', path: 'title', value: 'x' }),
      },
      post('d', person()),
    ]);
    expect(statuses(results)).toEqual(['201', '409', '400', '404', '412', '201']);
    expect(results[1]?.response).toMatchObject({
      scimType: 'uniqueness',
      detail: expect.stringContaining('[user.name_taken]'),
      status: '409',
    });
    expect(results[1]?.location).toBeUndefined();
  });

  it('stops after as many errors as failOnErrors says', async () => {
    const operations = [post('a', {}), post('b', person()), post('c', {}), post('d', person())];
    expect(statuses(await bulk(operations, { failOnErrors: 1 }))).toEqual(['400']);
    expect(statuses(await bulk(operations, { failOnErrors: 2 }))).toEqual(['400', '201', '400']);
  });

  it.each<[string, unknown, string]>([
    [
      '101 operations',
      { Operations: Array.from({ length: 101 }, (_, at) => post(`${at}`, {})) },
      '413 tooMany scim.bulk_too_large',
    ],
    ['more than 1 MB', { Operations: [post('a', { title: 'x'.repeat(1_100_000) })] }, '413 body.too_large'],
    ['no operations', { Operations: [] }, '400 invalidSyntax scim.syntax_invalid'],
    [
      'a POST without bulkId',
      { Operations: [{ method: 'POST', path: '/Users', data: {} }] },
      '400 invalidSyntax scim.syntax_invalid',
    ],
    ['one bulkId twice', { Operations: [post('a', {}), post('a', {})] }, '400 invalidSyntax scim.syntax_invalid'],
    ['a GET', { Operations: [{ method: 'GET', path: '/Users/1' }] }, '400 invalidSyntax scim.syntax_invalid'],
    [
      'a path elsewhere',
      { Operations: [{ method: 'DELETE', path: '/Schemas/1' }] },
      '400 invalidSyntax scim.syntax_invalid',
    ],
    [
      'a failOnErrors that is none',
      { failOnErrors: 0, Operations: [post('a', {})] },
      '400 invalidValue scim.value_invalid',
    ],
    ['another message', { schemas: ['x'], Operations: [post('a', {})] }, '400 invalidSyntax scim.syntax_invalid'],
  ])('refuses %s', async (_, body, verdict) => {
    expect(verdictOf(await directory.ask('POST', '/Bulk', body))).toBe(verdict);
  });

  it('gives nobody a right that single requests do not give', async () => {
    const reader = await addDirectory(world, org, ['ORG_OWNER_VIEWER']);
    const answer = await reader.call<{ Operations: BulkResult[] }>('POST', '/Bulk', {
      Operations: [post('a', person()), post('g', { displayName: 'x' }, '/Groups')],
    });
    expect(statuses(answer.Operations)).toEqual(['403', '403']);
    expect(await world.sql`SELECT 1 FROM user_group WHERE name = 'x'`).toEqual([]);
  });
});
