import type { DynamicModule, ForwardReference, Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { satisfies, validRange } from 'semver';
import type { Extension } from './extension.js';

const ID = /^[a-z][a-z0-9]{1,19}$/;
const CHANGE_NAME = /^[a-z0-9-]{1,60}$/;
/** They would change the answers of every route, not only of the extension's own. */
const FOR_ALL_ROUTES: ReadonlyMap<unknown, string> = new Map([
  [APP_GUARD, 'APP_GUARD'],
  [APP_FILTER, 'APP_FILTER'],
  [APP_PIPE, 'APP_PIPE'],
  [APP_INTERCEPTOR, 'APP_INTERCEPTOR'],
]);
/** Where Nest keeps that a module is global. */
const GLOBAL = '__module:global__';

/** Everything that is wrong with the extensions, each in a sentence with its remedy. Makes nothing and connects nowhere. */
export async function extensionMistakes(extensions: readonly Extension[], version: string): Promise<string[]> {
  const mistakes: string[] = [];
  for (const extension of extensions) {
    mistakes.push(...idMistakes(extension), ...rangeMistakes(extension, version), ...changeMistakes(extension));
    mistakes.push(...(await moduleMistakes(extension)));
  }
  return [...mistakes, ...repeatedIds(extensions), ...seatMistakes(extensions)];
}

function idMistakes({ id }: Extension): string[] {
  if (ID.test(id)) return [];
  return [`"${id}" cannot be the id of an extension. Choose 2 to 20 lower-case letters and digits, letter first.`];
}

function rangeMistakes(extension: Extension, version: string): string[] {
  const range = validRange(extension.gatehouse);
  if (range === null)
    return [
      `The extension ${titleOf(extension)} names the versions of gatehouse "${extension.gatehouse}", which is not a range. ` +
        'Give one such as ^1.4.0.',
    ];
  if (satisfies(version, range, { includePrerelease: true })) return [];
  return [
    `The extension ${titleOf(extension)} was made for gatehouse ${extension.gatehouse}, and this is ${version}. ` +
      'Install a version of it that supports this one, or a gatehouse that it was made for.',
  ];
}

function changeMistakes({ id, schemaChanges }: Extension): string[] {
  const names = schemaChanges.map(({ name }) => name);
  const misnamed = names.filter((name) => !CHANGE_NAME.test(name));
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [
    ...misnamed.map(
      (name) =>
        `"${name}" cannot be the name of a schema change of the extension ${id}. Choose lower-case letters, digits and hyphens, such as 1-employee.`,
    ),
    ...[...repeated].map(
      (name) => `The extension ${id} has several schema changes named ${name}. Rename all but the first.`,
    ),
  ];
}

function repeatedIds(extensions: readonly Extension[]): string[] {
  const ids = extensions.map(({ id }) => id);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map(
    (id) => `Several extensions have the id ${id}. Load only one of them.`,
  );
}

function seatMistakes(extensions: readonly Extension[]): string[] {
  const parts = extensions.flatMap(({ provides }) => provides);
  const seams = [...new Set(parts.map(({ seam }) => seam))].filter(({ seats }) => seats === 'one');
  return seams.flatMap((seam) => {
    const names = parts.filter((part) => part.seam === seam).map(({ by }) => by.name);
    return names.length > 1
      ? [`${seam.name} has one seat, and ${names.join(' and ')} both want it. Load the extension with one of them.`]
      : [];
  });
}

/** What the modules of an extension declare, as far as their decorators and imports say it. */
interface Reach {
  readonly providers: Set<unknown>;
  readonly mistakes: string[];
  readonly seen: Set<unknown>;
}

type Import = Type<unknown> | DynamicModule | Promise<DynamicModule> | ForwardReference;

async function moduleMistakes(extension: Extension): Promise<string[]> {
  const reach: Reach = { providers: new Set(), mistakes: [], seen: new Set() };
  await walk(extension, extension.module, reach);
  for (const { seam, by } of extension.provides) {
    if (!reach.providers.has(by))
      reach.mistakes.push(
        `The extension ${extension.id} fills ${seam.name} with ${by.name}, which is not among the providers of its module. Add it there.`,
      );
  }
  return reach.mistakes;
}

async function walk(extension: Extension, given: Import, reach: Reach): Promise<void> {
  const loaded = await given;
  const node =
    typeof loaded === 'object' && 'forwardRef' in loaded
      ? (loaded as { forwardRef: () => Import }).forwardRef()
      : loaded;
  if (node !== loaded) return walk(extension, node, reach);
  const dynamic = typeof node === 'function' ? undefined : (node as DynamicModule);
  const type = dynamic?.module ?? (node as Type<unknown>);
  if (reach.seen.has(node) || isForeign(type)) return;
  reach.seen.add(node);
  checkModule(extension, type, dynamic, reach);
  for (const one of [...listOf<Import>(type, 'imports'), ...((dynamic?.imports ?? []) as Import[])])
    await walk(extension, one, reach);
}

function checkModule({ id }: Extension, type: Type<unknown>, dynamic: DynamicModule | undefined, reach: Reach): void {
  const found = (what: string, remedy: string) =>
    reach.mistakes.push(`The extension ${id} ${what} in ${type.name}. ${remedy}`);
  if (dynamic?.global === true || Reflect.getMetadata(GLOBAL, type) === true)
    found('declares a global module', 'Remove @Global(), and import the module where it is needed.');
  if (typeof (type.prototype as { configure?: unknown } | undefined)?.configure === 'function')
    found('registers middleware', 'Remove configure(): requests of the product are not open to it.');
  const controllers = [...listOf<Type<unknown>>(type, 'controllers'), ...(dynamic?.controllers ?? [])];
  if (controllers.length > 0)
    found(`declares the controller ${controllers[0]!.name}`, 'Routes of extensions are not supported yet. Remove it.');
  for (const provider of [...listOf<unknown>(type, 'providers'), ...(dynamic?.providers ?? [])]) {
    const token = typeof provider === 'function' ? provider : (provider as { provide?: unknown }).provide;
    reach.providers.add(token);
    const name = FOR_ALL_ROUTES.get(token);
    if (name !== undefined) found(`provides ${name}`, 'It would apply to every route of the product. Remove it.');
  }
}

/** Modules of packages that extensions use; what they register is theirs. */
function isForeign(type: Type<unknown>): boolean {
  return FOREIGN.has(type.name);
}

/** By name, as two forms of one module may be loaded. */
const FOREIGN: ReadonlySet<string> = new Set(['TypeOrmModule', 'GatehouseServices']);

function listOf<T>(type: Type<unknown>, key: 'imports' | 'providers' | 'controllers'): readonly T[] {
  return (Reflect.getMetadata(key, type) as readonly T[] | undefined) ?? [];
}

export function titleOf({ id, version }: Extension): string {
  return `${id} ${version}`;
}
