import type { OnApplicationShutdown } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Database } from './database.js';

/**
 * The server without a pooler in between, for work that needs one session for longer than a transaction: settings of
 * the session, temporary tables, the number of the server's process. Without a pooler these are the connections of
 * `Database` (docs/adr/0014).
 */
export class DirectDatabase extends Database implements OnApplicationShutdown {
  /** `shared`: the connection that Nest closes. */
  constructor(
    source: DataSource,
    private readonly shared: DataSource,
  ) {
    super(source, false);
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.source !== this.shared && this.source.isInitialized) await this.source.destroy();
  }
}
