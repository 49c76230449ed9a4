import type { ClassProvider, FactoryProvider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { satisfies, validRange } from 'semver';
import { DataSource, EntityManager } from 'typeorm';
import { moveMistakes } from '../database/schema-change/moved-table.js';
import { injectedInto, isGlobal, isMadeForEachRequest } from '../http/nest-metadata.js';
import { extEventMistakes } from './ext-event.js';
import type { Extension } from './extension.js';
import { controllersIn, type ExtModule, modulesOf, providersIn } from './module-walk.js';
import { pathMistakes } from './own-paths.js';

const ID = /^[a-z][a-z0-9]{1,19}$/;
/** The name under which the product's own listeners have their cursors. */
const PRODUCT = 'gatehouse';
const CHANGE_NAME = /^[a-z0-9-]{1,60}$/;
/** Providers that would change the answers of every route, not only of the extension's own. */
const FOR_ALL_ROUTES: ReadonlyMap<unknown, string> = new Map([
  [APP_GUARD, 'APP_GUARD'],
  [APP_FILTER, 'APP_FILTER'],
  [APP_PIPE, 'APP_PIPE'],
  [APP_INTERCEPTOR, 'APP_INTERCEPTOR'],
]);
/** Providers of Nest and TypeORM with which a class reaches the whole application, wherever it is. */
const OF_THE_APPLICATION: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [ApplicationConfig, 'ApplicationConfig'],
  [HttpAdapterHost, 'HttpAdapterHost'],
  [DataSource, 'DataSource'],
  [EntityManager, 'EntityManager'],
]);

/**
 * Everything that is wrong with the extensions, each in a sentence with its remedy. Makes nothing and connects nowhere.
 */
export async function extensionMistakes(extensions: readonly Extension[], version: string): Promise<string[]> {
  const mistakes: string[] = [];
  for (const extension of extensions) {
    mistakes.push(...idMistakes(extension), ...rangeMistakes(extension, version), ...changeMistakes(extension));
    mistakes.push(...moveMistakes(extension.id, extension.moves));
    mistakes.push(...nameMistakes(extension), ...(ID.test(extension.id) ? extEventMistakes(extension) : []));
    mistakes.push(...(await moduleMistakes(extension)));
  }
  return [...mistakes, ...repeatedIds(extensions), ...seatMistakes(extensions), ...pathMistakes(extensions)];
}

function idMistakes({ id }: Extension): string[] {
  if (id === PRODUCT) return [`"${id}" cannot be the id of an extension: it is the product's own. Choose another one.`];
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

/** Checks the names of permissions and roles: everything that an extension owns carries its id. */
function nameMistakes({ id, permissions, roles }: Extension): string[] {
  if (!ID.test(id)) return []; // reported already
  const permission = new RegExp(`^ext\\.${id}(\\.[a-z][a-z0-9_]{0,39}){1,5}$`);
  const role = new RegExp(`^EXT_${id.toUpperCase()}(_[A-Z0-9]{1,40}){1,5}$`);
  const names = [...permissions, ...roles].map(({ name }) => name);
  return [
    ...permissions
      .filter(({ name }) => !permission.test(name))
      .map(
        ({ name }) =>
          `"${name}" cannot be a permission of the extension ${id}. Its own begin with ext.${id}. and consist of lower-case words.`,
      ),
    ...roles
      .filter(({ name }) => !role.test(name))
      .map(
        ({ name }) =>
          `"${name}" cannot be a role of the extension ${id}. Its own begin with EXT_${id.toUpperCase()}_ and consist of upper-case words.`,
      ),
    ...[...permissions, ...roles]
      .filter(({ level }) => level !== 'instance' && level !== 'org')
      .map(({ name }) => `${name} of the extension ${id} needs a level: instance or org.`),
    ...[...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
      (name) => `The extension ${id} declares ${name} several times. Remove all but one.`,
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

async function moduleMistakes(extension: Extension): Promise<string[]> {
  const modules = await modulesOf(extension);
  const providers = new Set(modules.flatMap(providersIn).map(tokenOf));
  const strangers = extension.provides
    .filter(({ by }) => !providers.has(by))
    .map(
      ({ seam, by }) =>
        `The extension ${extension.id} fills ${seam.name} with ${by.name}, which is not among the providers of its module. Add it there.`,
    );
  return [...modules.flatMap((module) => reachMistakes(extension, module)), ...strangers];
}

/** The parts of a module that would reach beyond the extension. */
function reachMistakes({ id }: Extension, module: ExtModule): string[] {
  const { type, dynamic } = module;
  const mistakes: string[] = [];
  const found = (what: string, remedy: string) =>
    mistakes.push(`The extension ${id} ${what} in ${type.name}. ${remedy}`);
  if (dynamic?.global === true || isGlobal(type))
    found('declares a global module', 'Remove @Global(), and import the module where it is needed.');
  if (typeof (type.prototype as { configure?: unknown } | undefined)?.configure === 'function')
    found('registers middleware', 'Remove configure(): requests of the product are not open to it.');
  for (const provider of providersIn(module)) {
    const name = FOR_ALL_ROUTES.get(tokenOf(provider));
    if (name !== undefined) found(`provides ${name}`, 'It would apply to every route of the product. Remove it.');
  }
  for (const one of [...providersIn(module), ...controllersIn(module)])
    if (isMadeForEachRequest(one))
      found(
        `makes ${nameOf(tokenOf(one))} for each request`,
        'Whatever injects it would be made anew as well, up to the parts of the product. Remove Scope.REQUEST.',
      );
  for (const [who, token] of [type, ...providersIn(module), ...controllersIn(module)].flatMap(injectionsOf)) {
    const name = OF_THE_APPLICATION.get(token);
    if (name !== undefined)
      found(`injects ${name} into ${who}`, 'It reaches all of the product. Use what GatehouseServices offers.');
  }
  return mistakes;
}

/** The tokens that Nest would inject into a class or a factory, with the name of either. */
function injectionsOf(given: unknown): Array<readonly [string, unknown]> {
  const { useClass, useFactory, inject } = given as Partial<ClassProvider & FactoryProvider>;
  const type = typeof given === 'function' ? given : useClass;
  if (type === undefined)
    return (inject ?? []).map((one) => {
      const { token = one } = (typeof one === 'object' ? one : {}) as { readonly token?: unknown };
      return [useFactory?.name ?? '', token] as const;
    });
  return injectedInto(type).map((token) => [type.name, token] as const);
}

function nameOf(token: unknown): string {
  return typeof token === 'function' ? token.name : String(token);
}

function tokenOf(provider: unknown): unknown {
  return typeof provider === 'function' ? provider : (provider as { provide?: unknown }).provide;
}

export function titleOf({ id, version }: Extension): string {
  return `${id} ${version}`;
}
