import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DescExtension, type FileRegistry, getOption } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { GOOGLE_FILES, STANDARD_SERVICES } from '../../src/admin/kit/grpc/google-files.js';
import { collectOperations, type KnownOperation } from '../../src/admin/kit/grpc/known-operation.js';
import { describeProtos } from '../../src/admin/kit/grpc/proto-descriptors.js';
import { protoPath, rpcName, serviceName, serviceProtos } from '../../src/admin/kit/grpc/service-protos.js';
import { parameterMistakes } from '../../src/admin/kit/one-wire.js';
import { operationOf } from '../../src/admin/kit/wire/declared-operation.js';
import { protoFilesOf } from '../../src/process/description/proto-files.js';
import { startWorld, type World } from '../support/world.js';

const PROTO = fileURLToPath(new URL('../../proto/', import.meta.url));

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
  it('matches the declarations of the operations: if not, run "npm run proto" and commit it', async () => {
    const committed = readdirSync(PROTO, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.proto'),
    );
    const found = Object.fromEntries(committed.map((path) => [path, readFileSync(`${PROTO}${path}`, 'utf8')]));
    expect(found).toEqual(Object.fromEntries(await protoFilesOf()));
  });

  it('has every operation, once, with all routes of the controllers', () => {
    const http = registry.getExtension('google.api.http') as DescExtension;
    const routes = operations.map((operation) => {
      const method = registry
        .getService(serviceName(operation, 'service'))!
        .methods.find(({ name }) => name === rpcName(operation, 'service'))!;
      const { additionalBindings, ...first } = getOption(method, http) as Rule & { additionalBindings: Rule[] };
      const others = additionalBindings.map(toRoute);
      return [operation.facts.id, operation.facts.binds === undefined ? [toRoute(first), ...others] : others];
    });
    const expected = operations.map(
      (operation) => [operation.facts.id, `${operation.httpMethod} ${protoPath(operation)}`] as const,
    );
    for (const [index, [id, route]] of expected.entries())
      expect(routes[index]).toEqual([id, expect.arrayContaining([route])]);
    expect(routes.flatMap(([, found]) => found)).toHaveLength(
      operations.length + operations.filter(({ facts }) => facts.binds !== undefined).length,
    );
    const own = operations.filter(({ facts }) => facts.binds === undefined);
    expect(new Set(own.map((one) => `${one.service} ${rpcName(one, 'service')}`)).size).toBe(own.length);
  });
});

describe('An operation', () => {
  it('is a method of who asks and the request, unless it streams', () => {
    expect(operations.filter(({ facts }) => facts.streams !== undefined).map(({ facts }) => facts.id)).toEqual([
      'ExportData',
      'ImportData',
    ]);
    expect(operations.filter(({ call }) => call === undefined)).toEqual([]);
    const controllers = [...world.get(ModulesContainer).values()].flatMap(({ controllers: all }) => [...all.values()]);
    const mistakes = controllers.flatMap(({ metatype }) => {
      const controller = metatype as Type<object>;
      const handlers = controller.prototype as Readonly<Record<string, object>>;
      return new MetadataScanner().getAllMethodNames(handlers).flatMap((name) => {
        const facts = operationOf(handlers[name]!);
        // A picture is the whole body of its request in HTTP.
        const isUsual = facts && facts.streams === undefined && !/^Set(Custom)?LabelPolicy(Logo|Icon)/.test(facts.id);
        return isUsual ? parameterMistakes(controller, name, facts.id) : [];
      });
    });
    expect(mistakes).toEqual([]);
  });
});

interface Rule {
  readonly pattern: { readonly case: string; readonly value: string };
  readonly body: string;
}

function toRoute({ pattern, body }: Rule): string {
  expect(['', '*']).toContain(body);
  return `${pattern.case.toUpperCase()} ${pattern.value}`;
}
