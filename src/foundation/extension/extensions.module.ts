import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import type { ExtSchema } from '../database/schema-change/ext-schema.js';
import type { Extension } from './extension.js';
import { isBelow } from './own-paths.js';
import { PartCalls } from './part-calls.js';
import { PartRecord } from './part-record.js';
import { declaredSeams, type Filled, type Seam } from './seam.js';

/** Settings of extensions that were read, each under its class. */
export type SettingsInUse = ReadonlyMap<abstract new (...values: never[]) => unknown, unknown>;

/** Extensions that were checked, with their settings. */
export interface ExtensionsInUse {
  readonly extensions: readonly Extension[];
  readonly settings: SettingsInUse;
}

export const NO_EXTENSIONS: ExtensionsInUse = { extensions: [], settings: new Map() };

/** The extensions in use by an application of which nothing runs: its settings are never read. */
export function described(extensions: readonly Extension[]): ExtensionsInUse {
  return {
    extensions,
    settings: new Map(extensions.flatMap(({ settings }) => settings.map(({ as }) => [as, undefined] as const))),
  };
}

/** The extensions of this process, in their order. */
export class LoadedExtensions {
  constructor(readonly extensions: readonly Extension[]) {}

  /** The id of the extension whose own routes are at this path of a request. */
  ownerOf(path: string): string | undefined {
    return this.extensions.find(({ paths }) => isBelow(paths, path))?.id;
  }
}

/** The parts that fill each seam, in the order in which they are asked. */
export class FilledSeams {
  constructor(
    readonly seams: ReadonlyArray<{
      readonly seam: Seam<unknown>;
      readonly filled: ReadonlyArray<Filled<unknown>>;
    }>,
  ) {}
}

/** The tables of the extensions, in their order. */
export function extSchemas({ extensions }: ExtensionsInUse = NO_EXTENSIONS): ExtSchema[] {
  return extensions.map(({ id, schemaChanges, moves }) => ({ owner: id, changes: schemaChanges, moves }));
}

/** Puts the modules of extensions into the application, and their parts into the seams of the product. */
@Module({})
export class ExtensionsModule {
  /** Without extensions every seam is there, and empty. */
  static of({ extensions, settings }: ExtensionsInUse = NO_EXTENSIONS): DynamicModule {
    const seams = declaredSeams();
    return {
      module: ExtensionsModule,
      global: true,
      imports: [SettingsModule.of(settings), ...extensions.map(exporting)],
      providers: [
        PartCalls,
        PartRecord,
        { provide: LoadedExtensions, useValue: new LoadedExtensions(extensions) },
        ...seams.map((seam) => fill(seam, extensions)),
        {
          provide: FilledSeams,
          inject: seams.map(({ token }) => token),
          useFactory: (...filled: ReadonlyArray<ReadonlyArray<Filled<unknown>>>) =>
            new FilledSeams(seams.map((seam, index) => ({ seam, filled: filled[index]! }))),
        },
      ],
      exports: [PartCalls, PartRecord, LoadedExtensions, FilledSeams, ...seams.map(({ token }) => token)],
    };
  }
}

@Module({})
class SettingsModule {
  static of(settings: SettingsInUse): DynamicModule {
    const providers: Provider[] = [...settings].map(([type, value]) => ({ provide: type, useValue: value }));
    return { module: SettingsModule, global: true, providers, exports: providers };
  }
}

/** The module of an extension, which also exports what fills seams. */
function exporting({ module: given, provides }: Extension): DynamicModule {
  const parts = [...new Set(provides.map(({ by }) => by))];
  if (typeof given === 'function') return { module: given, exports: parts };
  return { ...given, exports: [...(given.exports ?? []), ...parts] };
}

function fill(seam: Seam<unknown>, extensions: readonly Extension[]): Provider {
  const parts = extensions.flatMap(({ id, provides }) =>
    provides.filter((provided) => provided.seam === seam).map(({ by }) => ({ extension: id, by })),
  );
  return {
    provide: seam.token,
    inject: parts.map(({ by }) => by),
    useFactory: (...made: unknown[]): ReadonlyArray<Filled<unknown>> =>
      made.map((part, index) => ({ extension: parts[index]!.extension, name: parts[index]!.by.name, part })),
  };
}
