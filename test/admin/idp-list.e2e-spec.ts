import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/world.js';
import { type IdpApi, ownerOf } from './idp-api.js';

describe('Lists of identity providers', () => {
  let world: World;
  let admin: IdpApi;
  let org: IdpApi;

  beforeAll(async () => {
    world = await startWorld();
    admin = await ownerOf(world, 'admin');
    org = await ownerOf(world, 'management');
    for (const name of ['zeta', 'Alpha', 'beta%_\\']) await admin.addJwt({ name: `list ${name}` });
    for (const name of ['gamma', 'Alpha']) await org.addOidc({ name: `list ${name}` });
  });

  afterAll(() => world.close());

  const byName = (name: string, method: string) => [{ idpNameQuery: { name, method: `TEXT_QUERY_METHOD_${method}` } }];

  it('contain those of the instance, for the instance', async () => {
    expect(await admin.names(byName('list ', 'STARTS_WITH'))).toEqual(
      expect.arrayContaining(['list Alpha', 'list beta%_\\', 'list zeta']),
    );
    expect(await admin.names(byName('list gamma', 'EQUALS'))).toEqual([]);
  });

  it('contain those of an organization and the instance, for the organization, distinguished by their owner', async () => {
    expect((await org.names(byName('list ', 'STARTS_WITH'))).sort()).toEqual([
      'list Alpha',
      'list Alpha',
      'list beta%_\\',
      'list gamma',
      'list zeta',
    ]);
    expect((await org.names([{ ownerTypeQuery: { ownerType: 'IDP_OWNER_TYPE_ORG' } }])).sort()).toEqual([
      'list Alpha',
      'list gamma',
    ]);
    const ofInstance = await org.names([
      ...byName('list ', 'STARTS_WITH'),
      { ownerTypeQuery: { ownerType: 'IDP_OWNER_TYPE_SYSTEM' } },
    ]);
    expect(ofInstance.sort()).toEqual(['list Alpha', 'list beta%_\\', 'list zeta']);
  });

  it.each([
    ['EQUALS', 'list zeta', ['list zeta']],
    ['EQUALS', 'LIST zeta', []],
    ['EQUALS_IGNORE_CASE', 'LIST Zeta', ['list zeta']],
    ['STARTS_WITH', 'list z', ['list zeta']],
    ['STARTS_WITH_IGNORE_CASE', 'LIST Z', ['list zeta']],
    ['CONTAINS', 'st zet', ['list zeta']],
    ['CONTAINS_IGNORE_CASE', 'ST ZET', ['list zeta']],
    ['ENDS_WITH', 't zeta', ['list zeta']],
    ['ENDS_WITH_IGNORE_CASE', 'T ZETA', ['list zeta']],
    ['CONTAINS', '%_\\', ['list beta%_\\']],
    ['CONTAINS', 'l%a', []],
    ['EQUALS', "' OR 1=1--", []],
    ['CONTAINS', '_', ['list beta%_\\']],
  ])('are filtered by name, %s "%s" [ADM-022]', async (method, name, expected) => {
    expect((await admin.names(byName(name, method))).filter((found) => found.startsWith('list '))).toEqual(expected);
  });

  it('are filtered by id, and by everything that is asked for at once', async () => {
    const id = await org.addOidc({ name: 'list delta' });
    expect(await org.names([{ idpIdQuery: { id } }])).toEqual(['list delta']);
    expect(await org.names([{ idpIdQuery: { id } }, ...byName('list d', 'STARTS_WITH')])).toEqual(['list delta']);
    expect(await org.names([{ idpIdQuery: { id } }, ...byName('list e', 'STARTS_WITH')])).toEqual([]);
    expect(await org.names([{ idpIdQuery: { id: '' } }])).toEqual([]);
    await org.ask('DELETE', `idps/${id}`);
  });

  it('are sorted, cut and counted', async () => {
    const queries = byName('list ', 'STARTS_WITH');
    const reply = await org.ask('POST', 'idps/_search', {
      query: { offset: '1', limit: 2, asc: false },
      sortingColumn: 1,
      queries,
    });
    const body = reply.json<{
      details: Record<string, unknown>;
      sortingColumn: string;
      result: Array<{ name: string }>;
    }>();
    expect(body.details).toEqual({
      totalResult: '5',
      processedSequence: expect.stringMatching(/^\d+$/),
      viewTimestamp: expect.any(String),
    });
    expect(body.sortingColumn).toBe('IDP_FIELD_NAME_NAME');
    expect(body.result).toHaveLength(2);
    const all = await org.names(queries);
    expect(await org.names(queries, { query: { asc: false } })).toEqual([...all].reverse());
    expect((await org.ask('POST', 'idps/_search')).json()).toMatchObject({
      sortingColumn: 'IDP_FIELD_NAME_UNSPECIFIED',
      result: expect.any(Array),
    });
  });

  it('never hold a secret [ADM-021]', async () => {
    for (const api of [admin, org]) {
      const { text } = await api.ask('POST', 'idps/_search', {});
      expect(text).not.toMatch(/secret|v1\./i);
    }
  });

  it.each([
    { query: { limit: -1 } },
    { query: { limit: 1e10 } },
    { query: { offset: -1 } },
    { query: 'x' },
    { queries: {} },
    { queries: [1] },
    { sortingColumn: ';select pg_sleep(5)' },
    { sortingColumn: 99 },
    { queries: [{ idpNameQuery: { name: 'a'.repeat(201) } }] },
    { queries: [{ idpNameQuery: { name: 'a', method: 99 } }] },
    { queries: Array(21).fill({}) },
  ])('refuse %j [ADM-023]', async (body) => {
    expect((await admin.ask('POST', 'idps/_search', body)).json()).toMatchObject({ code: 3 });
  });
});
