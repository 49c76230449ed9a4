import type { DynamicModule, Type } from '@nestjs/common';
import type { SchemaChange } from '../database/schema-change/own-schema.js';
import type { ExtensionSettings } from './extension-settings.js';
import type { Provided } from './seam.js';

/**
 * What an extension is made of. Everything it owns carries its id: the settings `{ID}_…`, the schema `ext_{id}`, log lines, metrics.
 * @public
 */
export interface ExtensionManifest {
  /** 2 to 20 lower-case letters and digits, beginning with a letter. Never change it. */
  readonly id: string;
  /** The version of the extension itself. */
  readonly version: string;
  /** The versions of Gatehouse that it was made for, as a range of npm: `^1.4.0`. Any other version refuses to start. */
  readonly gatehouse: string;
  /** The Nest module whose providers fill the seams. */
  readonly module: Type<unknown> | DynamicModule;
  /** The seams that it fills; where several parts fill one, they are asked in this order. */
  readonly provides?: readonly Provided[];
  /** Settings of its own, each injectable under its class; see `settings`. */
  readonly settings?: ExtensionSettings | readonly ExtensionSettings[];
  /** Its tables, in the schema `ext_{id}`: every change since its first version, in order. */
  readonly schemaChanges?: readonly SchemaChange[];
  /**
   * Whether a process without the extension must not start on a database that has seen it: for what must never be left
   * out, such as a claim that others rely on. Defaults to false: such a process then starts with a warning if the extension
   * has tables or listeners.
   */
  readonly required?: boolean;
}

/** An extension, as `defineExtension` returns it. @public */
export class Extension implements ExtensionManifest {
  readonly id: string;
  readonly version: string;
  readonly gatehouse: string;
  readonly module: Type<unknown> | DynamicModule;
  readonly provides: readonly Provided[];
  readonly settings: readonly ExtensionSettings[];
  readonly schemaChanges: readonly SchemaChange[];
  readonly required: boolean;

  /** @internal Use `defineExtension`. */
  constructor(manifest: ExtensionManifest) {
    this.id = manifest.id;
    this.version = manifest.version;
    this.gatehouse = manifest.gatehouse;
    this.module = manifest.module;
    this.provides = manifest.provides ?? [];
    this.settings = [manifest.settings ?? []].flat();
    this.schemaChanges = manifest.schemaChanges ?? [];
    this.required = manifest.required === true;
  }
}

/**
 * Defines an extension: the default export of its package. It is checked at start, together with the others.
 * @public
 */
export function defineExtension(manifest: ExtensionManifest): Extension {
  return new Extension(manifest);
}
