import { MetadataScanner, type ModulesContainer } from '@nestjs/core';
import { type Access, accessOf } from '../../../foundation/http/access.js';
import { httpMethodOf, pathsOf } from '../../../foundation/http/nest-metadata.js';
import { joinedPath } from '../../../foundation/http/route-table.js';
import { type ReachFields, reachOf } from '../guard/demand.js';
import { isOfOrg } from '../operation.js';
import { extTagOf } from '../tags.js';
import { type OperationFacts, operationOf } from '../wire/declared-operation.js';
import { tagOf } from '../wire/documentation.js';
import { type ServiceId, serviceOf } from './services.js';

/** An operation, and how to call it. */
export interface KnownOperation {
  readonly service: ServiceId;
  /** The id of the extension that it belongs to; undefined for the product. */
  readonly owner: string | undefined;
  readonly httpMethod: string;
  /** `/management/v1/projects/:projectId` */
  readonly path: string;
  readonly facts: OperationFacts;
  /** The heading under which the documentation has it. */
  readonly tag: string | undefined;
  /** Whether a call may name another organization than the caller's own. */
  readonly ofOrg: boolean;
  readonly access: Access | undefined;
  readonly reach: ReachFields;
  /** The method of the controller, bound to it; undefined where the API is only described and not served. */
  readonly call: ((...parameters: readonly unknown[]) => unknown) | undefined;
}

/** Every operation of the administrative API, in the order of the controllers. */
export function collectOperations(modules: ModulesContainer): KnownOperation[] {
  const scanner = new MetadataScanner();
  const controllers = [...modules.values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype, instance }) =>
    typeof metatype === 'function' ? operationsOf(metatype, instance as object | undefined, scanner) : [],
  );
}

/** The operations of one controller. */
export function operationsOf(
  controller: { readonly prototype: unknown },
  instance: object | undefined,
  scanner = new MetadataScanner(),
): KnownOperation[] {
  const prototype = controller.prototype as Record<string, object>;
  return scanner.getAllMethodNames(prototype).flatMap((name) => toOperation(controller, prototype[name]!, instance));
}

/** The extension whose operations are below this path; undefined for those of the product. */
export function ownerOf(path: string): string | undefined {
  return /^\/(?:admin|management)\/v1\/ext\/([^/]+)\//i.exec(path)?.[1];
}

function toOperation(controller: object, handler: object, instance: object | undefined): KnownOperation[] {
  const facts = operationOf(handler);
  if (!facts) return [];
  const path = joinedPath(pathsOf(controller)[0]!, pathsOf(handler)[0]!);
  const httpMethod = httpMethodOf(handler)!;
  const call = instance ? (handler as (...parameters: readonly unknown[]) => unknown).bind(instance) : undefined;
  const access = accessOf(controller, handler);
  const service = serviceOf(controller, path);
  const owner = ownerOf(path);
  const tag = owner === undefined ? tagOf(controller) : extTagOf(owner);
  const ofOrg = isOfOrg(controller, handler);
  return [{ service, owner, httpMethod, path, facts, tag, ofOrg, access, reach: reachOf(handler), call }];
}
