import type { ServerAddress } from './server-address.js';

const USUAL_POOL_SIZE = 16;

/** How to reach PostgreSQL; created once at the start, for the embedded or the given server. */
export class ConnectionSettings {
  readonly poolSize: number;
  private readonly pastPooler: ServerAddress | undefined;

  constructor(
    readonly pg: ServerAddress,
    /** The server in the lines of the start: `embedded PostgreSQL 18`, or `PostgreSQL`. */
    readonly label: string,
    { poolSize = USUAL_POOL_SIZE, pastPooler }: { poolSize?: number; pastPooler?: ServerAddress | undefined } = {},
  ) {
    this.poolSize = poolSize;
    this.pastPooler = pastPooler;
  }

  /** Whether `pg` leads to a pooler, which may run each transaction on another connection of the server. */
  get isPooled(): boolean {
    return this.pastPooler !== undefined;
  }

  /** The server itself: for work that needs one session for longer than a transaction. */
  get direct(): ServerAddress {
    return this.pastPooler ?? this.pg;
  }
}
