import { type Provider, RequestMethod, Scope, type ScopeOptions, type Type } from '@nestjs/common';
import {
  EXCEPTION_FILTERS_METADATA,
  GLOBAL_MODULE_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  METHOD_METADATA,
  PARAMTYPES_METADATA,
  PATH_METADATA,
  PIPES_METADATA,
  PROPERTY_DEPS_METADATA,
  ROUTE_ARGS_METADATA,
  SCOPE_OPTIONS_METADATA,
  SELF_DECLARED_DEPS_METADATA,
} from '@nestjs/common/constants.js';

/*
 * Written against @nestjs/common 12.5: where its decorators leave what they declare. Nest itself reads it there, and
 * offers no other way to ask before anything is made.
 */

/** `GET`; undefined for a method that serves no route. */
export function httpMethodOf(handler: object): string | undefined {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  return method === undefined ? undefined : RequestMethod[method];
}

/** The paths that a controller or a method of one is declared with. */
export function pathsOf(target: object): string[] {
  return [(Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined) ?? ''].flat();
}

/** A parameter of a handler that a decorator fills. */
interface Filled {
  readonly index: number;
  readonly factory?: unknown;
}

/** The parameters of a handler. */
export function parametersOf(controller: Type<unknown>, method: string): readonly Filled[] {
  const declared = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) as Record<string, Filled> | undefined;
  return Object.values(declared ?? {});
}

const AROUND = {
  UseGuards: GUARDS_METADATA,
  UseInterceptors: INTERCEPTORS_METADATA,
  UsePipes: PIPES_METADATA,
  UseFilters: EXCEPTION_FILTERS_METADATA,
} as const;

/** A decorator that puts something around a handler. */
export type Around = keyof typeof AROUND;

/** The classes that such a decorator has put around a controller or one of its methods. */
export function aroundOf(target: object, decorator: Around): readonly unknown[] {
  return listOf(target, AROUND[decorator]);
}

/** The entries that the decorator of a module declares. */
export function declaredIn<T>(module: Type<unknown>, key: 'imports' | 'providers' | 'controllers'): readonly T[] {
  return listOf(module, key);
}

export function isGlobal(module: Type<unknown>): boolean {
  return Reflect.getMetadata(GLOBAL_MODULE_METADATA, module) === true;
}

/** Whether a provider or a controller, as a module declares it, is made anew for each request. */
export function isMadeForEachRequest(declared: Provider): boolean {
  const { scope, useClass } = declared as { readonly scope?: Scope; readonly useClass?: object };
  const type = typeof declared === 'function' ? declared : useClass;
  const ofClass = type && (Reflect.getMetadata(SCOPE_OPTIONS_METADATA, type) as ScopeOptions | undefined);
  return (scope ?? ofClass?.scope) === Scope.REQUEST;
}

/** The tokens of what Nest would inject into a class. */
export function injectedInto(type: object): readonly unknown[] {
  return [
    ...listOf(type, PARAMTYPES_METADATA),
    ...listOf<{ param: unknown }>(type, SELF_DECLARED_DEPS_METADATA).map(({ param }) => param),
    ...listOf<{ type: unknown }>(type, PROPERTY_DEPS_METADATA).map((property) => property.type),
  ];
}

function listOf<T>(target: object, key: string): readonly T[] {
  return (Reflect.getMetadata(key, target) as readonly T[] | undefined) ?? [];
}
