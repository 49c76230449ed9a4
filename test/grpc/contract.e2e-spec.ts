import { getOption, type DescExtension, type FileRegistry } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GOOGLE_FILES, STANDARD_SERVICES } from '../../src/admin/grpc/google-files.js';
import { collectOperations, type KnownOperation } from '../../src/admin/grpc/known-operation.js';
import { describeProtos } from '../../src/admin/grpc/proto-descriptors.js';
import { rpcName, serviceName, serviceProtos } from '../../src/admin/grpc/service-protos.js';
import { toSnakeCase } from '../../src/admin/wire/field.js';
import { protoFilesOf } from '../../src/proto-files.js';
import { startWorld, type World } from '../support/world.js';
import { methodsOf } from './grpc-clients.js';

const PROTO = fileURLToPath(new URL('../../proto/', import.meta.url));

/** What no message could hold. */
const STREAMED = ['ExportData', 'ImportData'];

let world: World;
let operations: KnownOperation[];
let registry: FileRegistry;

beforeAll(async () => {
  world = await startWorld();
  operations = collectOperations(world.get(ModulesContainer));
  registry = describeProtos([...GOOGLE_FILES, ...STANDARD_SERVICES, ...serviceProtos(operations, 'service')]);
});
afterAll(() => world.close());

describe('proto/', () => {
  it('says what the operations declare: if not, run "npm run proto" and commit it', async () => {
    const committed = readdirSync(PROTO, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.proto'));
    const found = Object.fromEntries(committed.map((path) => [path, readFileSync(`${PROTO}${path}`, 'utf8')]));
    expect(found).toEqual(Object.fromEntries(await protoFilesOf()));
  });

  it('has every operation, once, with the route of the controller', () => {
    const http = registry.getExtension('google.api.http') as DescExtension;
    const routes = operations.map((operation) => {
      const method = registry.getService(serviceName(operation.area, 'service'))!.methods.find(({ name }) => name === rpcName(operation, 'service'))!;
      const { pattern, body } = getOption(method, http) as { pattern: { case: string; value: string }; body: string };
      return [operation.facts.id, `${pattern.case.toUpperCase()} ${pattern.value}`, body === '' || body === '*'];
    });
    const expected = operations.map(({ facts, httpMethod, path }) => [facts.id, `${httpMethod} ${path.replace(/:(\w+)/g, (_, name: string) => `{${toSnakeCase(name)}}`)}`, true]);
    expect(routes).toEqual(expected);
    expect(new Set(operations.map((one) => `${one.area} ${rpcName(one, 'service')}`)).size).toBe(operations.length);
  });

  it('is read by other people\'s generators as the running service reads it', () => {
    for (const area of ['admin', 'management', 'auth'] as const) {
      const service = registry.getService(serviceName(area, 'service'))!;
      const methods = methodsOf(service.typeName);
      expect(Object.values(methods).map(({ path }) => path).sort()).toEqual(service.methods.map(({ name }) => `/${service.typeName}/${name}`).sort());
      for (const method of service.methods) {
        const read = methods[method.name]!.requestType.type as { field: ReadonlyArray<{ name: string; number: number; type: string; label: string; typeName: string }> };
        const fields = read.field.map(({ name, number, typeName, label }) => [toSnakeCase(name), number, typeName.split('.').at(-1), label]);
        const ours = method.input.fields.map((field) => [field.name, field.number, (field.message ?? field.enum)?.name ?? '', field.fieldKind === 'list' ? 'LABEL_REPEATED' : 'LABEL_OPTIONAL']);
        expect([method.name, fields.sort(byNumber)]).toEqual([method.name, ours.sort(byNumber)]);
      }
    }
  });
});

describe('An operation', () => {
  it('is a method of who asks and the request, unless it streams', () => {
    expect(operations.filter(({ streams }) => streams).map(({ facts }) => facts.id).filter((id) => !STREAMED.includes(id))).toEqual([]);
    expect(operations.filter(({ call }) => call === undefined)).toEqual([]);
  });
});

function byNumber(one: readonly unknown[], other: readonly unknown[]): number {
  return Number(one[1]) - Number(other[1]);
}
