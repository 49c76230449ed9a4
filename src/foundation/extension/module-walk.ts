import type { DynamicModule, ForwardReference, Provider, Type } from '@nestjs/common';
import { declaredIn } from '../http/nest-metadata.js';
import type { Extension } from './extension.js';

/** A module of an extension, as far as its decorator and its imports describe it. */
export interface ExtModule {
  readonly type: Type<unknown>;
  readonly dynamic: DynamicModule | undefined;
}

type Import = Type<unknown> | DynamicModule | Promise<DynamicModule> | ForwardReference;

/**
 * Modules of packages that extensions use; what they register is theirs. By name, as two forms of one module may be
 * loaded.
 */
const FOREIGN: ReadonlySet<string> = new Set(['TypeOrmModule', 'GatehouseServices', 'AdminRoutes']);

/** The module of an extension and those that it imports. Makes nothing. */
export async function modulesOf({ module }: Extension): Promise<ExtModule[]> {
  const found = new Map<unknown, ExtModule>();
  await walk(module, found);
  return [...found.values()];
}

/** The controllers of an extension. */
export async function controllersOf(extension: Extension): Promise<Array<Type<unknown>>> {
  const modules = await modulesOf(extension);
  return modules.flatMap(controllersIn);
}

export function controllersIn({ type, dynamic }: ExtModule): Array<Type<unknown>> {
  return [...declaredIn<Type<unknown>>(type, 'controllers'), ...(dynamic?.controllers ?? [])];
}

export function providersIn({ type, dynamic }: ExtModule): Provider[] {
  return [...declaredIn<Provider>(type, 'providers'), ...(dynamic?.providers ?? [])];
}

async function walk(given: Import, found: Map<unknown, ExtModule>): Promise<void> {
  const loaded = await given;
  const node =
    typeof loaded === 'object' && 'forwardRef' in loaded
      ? (loaded as { forwardRef: () => Import }).forwardRef()
      : loaded;
  if (node !== loaded) return walk(node, found);
  const dynamic = typeof node === 'function' ? undefined : (node as DynamicModule);
  const type = dynamic?.module ?? (node as Type<unknown>);
  if (found.has(node) || FOREIGN.has(type.name)) return;
  found.set(node, { type, dynamic });
  for (const one of [...declaredIn<Import>(type, 'imports'), ...((dynamic?.imports ?? []) as Import[])])
    await walk(one, found);
}
