import type { ClientConfig } from 'pg';

/** How to reach PostgreSQL; created once at the start, for the embedded or the given server. */
export class ConnectionSettings {
  constructor(
    readonly pg: Pick<ClientConfig, 'host' | 'port' | 'user' | 'database' | 'connectionString'>,
    /** For the start block: `embedded PostgreSQL 18`, or `PostgreSQL`. */
    readonly label: string,
  ) {}
}
