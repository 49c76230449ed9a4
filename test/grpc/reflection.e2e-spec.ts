import {
  createFileRegistry,
  type FileRegistry,
  fromBinary,
  fromJson,
  type JsonObject,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { GrpcClient, methodsOf } from './grpc-clients.js';

let world: World;
let org: TestOrg;
let token: Record<string, string>;

beforeAll(async () => {
  world = await startWorld();
  org = await world.add.org();
  token = { authorization: `Bearer ${(await callerWith(world, org, ['ORG_OWNER'])).api.token}` };
});
afterAll(() => world.close());

/** A tool that was given nothing but the address, as grpcurl works: it asks what there is, and which files say so. */
class Tool {
  private readonly files = new Map<string, FileDescriptorProto>();

  constructor(
    private readonly client: GrpcClient,
    private readonly version: 'v1' | 'v1alpha',
  ) {}

  async services(): Promise<string[]> {
    const { listServicesResponse } = await this.ask({ listServices: '*' });
    return (listServicesResponse as { service: ReadonlyArray<{ name: string }> }).service.map(({ name }) => name);
  }

  /** Calls a method by its name with a message in JSON. */
  async call(service: string, method: string, message: JsonObject): Promise<unknown> {
    await this.learn({ fileContainingSymbol: service });
    const registry = this.registry();
    const { input, output } = registry.getService(service)!.methods.find(({ name }) => name === method)!;
    const outcome = await this.client.callBytes(
      `/${service}/${method}`,
      Buffer.from(toBinary(input, fromJson(input, message))),
      token,
    );
    return outcome.bytes ? toJson(output, fromBinary(output, outcome.bytes)) : outcome;
  }

  registry(): FileRegistry {
    return createFileRegistry({ $typeName: 'google.protobuf.FileDescriptorSet', file: this.inOrder() });
  }

  /** The file that answers the question, and by name whatever it imports that has not come along. */
  async learn(question: object): Promise<void> {
    const { fileDescriptorResponse } = await this.ask(question);
    const found = (fileDescriptorResponse as { fileDescriptorProto: readonly Buffer[] }).fileDescriptorProto.map(
      (bytes) => fromBinary(FileDescriptorProtoSchema, bytes),
    );
    for (const file of found) this.files.set(file.name, file);
    for (const name of found.flatMap(({ dependency }) => dependency))
      if (!this.files.has(name)) await this.learn({ fileByFilename: name });
  }

  private async ask(question: object): Promise<Readonly<Record<string, unknown>>> {
    const [answer] = await this.client.ask(
      methodsOf(`grpc.reflection.${this.version}.ServerReflection`)['ServerReflectionInfo']!,
      question,
    );
    return answer!;
  }

  /** Each after what it imports. */
  private inOrder(
    found = new Set<FileDescriptorProto>(),
    names: Iterable<string> = this.files.keys(),
  ): FileDescriptorProto[] {
    for (const file of [...names].map((name) => this.files.get(name)!)) {
      if (found.has(file)) continue;
      this.inOrder(found, file.dependency);
      found.add(file);
    }
    return [...found];
  }
}

describe.each(['v1', 'v1alpha'] as const)('Reflection %s', (version) => {
  it('is all that a tool needs to call what it never saw', async () => {
    const client = new GrpcClient(world.origin);
    try {
      const tool = new Tool(client, version);
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
      const tool = new Tool(client, version);
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
