import type { Type } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';
import type { Extension } from '../../foundation/extension/extension.js';
import { controllersOf } from '../../foundation/extension/module-walk.js';
import { isBelow } from '../../foundation/extension/own-paths.js';
import { accessOf } from '../../foundation/http/access.js';
import { httpMethodOf, pathsOf } from '../../foundation/http/nest-metadata.js';
import { joinedPath } from '../../foundation/http/route-table.js';
import { aroundMistakes, parameterMistakes } from './one-wire.js';
import { ERROR_SCHEMA } from './operation.js';
import { ownRouteMistakes } from './own-routes.js';
import { fieldsOf, nameOf } from './wire/declared-field.js';
import { messagesOf, type OperationFacts, operationOf } from './wire/declared-operation.js';
import type { MessageClass } from './wire/field.js';

/** Ids are formed like those of the product: `ListEmployees`. */
const OPERATION_ID = /^[A-Z][A-Za-z0-9]{1,59}$/;
const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE'];
/**
 * A prefix without parameters, then literal segments and parameters: what Express would read as a pattern is not a
 * route of ours.
 */
const REST = /^(\/(:[a-zA-Z][a-zA-Z0-9]*|[a-z0-9][a-z0-9._-]*))+$/;

/** A method of a controller that serves a route. */
interface Handler {
  readonly extension: Extension;
  readonly controller: Type<unknown>;
  readonly name: string;
  readonly method: object;
}

/**
 * What is wrong with the routes of extensions, each in a sentence with its remedy. They are operations of the
 * administrative API below a path of their own, each with a permission of its extension, or routes at a path that the
 * manifest declares.
 */
export async function routeMistakes(extensions: readonly Extension[]): Promise<string[]> {
  const mistakes: string[] = [];
  for (const extension of extensions) {
    const controllers = await controllersOf(extension);
    const handlers = controllers.flatMap((controller) => handlersOf(extension, controller));
    mistakes.push(
      ...controllers
        .filter((one) => !pathsOf(one).every((path) => isBelow(extension.paths, joinedPath(path, ''))))
        .flatMap((one) => aroundMistakes(one, `The controller ${one.name} of the extension ${extension.id}`)),
      ...handlers.flatMap(handlerMistakes),
      ...repeatedRoutes(extension, handlers),
      ...nameMistakes(extension, handlers),
    );
  }
  return mistakes;
}

/** The ids of the operations of an extension. */
export async function operationIdsOf(extension: Extension): Promise<string[]> {
  return (await controllersOf(extension))
    .flatMap((controller) => handlersOf(extension, controller))
    .flatMap(({ method }) => operationOf(method)?.id ?? []);
}

function handlersOf(extension: Extension, controller: Type<unknown>): Handler[] {
  const prototype = controller.prototype as Record<string, object>;
  return new MetadataScanner()
    .getAllMethodNames(prototype)
    .map((name) => ({ extension, controller, name, method: prototype[name]! }))
    .filter(({ method }) => httpMethodOf(method) !== undefined);
}

function fullPathsOf({ controller, method }: Handler): string[] {
  return pathsOf(controller).flatMap((base) => pathsOf(method).map((path) => joinedPath(base, path)));
}

function handlerMistakes(handler: Handler): string[] {
  const { extension, controller, name, method } = handler;
  const httpMethod = httpMethodOf(method)!;
  const paths = fullPathsOf(handler);
  const route = `The route ${httpMethod} ${paths.join(', ')} (${controller.name}.${name}) of the extension ${extension.id}`;
  if (paths.every((path) => isBelow(extension.paths, path)))
    return paths.flatMap((path) => ownRouteMistakes(extension, controller, method, path, route));
  return [
    ...(METHODS.includes(httpMethod) ? [] : [`${route} must be one of GET, POST, PUT and DELETE.`]),
    ...(paths.length === 1 ? [] : [`${route} has several paths. Give it one.`]),
    ...paths.flatMap((path) => pathMistakes(handler, path, route)),
    ...aroundMistakes(method, route),
    ...parameterMistakes(controller, name, route),
  ];
}

function pathMistakes(handler: Handler, path: string, route: string): string[] {
  const { extension, controller, method } = handler;
  const { id, permissions } = extension;
  const [, area, rest] = new RegExp(`^/(admin|management)/v1/ext/${id}(/.*)$`).exec(path) ?? [];
  if (area === undefined || rest === undefined)
    return [
      `${route} is outside of its own paths. Move it below admin/v1/ext/${id}/ or management/v1/ext/${id}/, or name its first words in "paths" of the manifest.`,
    ];
  if (!REST.test(rest)) return [`${route} may consist of lower-case words and :parameters only.`];
  const access = accessOf(controller, method);
  if (!access) return [`${route} requires no permission. Add @Requires with one of the extension.`];
  if (access.kind === 'open') return [`${route} is open to everybody. Replace @Open() by @Requires.`];
  const required = permissions.find((permission) => permission.name === access.permission);
  if (!required)
    return [
      `${route} requires ${access.permission}, which is not among the permissions of the extension. Declare one that begins with ext.${id}. and require that.`,
    ];
  const level = area === 'admin' ? 'instance' : 'org';
  if (required.level !== level)
    return [
      `${route} requires ${required.name}, whose level is ${required.level}. Below ${area}/v1 it must be ${level}.`,
    ];
  return operationMistakes(operationOf(method), rest, route);
}

function operationMistakes(facts: OperationFacts | undefined, path: string, route: string): string[] {
  if (!facts) return [`${route} is no operation. Add @Operation with its id, summary, request and response.`];
  if (!OPERATION_ID.test(facts.id)) return [`${route} has the id "${facts.id}". Give one such as ListEmployees.`];
  const fields = new Set((facts.request ? fieldsOf(facts.request) : []).map(({ name }) => name));
  return [...path.matchAll(/:(\w+)/g)]
    .map(([, name]) => name!)
    .filter((name) => !fields.has(name))
    .map((name) => `${route} has the parameter :${name}, for which its request has no field. Add one.`);
}

/** Express answers by the first of two routes alone, and parameters have no names there. */
function repeatedRoutes({ id }: Extension, handlers: readonly Handler[]): string[] {
  const byRoute = new Map<string, string[]>();
  for (const handler of handlers)
    for (const path of fullPathsOf(handler)) {
      const route = `${httpMethodOf(handler.method)} ${path.replace(/:\w+/g, ':…')}`;
      byRoute.set(route, [...(byRoute.get(route) ?? []), `${handler.controller.name}.${handler.name}`]);
    }
  return [...byRoute]
    .filter(([, names]) => names.length > 1)
    .map(
      ([route, names]) =>
        `The extension ${id} has the route ${route} several times: ${names.join(', ')}. Give all but one another path.`,
    );
}

/** Operations and messages have one name each in the documents of an extension. */
function nameMistakes({ id }: Extension, handlers: readonly Handler[]): string[] {
  const operations = handlers.flatMap(({ method }) => operationOf(method) ?? []);
  const messages = new Map<string, Set<MessageClass>>();
  for (const message of messagesOf(operations))
    messages.set(nameOf(message), (messages.get(nameOf(message)) ?? new Set()).add(message));
  const ids = operations.map((operation) => operation.id);
  return [
    ...(messages.has(ERROR_SCHEMA)
      ? [`The extension ${id} has a message ${ERROR_SCHEMA}, which is the name of refusals. Rename it.`]
      : []),
    ...(messages.has('')
      ? [`The extension ${id} has a message whose class has no name. Say it: @Named('ListEmployeesRequest').`]
      : []),
    ...[...new Set(ids.filter((one, index) => ids.indexOf(one) !== index))].map(
      (name) => `The extension ${id} has several operations ${name}. Rename all but one.`,
    ),
    ...[...messages]
      .filter(([, classes]) => classes.size > 1)
      .map(([name]) => `The extension ${id} has several messages ${name}. Rename all but one.`),
  ];
}
