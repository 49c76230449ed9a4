import type { DatabaseConfig } from '../foundation/config/config.js';
import { ConnectionSettings } from '../foundation/database/connection-settings.js';
import { addressOf } from '../foundation/database/server-address.js';
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
  const { url, directUrl, poolSize } = config;
  if (url) {
    const pastPooler = directUrl && addressOf(directUrl);
    const settings = new ConnectionSettings(addressOf(url), 'PostgreSQL', { poolSize, pastPooler });
    return { settings, stop: () => Promise.resolve() };
  }
  const embedded = await start({ dataDir: config.dataDir, signal });
  return {
    settings: new ConnectionSettings(embedded.connection, `embedded PostgreSQL ${embedded.version}`, {
      poolSize,
    }),
    stop: () => embedded.stop(),
  };
}
