import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../../foundation/config/config.js';
import type { EnvironmentReader } from '../../foundation/config/environment.js';
import type { ConnectionSettings } from '../../foundation/database/connection-settings.js';
import type { Access } from '../../foundation/database/data-source.js';
import { CommandError } from './command-error.js';

/** A choice of services other than those that the product's own commands need. */
export interface Assembly {
  /** Reads further settings. */
  readonly read: (env: EnvironmentReader) => void;
  readonly assemble: (config: Config, connection: ConnectionSettings) => Promise<INestApplicationContext>;
}

/**
 * Runs work with the services of Gatehouse on its database, without a listener and without what runs in the background.
 * An embedded database is that of the running service, or else it runs for the time of the work. The schema stays as it
 * is: the service changes it, when it starts.
 * @throws CommandError for everything that the operator can correct
 */
export async function onDatabase<T>(
  work: (services: INestApplicationContext, config: Config) => Promise<T>,
  access: Pick<Access, 'readsOnly'> = {},
  assembly?: Assembly,
): Promise<T> {
  await import('reflect-metadata');
  // Loaded here, because the other commands need none of it.
  const { NestFactory } = await import('@nestjs/core');
  const { loadConfig } = await import('../../foundation/config/load-config.js');
  const { hasMasterKeyFile } = await import('../../foundation/crypto/master-key-file.js');
  const { connect } = await import('../../process/connect.js');
  const { borrowEmbeddedPostgres } = await import('../../process/embedded/index.js');
  const { DomainError } = await import('../../foundation/error/domain-error.js');
  const { RecoveryModule } = await import('./recovery.module.js');
  const config = loadConfig(undefined, assembly?.read);
  const { dataDir } = config.secrets;
  const quiet: Config = { ...config, log: { level: 'error', format: 'json' } };
  try {
    const server = await connect(config.database, new AbortController().signal, borrowEmbeddedPostgres);
    try {
      if (!config.secrets.masterKey && !hasMasterKeyFile(dataDir)) throw noMasterKey(dataDir);
      const assemble =
        assembly?.assemble ??
        (async (): Promise<INestApplicationContext> => {
          const module = RecoveryModule.of(quiet, server.settings, { ...access, keepsSchema: true });
          return NestFactory.createApplicationContext(module, { abortOnError: false, logger: false });
        });
      const services = await assemble(quiet, server.settings);
      try {
        return await work(services, config);
      } finally {
        await services.close();
      }
    } finally {
      await server.stop();
    }
  } catch (error) {
    throw error instanceof DomainError ? new CommandError(error.message) : error;
  }
}

/** Otherwise one would be generated, which decrypts nothing. */
function noMasterKey(dataDir: string): CommandError {
  return new CommandError(
    `There is no master key: MASTER_KEY is not set, and ${dataDir} has none. Run the command with the settings of the service.`,
  );
}
