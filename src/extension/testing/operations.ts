import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { type ReachFields, reachOf } from '../../admin/kit/guard/demand.js';
import { exampleOf, fieldsOf } from '../../admin/kit/wire/declared-field.js';
import { type OperationFacts, operationOf } from '../../admin/kit/wire/declared-operation.js';
import type { DeclaredField } from '../../admin/kit/wire/field.js';
import { accessOf } from '../../foundation/http/access.js';
import { httpMethodOf, pathsOf } from '../../foundation/http/nest-metadata.js';
import { joinedPath } from '../../foundation/http/route-table.js';
import type { RunningService } from './running-service.js';

/** One operation of the administrative API, as the running service has it. */
export interface KnownOperation {
  /** `POST /management/v1/projects/:projectId/roles` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly facts: OperationFacts;
  /** The permission that it requires; undefined if it is open. */
  readonly permission: string | undefined;
  readonly reach: ReachFields;
}

/** Every operation of every controller: a new one is tested without a line in any test. */
export function operationsOf(world: Pick<RunningService, 'get'>): KnownOperation[] {
  const scanner = new MetadataScanner();
  const controllers = [...world.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    const prototype = (metatype as { prototype: Record<string, object> }).prototype;
    return scanner
      .getAllMethodNames(prototype)
      .flatMap((method) => toOperations(metatype as object, prototype[method]!));
  });
}

function toOperations(controller: object, handler: object): KnownOperation[] {
  const facts = operationOf(handler);
  if (!facts) return [];
  const method = httpMethodOf(handler)!;
  const access = accessOf(controller, handler);
  return pathsOf(controller).flatMap((base) =>
    pathsOf(handler).map((path) => {
      const whole = joinedPath(base, path);
      return {
        name: `${method} ${whole}`,
        method,
        path: whole,
        facts,
        permission: access?.kind === 'permission' ? access.permission : undefined,
        reach: reachOf(handler),
      };
    }),
  );
}

/** The names of the fields that stand in the path. */
export function pathFieldsOf({ path }: KnownOperation): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
}

/** The path with its fields filled in, as they are sent; by default with the values of the example. */
export function pathOf(operation: KnownOperation, values: Readonly<Record<string, string>> = {}): string {
  const example = exampleRequest(operation) as Readonly<Record<string, string>>;
  return operation.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? example[name] ?? '1'),
  );
}

/** A request as the documentation shows it. */
function exampleRequest({ facts }: KnownOperation): Readonly<Record<string, unknown>> {
  return facts.example ?? (facts.request ? exampleOf(facts.request) : {});
}

/** The whole of what `pathOf` and `exampleBody` send, by the names of the declared fields. */
export function exampleMessage(operation: KnownOperation): Readonly<Record<string, unknown>> {
  const example = exampleRequest(operation);
  const inPath = pathFieldsOf(operation).map((name) => [name, example[name] ?? '1'] as const);
  return { ...Object.fromEntries(inPath), ...exampleBody(operation) };
}

/** The fields that go into the body, or into the query of GET and DELETE. */
export function looseFieldsOf(operation: KnownOperation): readonly DeclaredField[] {
  const inPath = pathFieldsOf(operation);
  return operation.facts.request ? fieldsOf(operation.facts.request).filter(({ name }) => !inPath.includes(name)) : [];
}

/**
 * Whether what is not in the path stands in a body; that of a DELETE does where it is a list, which no query spells.
 */
export function takesBody(operation: KnownOperation): boolean {
  const fields = looseFieldsOf(operation);
  if (operation.method === 'DELETE') return fields.some(({ many }) => many);
  return operation.method !== 'GET' && fields.length > 0;
}

/** The members of the example that stand in the body; undefined if there are none. */
export function exampleBody(operation: KnownOperation): Record<string, unknown> | undefined {
  if (!takesBody(operation)) return undefined;
  const names = looseFieldsOf(operation).map(({ name }) => name);
  return Object.fromEntries(Object.entries(exampleRequest(operation)).filter(([name]) => names.includes(name)));
}
