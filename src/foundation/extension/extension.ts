import type { DynamicModule, Type } from '@nestjs/common';
import type { SchemaChange } from '../database/schema-change/ext-schema.js';
import type { MovedTable } from '../database/schema-change/moved-table.js';
import type { ExtEvent } from './ext-event.js';
import type { ExtensionSettings } from './extension-settings.js';
import type { Provided } from './seam.js';

/** A permission of an extension, which its routes require. @public */
export interface ExtPermission {
  /** `ext.{id}.` and lower-case words: `ext.hr.employee.read`. */
  readonly name: `ext.${string}`;
  /**
   * `org`: for operations on one organization, below `management/v1/ext/{id}`. `instance`: for those on the whole
   * instance, below `admin/v1/ext/{id}`.
   */
  readonly level: 'instance' | 'org';
  /** The manager roles of Gatehouse that have it. IAM_OWNER has every permission. */
  readonly heldBy?: readonly string[];
}

/** A manager role of an extension. Members get it like any other. @public */
export interface ExtRole {
  /** `EXT_{ID}_` and upper-case words: `EXT_HR_CLERK`. */
  readonly name: string;
  readonly level: 'instance' | 'org';
  /** Permissions of the extension, and those that roles of Gatehouse have at this level. */
  readonly permissions: readonly string[];
}

/** Texts by language and key. @public */
export type ExtTextsByLanguage = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * What an extension is made of. Everything it owns carries its id: the settings `{ID}_…`, the schema `ext_{id}`, log
 * lines, metrics.
 * @public
 */
export interface ExtensionManifest {
  /** 2 to 20 lower-case letters and digits, beginning with a letter. Never change it. */
  readonly id: string;
  /** The version of the extension itself. */
  readonly version: string;
  /**
   * The versions of Gatehouse that it was made for, as a range of npm: `^1.4.0`. Any other version refuses to start.
   */
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
   * The tables whose rows move with an organization in exports and imports; those that others refer to come first.
   * Other tables stay, and exports name them in `leftOut`.
   */
  readonly moves?: readonly MovedTable[];
  /**
   * The first words of the paths of its own routes, without a slash at either end: `scim/v2`. No other extension may
   * have them. Operations of the administrative API need none.
   */
  readonly paths?: readonly string[];
  /** What its routes require; see `gatehouse/admin`. */
  readonly permissions?: readonly ExtPermission[];
  readonly roles?: readonly ExtRole[];
  /** The types of events that it appends to the journal; see `Journal`. */
  readonly events?: readonly ExtEvent[];
  /**
   * What it says on pages, by language (`en`, `de`, …) and key. English must be complete: it stands in for languages
   * and texts that are missing.
   */
  readonly texts?: ExtTextsByLanguage;
  /**
   * A folder of files for pages, `new URL('./assets/', import.meta.url)`: `style.css`, which is linked after the
   * stylesheets of Gatehouse, and pictures, which it names by their file names.
   */
  readonly assets?: URL;
  /**
   * Whether a process without the extension must not start on a database that has seen it: for what must never be left
   * out, such as a claim that others rely on. Defaults to true if it fills LOGIN_STEP, USER_RULE, IDP_KIND or
   * DIRECTORY_KIND, otherwise to false: such a process then starts with a warning if the extension has tables or
   * listeners.
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
  readonly moves: readonly MovedTable[];
  readonly paths: readonly string[];
  readonly permissions: readonly ExtPermission[];
  readonly roles: readonly ExtRole[];
  readonly events: readonly ExtEvent[];
  readonly texts: ExtTextsByLanguage;
  readonly assets?: URL;
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
    this.moves = manifest.moves ?? [];
    this.paths = manifest.paths ?? [];
    this.permissions = manifest.permissions ?? [];
    this.roles = manifest.roles ?? [];
    this.events = manifest.events ?? [];
    this.texts = manifest.texts ?? {};
    if (manifest.assets !== undefined) this.assets = manifest.assets;
    this.required = manifest.required ?? this.provides.some(({ seam }) => seam.isRequired);
  }
}

/**
 * Defines an extension: the default export of its package. It is checked at start, together with the others.
 * @public
 */
export function defineExtension(manifest: ExtensionManifest): Extension {
  return new Extension(manifest);
}
