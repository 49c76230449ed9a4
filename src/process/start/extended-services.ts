import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { ApplicationConfig, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppModule } from '../../app.module.js';
import { permissionTable } from '../../docs/permission-table.js';
import type { Config } from '../../foundation/config/config.js';
import { type EnvironmentReader } from '../../foundation/config/environment.js';
import { readVersion } from '../../foundation/config/version.js';
import type { ConnectionSettings } from '../../foundation/database/connection-settings.js';
import type { Access } from '../../foundation/database/data-source.js';
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

/** The services of commands with extensions: describe and check them. */
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

  /** Everything that the service is made of, of which nothing listens or runs in the background. */
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
