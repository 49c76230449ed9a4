import type { DatabaseConfig } from '../config/config.js';
import { ConnectionSettings } from './connection-settings.js';
import { startEmbeddedPostgres } from './embedded/index.js';

export interface DatabaseServer {
  readonly settings: ConnectionSettings;
  /** Stops the server if it is embedded. */
  stop(): Promise<void>;
}

/**
 * Connects to the given PostgreSQL, or starts the embedded one on the data folder.
 * @param signal gives up the start of an embedded one; the promise then rejects once its processes have ended
 */
export async function connect(config: DatabaseConfig, signal: AbortSignal): Promise<DatabaseServer> {
  if (config.url) {
    const settings = new ConnectionSettings({ connectionString: config.url.reveal() }, 'PostgreSQL');
    return { settings, stop: () => Promise.resolve() };
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, signal });
  return {
    settings: new ConnectionSettings(embedded.connection, `embedded PostgreSQL ${embedded.version}`),
    stop: () => embedded.stop(),
  };
}
