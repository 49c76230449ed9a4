import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { type TestOrg } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';

const USERS = '/management/v1/users';

let world: World;
let orgA: TestOrg;
let managerOfA: AdminApi;

beforeAll(async () => {
  world = await startWorld();
  orgA = await world.cast.orgA;
  managerOfA = (await callerWith(world, orgA, ['ORG_USER_MANAGER'])).api;
});
afterAll(() => world.close());

const someone = async () => world.add.person({ orgId: orgA.id });

describe('User metadata', () => {
  const value = (text: string): string => Buffer.from(text).toString('base64');

  it('is set, read, found, replaced and removed', async () => {
    const { id } = await someone();
    const path = `${USERS}/${id}/metadata`;
    const set = await managerOfA.call('POST', `${path}/department`, { value: value('logistics') });
    expect(set).toEqual({ id, details: { sequence: '2', changeDate: expect.any(String), resourceOwner: orgA.id } });
    expect(await managerOfA.call('POST', `${path}/department`, { value: value('logistics') })).toEqual(set);
    await managerOfA.call('POST', `${path}/_bulk`, {
      metadata: [
        { key: 'desk', value: value('7') },
        { key: 'department', value: value('sales') },
      ],
    });
    expect((await managerOfA.call('GET', `${path}/department`))['metadata']).toEqual({
      details: {
        sequence: '4',
        creationDate: expect.any(String),
        changeDate: expect.any(String),
        resourceOwner: orgA.id,
      },
      key: 'department',
      value: value('sales'),
    });
    const found = await managerOfA.call<{ details: Json; result: Json[] }>('POST', `${path}/_search`, {
      queries: [{ keyQuery: { key: 'DE', method: 'TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE' } }],
    });
    expect([found['details']['totalResult'], found.result.map((entry) => entry['key'])]).toEqual([
      '2',
      ['department', 'desk'],
    ]);
    expect(await managerOfA.verdict('DELETE', `${path}/desk`)).toBe('200');
    expect(await managerOfA.verdict('DELETE', `${path}/desk`)).toBe('404 user.metadata_not_found');
    expect(await managerOfA.verdict('GET', `${path}/desk`)).toBe('404 user.metadata_not_found');
    expect(await managerOfA.verdict('DELETE', `${path}/_bulk`, { keys: ['department', 'desk'] })).toBe(
      '404 user.metadata_not_found',
    );
    expect(await managerOfA.verdict('DELETE', `${path}/_bulk`, { keys: ['department'] })).toBe('200');
    expect((await managerOfA.call('POST', `${path}/_search`, {}))['result']).toEqual([]);
  });

  it('set by two at once keeps one of the values, and both events', async () => {
    const { id } = await someone();
    await Promise.all(
      ['a', 'b'].map((text) => managerOfA.call('POST', `${USERS}/${id}/metadata/key`, { value: value(text) })),
    );
    const { metadata } = await managerOfA.call('GET', `${USERS}/${id}/metadata/key`);
    expect([value('a'), value('b')]).toContain(metadata['value']);
    expect(metadata['details']['sequence']).toBe('3');
  });

  it.each<[string, string, string, Json, string]>([
    ['no value', 'POST', 'key', {}, '400 value'],
    ['a value of 500,001 bytes', 'POST', 'key', { value: Buffer.alloc(500_001).toString('base64') }, '400 value'],
    ['what is no base64', 'POST', 'key', { value: '*' }, '400 value'],
    ['a key of 201 characters', 'POST', 'x'.repeat(201), { value: 'eA==' }, '400 key'],
    [
      'a key twice',
      'POST',
      '_bulk',
      {
        metadata: [
          { key: 'a', value: 'eA==' },
          { key: 'a', value: 'eQ==' },
        ],
      },
      '400 metadata',
    ],
    ['a key that is the name of an operation', 'POST', '_bulk', { value: 'eA==' }, '400 key'],
    ['a key that is the name of another one', 'POST', '_search', { value: 'eA==' }, '400 key'],
    ['such a key among others', 'POST', '_bulk', { metadata: [{ key: '_search', value: 'eA==' }] }, '400 key'],
    ['a key that no path can name', 'POST', '_bulk', { metadata: [{ key: '..', value: 'eA==' }] }, '400 key'],
    ['a key twice to remove', 'DELETE', '_bulk', { keys: ['a', 'a'] }, '400 keys'],
  ])('refuses %s', async (_, method, path, body, verdict) => {
    const { id } = await someone();
    expect(await managerOfA.verdict(method, `${USERS}/${id}/metadata/${path}`, body)).toBe(verdict);
  });

  it('takes 500,000 bytes', async () => {
    const { id } = await someone();
    expect(
      await managerOfA.verdict('POST', `${USERS}/${id}/metadata/key`, {
        value: Buffer.alloc(500_000).toString('base64'),
      }),
    ).toBe('200');
  });
});
