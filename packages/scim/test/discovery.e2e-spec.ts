import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from 'gatehouse/testing';
import scim from '../src/scim.extension.js';
import { addDirectory, CORE, type Directory, ENTERPRISE, ERROR, GROUP, LIST } from './support/directory.js';

interface Attribute {
  readonly name: string;
  readonly mutability: string;
  readonly returned: string;
  readonly type: string;
  readonly subAttributes?: readonly Attribute[];
}

interface Schema {
  readonly id: string;
  readonly attributes: readonly Attribute[];
}

let world: World;
let directory: Directory;

beforeAll(async () => {
  world = await startWorld({ extensions: [scim] });
  directory = await addDirectory(world, await world.add.organization());
});
afterAll(() => world.close());

describe('RFC 7644 §4: what the service says of itself', () => {
  it('is its configuration, also to callers without a token (RFC 7643 §5)', async () => {
    const reply = await world.send({ path: `${directory.base}/ServiceProviderConfig` });
    expect(reply.status).toBe(200);
    expect(reply.json()).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 100, maxPayloadSize: 1_048_576 },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: true },
      sort: { supported: false },
      etag: { supported: true },
      authenticationSchemes: [{ type: 'oauthbearertoken' }],
    });
  });

  it('is the same for organizations that do not exist', async () => {
    const ask = async (orgId: string): Promise<string> =>
      (await world.send({ path: `/scim/v2/${orgId}/Schemas` })).text.replaceAll(orgId, '');
    expect(await ask('nowhere')).toBe(await ask(directory.orgId));
  });

  it('are the types of resources', async () => {
    const types = await directory.call<{ schemas: string[]; totalResults: number; Resources: object[] }>(
      'GET',
      '/ResourceTypes',
    );
    expect(types).toMatchObject({ schemas: [LIST], totalResults: 2 });
    expect(types.Resources).toMatchObject([
      { id: 'User', endpoint: '/Users', schema: CORE, schemaExtensions: [{ schema: ENTERPRISE, required: false }] },
      { id: 'Group', endpoint: '/Groups', schema: GROUP, schemaExtensions: [] },
    ]);
    expect(await directory.call('GET', '/ResourceTypes/user')).toEqual(types.Resources[0]);
    expect(await directory.verdict('GET', '/ResourceTypes/Device')).toBe('404 scim.nothing_here');
  });

  it('are the schemas', async () => {
    const { Resources } = await directory.call<{ Resources: Schema[] }>('GET', '/Schemas');
    expect(Resources.map(({ id }) => id)).toEqual([CORE, ENTERPRISE, GROUP]);
    for (const schema of Resources)
      expect(await directory.call<Schema>('GET', `/Schemas/${schema.id}`)).toEqual(schema);
    expect(JSON.stringify(Resources)).not.toContain('null');
    expect(await directory.verdict('GET', '/Schemas/urn:nothing')).toBe('404 scim.nothing_here');
    expect(await directory.verdict('GET', '/Schemas?filter=id%20pr')).toBe('403 scim.not_filtered');
  });

  it('promise no more than is kept: each attribute that can be written comes back', async () => {
    const { Resources } = await directory.call<{ Resources: Schema[] }>('GET', '/Schemas');
    const valueOf = ({ name, type, subAttributes, ...said }: Attribute & { multiValued?: boolean }): unknown => {
      if (type === 'boolean') return true;
      if (type !== 'complex') return name === 'profileUrl' ? 'https://example.com/x' : `${name}@mail.test`;
      const parts = Object.fromEntries((subAttributes ?? []).filter(isKept).map((sub) => [sub.name, valueOf(sub)]));
      return said.multiValued ? [parts] : parts;
    };
    const isKept = ({ mutability }: Attribute): boolean => mutability === 'readWrite';
    const fill = (id: string): Record<string, unknown> =>
      Object.fromEntries(
        (Resources.find((schema) => schema.id === id)?.attributes ?? [])
          .filter(isKept)
          .map((one) => [one.name, valueOf(one)]),
      );
    const body = { schemas: [CORE, ENTERPRISE], externalId: 'x', ...fill(CORE), [ENTERPRISE]: fill(ENTERPRISE) };
    expect(await directory.call('POST', '/Users', body)).toMatchObject(body);
  });
});

describe('what is not there', () => {
  it.each([
    ['GET', '/Nothing', '404 scim.nothing_here'],
    ['GET', '/Users/1/2', '404 scim.nothing_here'],
    ['PUT', '/Users', '405 scim.method'],
    ['POST', '/Users/1', '405 scim.method'],
    ['GET', '/Bulk', '405 scim.method'],
    ['DELETE', '/ServiceProviderConfig', '405 scim.method'],
    ['GET', '/.search', '405 scim.method'],
  ])('%s %s is refused in the form of SCIM', async (method, path, verdict) => {
    const reply = await directory.ask(method, path);
    expect(reply.json()).toMatchObject({ schemas: [ERROR], status: verdict.slice(0, 3) });
    expect(await directory.verdict(method, path)).toBe(verdict);
    if (verdict.startsWith('405')) expect(reply.header('allow')).toBeTruthy();
  });

  it('/Me is not supported (RFC 7644 §3.11)', async () => {
    for (const [method, path] of [
      ['GET', '/Me'],
      ['PATCH', '/Me'],
      ['GET', '/Me/x'],
    ] as const) {
      const reply = await fetch(world.origin + directory.base + path, { method });
      expect([reply.status, await reply.json()]).toEqual([
        501,
        { schemas: [ERROR], detail: '/Me is not supported. [scim.me]', status: '501' },
      ]);
    }
  });

  it('also above the organizations', async () => {
    for (const path of ['/scim/v2', '/scim/v2/']) {
      const reply = await world.send({ path });
      expect([reply.status, reply.json()]).toEqual([404, expect.objectContaining({ schemas: [ERROR] })]);
    }
  });
});

describe('429', () => {
  it('passes through with Retry-After, in the form of SCIM', async () => {
    const limited = await startWorld({ extensions: [scim], env: { ADMIN_RATE: '5' } });
    try {
      const own = await addDirectory(limited, await limited.add.organization());
      const replies = await Promise.all(Array.from({ length: 100 }, () => own.ask('GET', '/Users?count=0')));
      const refused = replies.find(({ status }) => status === 429);
      expect(Number(refused?.header('retry-after'))).toBeGreaterThan(0);
      expect(refused?.json()).toMatchObject({ schemas: [ERROR], status: '429' });
    } finally {
      await limited.close();
    }
  });
});
