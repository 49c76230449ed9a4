import type { DatabaseConfig } from '../config/config.js';
import type { Secret } from '../crypto/secret.js';
import { ConnectionSettings, type ServerAddress } from './connection-settings.js';
import { startEmbeddedPostgres } from './embedded/index.js';

export interface DatabaseServer {
  readonly settings: ConnectionSettings;
  /** Stops the server if it is embedded. */
  stop(): Promise<void>;
}

/**
 * Connects to the given PostgreSQL, or starts the embedded one on the data folder.
 * @param signal gives up the start of an embedded one; the promise then rejects once its processes have ended
 * @param start how an embedded one is reached
 */
export async function connect(
  config: DatabaseConfig,
  signal: AbortSignal,
  start: typeof startEmbeddedPostgres = startEmbeddedPostgres,
): Promise<DatabaseServer> {
  if (config.url) {
    return { settings: settingsOf(config.url, config), stop: () => Promise.resolve() };
  }
  const embedded = await start({ dataDir: config.dataDir, signal });
  return {
    settings: new ConnectionSettings(embedded.connection, `embedded PostgreSQL ${embedded.version}`, {
      poolSize: config.poolSize,
    }),
    stop: () => embedded.stop(),
  };
}

function settingsOf(url: Secret, { directUrl, poolSize }: DatabaseConfig): ConnectionSettings {
  const addressOf = (address: Secret): ServerAddress => ({ connectionString: address.reveal() });
  return new ConnectionSettings(addressOf(url), 'PostgreSQL', {
    poolSize,
    pastPooler: directUrl && addressOf(directUrl),
  });
}
