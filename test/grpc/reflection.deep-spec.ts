import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { GrpcClient } from './grpc-clients.js';
import { ReflectingTool } from './reflecting-tool.js';

let world: World;
let org: TestOrg;
let token: Record<string, string>;

beforeAll(async () => {
  world = await startWorld();
  org = await world.add.org();
  token = { authorization: `Bearer ${(await callerWith(world, org, ['ORG_OWNER'])).api.token}` };
});
afterAll(() => world.close());

describe.each(['v1', 'v1alpha'] as const)('Reflection %s', (version) => {
  it('is all that a tool needs to call what it never saw', async () => {
    const client = new GrpcClient(world.origin);
    try {
      const tool = new ReflectingTool(client, version, token);
      expect(await tool.services()).toContain('service.management.v1.ManagementService');
      const name = `Seen by ${version}`;
      const added = (await tool.call('service.management.v1.ManagementService', 'AddProject', {
        name,
        privateLabelingSetting: 'PRIVATE_LABELING_SETTING_UNSPECIFIED',
      })) as { id: string };
      const read = await tool.call('service.management.v1.ManagementService', 'GetProjectByID', { id: added.id });
      expect(read).toMatchObject({
        project: { id: added.id, name, state: 'PROJECT_STATE_ACTIVE', details: { resourceOwner: org.id } },
      });
      expect(await tool.call('service.management.v1.ManagementService', 'AddProject', {})).toMatchObject({
        code: 3,
        fields: ['name'],
      });
    } finally {
      client.close();
    }
  });

  it('describes every service that it lists', async () => {
    const client = new GrpcClient(world.origin);
    try {
      const tool = new ReflectingTool(client, version, token);
      const services = (await tool.services()).filter((name) => !name.startsWith('grpc.reflection.'));
      expect(services).toEqual(
        expect.arrayContaining([
          'service.admin.v1.AdminService',
          'service.auth.v1.AuthService',
          'grpc.health.v1.Health',
        ]),
      );
      for (const name of services) await tool.learn({ fileContainingSymbol: name });
      const registry = tool.registry();
      expect(services.filter((name) => (registry.getService(name)?.methods.length ?? 0) === 0)).toEqual([]);
      expect(registry.getExtension('google.api.http')).toBeDefined();
    } finally {
      client.close();
    }
  });
});
