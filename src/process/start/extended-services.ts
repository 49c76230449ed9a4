import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { ApplicationConfig, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppModule } from '../../app.module.js';
import { permissionTable } from '../../docs/permission-table.js';
import type { Config } from '../../foundation/config/config.js';
import { ConfigError, type EnvironmentReader } from '../../foundation/config/environment.js';
import { readVersion } from '../../foundation/config/version.js';
import type { ConnectionSettings } from '../../foundation/database/connection-settings.js';
import type { Access } from '../../foundation/database/data-source.js';
import { Database } from '../../foundation/database/database.js';
import { schemaNameOf } from '../../foundation/database/schema-change/ext-schema.js';
import { unprepared } from '../../foundation/database/statement.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { EventDispatcher } from '../../foundation/event/event-dispatcher.js';
import type { Extension } from '../../foundation/extension/extension.js';
import { ExtensionLoad } from '../../foundation/extension/extension-load.js';
import { globalMistakes } from '../../foundation/extension/global-reach.js';
import { type ListedSetting, listSettings } from '../../foundation/extension/setting-list.js';
import { describePreview } from '../description/preview.js';
import { protoFilesOf } from '../description/proto-files.js';
import { partMistakes } from '../part-mistakes.js';
import { ruleMistakes } from './extension-rules.js';
import { loadExtensions } from './start-extensions.js';

/** The services of commands with extensions: describe them, and run parts of them on the database. */
export class ExtendedServices {
  private constructor(private readonly load: ExtensionLoad) {}

  /** @param words files and packages. @throws NotLoaded */
  static async of(words: readonly string[]): Promise<ExtendedServices> {
    return new ExtendedServices(await ExtensionLoad.of(await loadExtensions(words), readVersion(), ruleMistakes));
  }

  /** @throws ConfigError with what is wrong with the extensions, whatever the settings are */
  check(): void {
    this.load.checked();
  }

  get extensions(): readonly Extension[] {
    return this.load.inUse.extensions;
  }

  /** Deprecated features that the extensions use, each in a sentence with its remedy. */
  get deprecated(): readonly string[] {
    return this.load.deprecated;
  }

  /** The description of the API; it needs no database, and nothing runs. */
  async openapi(): Promise<OpenAPIObject> {
    return describePreview(this.extensions);
  }

  /** The permissions; they need no database, like `openapi`. */
  async permissions(): Promise<string> {
    return permissionTable(await describePreview(this.extensions), this.extensions);
  }

  /** The .proto files by their paths; they need no database, like `openapi`. */
  async proto(urnWord: string): Promise<ReadonlyMap<string, string>> {
    return protoFilesOf(urnWord, this.extensions);
  }

  /** Reads the settings of the extensions. */
  readSettings(env: EnvironmentReader, deprecations?: 'warn' | 'error'): void {
    this.load.read(env, deprecations);
  }

  settings(env: EnvironmentReader): readonly ListedSetting[] {
    return listSettings(this.extensions, env);
  }

  /**
   * Everything that the service is made of, of which nothing listens or runs in the background. The schema stays as it
   * is.
   * @throws ConfigError; DomainError FailedPrecondition `extension.tables_missing`
   */
  async assemble(config: Config, connection: ConnectionSettings): Promise<INestApplicationContext> {
    const services = await this.make(config, connection, { keepsSchema: true });
    try {
      const { mistakes } = this.findingsOf(services);
      if (mistakes.length > 0) throw new ConfigError(mistakes, 'extensions');
      for (const extension of this.extensions) await checkTables(services.get(Database), extension);
      return services;
    } catch (error) {
      await services.close();
      throw error;
    }
  }

  /** Like `assemble`, whatever is wrong with the parts and the tables. */
  async make(config: Config, connection: ConnectionSettings, access: Access): Promise<INestApplicationContext> {
    const machine = { logTo: { write: (line: string) => void process.stderr.write(line) } };
    const module = AppModule.of(config, connection, machine, this.load.inUse, access);
    // Created in the same way as in preview.ts, though nothing is served.
    return NestFactory.create(module, new ExpressAdapter(), { abortOnError: false, logger: false });
  }

  findingsOf(services: INestApplicationContext): PartFindings {
    const reach = globalMistakes(services.get(ApplicationConfig, { strict: false }), new Set(), this.extensions);
    return {
      mistakes: [...partMistakes(services), ...reach],
      warnings: services.get(EventDispatcher, { strict: false }).warnings(),
    };
  }
}

/** The mistakes that parts of extensions report, each in a sentence with its remedy. */
export interface PartFindings {
  readonly mistakes: readonly string[];
  readonly warnings: readonly string[];
}

/** Changes of the schema are made by the service when it starts. */
async function checkTables(database: Database, { id, schemaChanges }: Extension): Promise<void> {
  if (schemaChanges.length === 0) return;
  const schema = schemaNameOf(id);
  const [found] = await database.query(SCHEMA, { schema });
  // The id has the form of a name, or it would have been refused.
  const applied = found ? await database.query(unprepared<object>(`SELECT 1 FROM ${schema}.schema_change`)) : [];
  if (applied.length !== schemaChanges.length)
    throw new DomainError(
      'FailedPrecondition',
      'extension.tables_missing',
      `The tables of the extension ${id} are not those of this version of it. Start the service with it first.`,
    );
}

const SCHEMA = unprepared<{ schema: string }>('SELECT 1 FROM pg_namespace WHERE nspname = :schema');
