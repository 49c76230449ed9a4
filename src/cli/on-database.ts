import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../foundation/config/config.js';
import { CommandError, usage } from './command-error.js';

/**
 * Runs work with the services of Gatehouse on its database, without a listener and without what runs in the background.
 * @throws CommandError when a setting is missing, and for everything that the operator can correct
 */
export async function onDatabase<T>(
  work: (services: INestApplicationContext, config: Config) => Promise<T>,
): Promise<T> {
  await import('reflect-metadata');
  // Loaded here, because the other commands need none of it.
  const { NestFactory } = await import('@nestjs/core');
  const { loadConfig } = await import('../foundation/config/load-config.js');
  const { connect } = await import('../foundation/database/connect.js');
  const { Database } = await import('../foundation/database/database.js');
  const { DomainError } = await import('../foundation/error/domain-error.js');
  const { numberThisProcess } = await import('../setup/process-number.js');
  const { RecoveryModule } = await import('./recovery.module.js');
  const config = loadConfig();
  if (config.database.url === undefined)
    throw usage(
      'DATABASE_URL is missing. Run the command with the settings of the service: DATABASE_URL and MASTER_KEY.',
    );
  const quiet: Config = { ...config, log: { level: 'error', format: 'json' } };
  try {
    const { settings } = await connect(config.database, new AbortController().signal);
    const options = { abortOnError: false, logger: false } as const;
    const services = await NestFactory.createApplicationContext(RecoveryModule.of(quiet, settings), options);
    try {
      await numberThisProcess(services.get(Database));
      return await work(services, config);
    } finally {
      await services.close();
    }
  } catch (error) {
    throw error instanceof DomainError ? new CommandError(error.message) : error;
  }
}
