import type { ApplicationConfig } from '@nestjs/core';
import type { Extension } from './extension.js';

/**
 * What is registered for all routes besides the product's own, each in a sentence with its remedy. Extensions get at
 * Nest's list in more ways than their modules show, such as through `ModuleRef`; handlers of routes take from it once,
 * while they are made.
 */
export function globalMistakes(
  config: ApplicationConfig,
  own: ReadonlySet<unknown>,
  extensions: readonly Extension[],
): string[] {
  const registered: ReadonlyArray<readonly [string, readonly unknown[]]> = [
    ['guard', [...config.getGlobalGuards(), ...config.getGlobalRequestGuards()]],
    ['interceptor', [...config.getGlobalInterceptors(), ...config.getGlobalRequestInterceptors()]],
    ['pipe', [...config.getGlobalPipes(), ...config.getGlobalRequestPipes()]],
    ['filter', [...config.getGlobalFilters(), ...config.getGlobalRequestFilters()]],
  ];
  const ids = extensions.map(({ id }) => id).join(', ');
  return registered.flatMap(([kind, all]) =>
    all
      .filter((one) => !own.has(one))
      .map(
        (one) =>
          `The global ${kind} ${classNameOf(one)} was registered by an extension (loaded: ${ids}). It would apply to every route of the product. Remove it.`,
      ),
  );
}

/** The class of a part of Nest that is registered as a class or as an object. */
export function classNameOf(one: unknown): string {
  return typeof one === 'function' ? one.name : (one as object).constructor.name;
}
