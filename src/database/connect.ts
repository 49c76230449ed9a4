import type { DatabaseConfig } from '../config/config.js';
import { ConnectionSettings } from './connection-settings.js';
import { startEmbeddedPostgres } from './embedded/index.js';

export interface DatabaseServer {
  readonly settings: ConnectionSettings;
  /** Stops the server if it is ours. */
  stop(): Promise<void>;
}

/** The given PostgreSQL, or else the embedded one, started on the data folder. */
export async function connect(config: DatabaseConfig): Promise<DatabaseServer> {
  if (config.url) {
    const settings = new ConnectionSettings({ connectionString: config.url.reveal() }, 'PostgreSQL');
    return { settings, stop: () => Promise.resolve() };
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir });
  return {
    settings: new ConnectionSettings(embedded.connection, `embedded PostgreSQL ${embedded.version}`),
    stop: () => embedded.stop(),
  };
}
