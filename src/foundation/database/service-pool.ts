import pg, { type PoolClient } from 'pg';
import { NoConnection, refusesChanges } from './database-failure.js';
import type { ServerAddress } from './server-address.js';
import { giveUp, ServiceClient } from './service-client.js';
import { sharedTransaction } from './shared-transaction.js';

const LOOK_EVERY_MS = 500;
/** A server that stays as it is refuses again and again. */
const RENEW_EVERY_MS = 1_000;

export interface ServicePoolOptions extends pg.PoolConfig {
  readonly address: ServerAddress;
  /** The time limit of a statement. It is kept here, too, since a server that hangs keeps no limit. */
  readonly statementMs: number;
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: (error?: unknown) => void) => void;

/** Trouble of a pool of which an operator should know. */
export type PoolTrouble =
  /** The server takes no changes; connections to it are given up, since another one may by now. */
  | { readonly kind: 'takes no changes'; readonly error: Error }
  /** The server has not answered in time; the connection was closed. */
  | { readonly kind: 'overdue' }
  /** The server was out of reach or refused the login, and the file of the URL held another one. */
  | { readonly kind: 'read again' }
  /** There is no connection, whatever the reason. */
  | { readonly kind: 'no connection'; readonly error: NoConnection };

/**
 * The pool of pg for servers that fail, hang, and are replaced by others: connections to one that takes no changes are
 * closed, so that the next are made to the one that has taken its place; those to one that has fallen silent are closed
 * in time; and what cannot be connected to is tried again with the URL that its file has by now.
 *
 * Written against pg-pool 3.14: that it reads its options anew for each connection, and says that one was released
 * before it looks whether that one was ended.
 */
export class ServicePool extends pg.Pool {
  private readonly clients = new Set<ServiceClient>();
  private readonly address: ServerAddress;
  private readonly statementMs: number;
  private readonly watch: NodeJS.Timeout;
  private renewedAtMs = Number.NEGATIVE_INFINITY;
  /** A change was refused, and the connections were not yet made anew. */
  private refusal: Error | undefined;
  private lookedAtMs = performance.now();
  /** Called with each trouble. */
  onTrouble: (trouble: PoolTrouble) => void = () => undefined;

  constructor({ address, statementMs, ...options }: ServicePoolOptions) {
    super({ ...options, Client: ServiceClient as unknown as NonNullable<pg.PoolConfig['Client']> });
    this.address = address;
    this.statementMs = statementMs;
    this.on('connect', (client) => this.clients.add(client as unknown as ServiceClient));
    this.on('remove', (client) => this.clients.delete(client as unknown as ServiceClient));
    this.on('release', (error, client) => this.takeBack(client as unknown as ServiceClient, error));
    this.watch = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
  }

  override connect(): Promise<PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<PoolClient> | void {
    if (!connected) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error ?? new Error('No connection.'))));
      });
    }
    // TypeORM asks here for each of its reads and writes outside of a transaction.
    const shared = sharedTransaction();
    if (shared)
      return void shared.inTurn(
        () => new Promise<void>((resolve) => connected(undefined, shared.client, () => resolve())),
      );
    const used = this.address.connectionString;
    super.connect((error, client, release) => {
      if (!error) connected(undefined, client, release);
      else if (this.hasChanged(used)) super.connect(this.orNone(connected));
      else this.orNone(connected)(error, undefined, release);
    });
  }

  override end(): Promise<void>;
  override end(ended: () => void): void;
  override end(ended?: () => void): Promise<void> | void {
    clearInterval(this.watch);
    return ended ? super.end(ended) : super.end();
  }

  /** The work on that connection has met this error. */
  note(client: PoolClient, error: unknown): void {
    if (!refusesChanges(error)) return;
    giveUp(client);
    this.suspect(error as Error);
  }

  private orNone(connected: Connected): Connected {
    return (cause, client, release) => {
      if (!cause) return connected(undefined, client, release);
      const error = new NoConnection(cause);
      this.onTrouble({ kind: 'no connection', error });
      connected(error, undefined, release);
    };
  }

  /** Whether the address is another one by now than the one that has failed. */
  private hasChanged(failed: string | undefined): boolean {
    const known = this.address.connectionString;
    this.address.lookAgain?.();
    const { connectionString } = this.address;
    if (connectionString !== known) {
      Object.assign(this.options, { connectionString });
      this.onTrouble({ kind: 'read again' });
    }
    return connectionString !== failed;
  }

  private suspect(error: Error): void {
    this.refusal = error;
    this.renew();
  }

  /**
   * The other connections may well lead to the same server. Idle ones are closed at once, and those in use when they
   * come back.
   */
  private renew(): void {
    const nowMs = performance.now();
    if (!this.refusal || nowMs - this.renewedAtMs < RENEW_EVERY_MS || this.ending) return;
    this.onTrouble({ kind: 'takes no changes', error: this.refusal });
    this.renewedAtMs = nowMs;
    this.refusal = undefined;
    for (let count = this.idleCount; count > 0; count -= 1)
      super.connect((_, client, release) => client && release(true));
  }

  /** Runs before pg looks whether a connection is to be kept; one that is being ended is not. */
  private takeBack(client: ServiceClient, error: unknown): void {
    client.forgetAllowance();
    if (refusesChanges(error)) this.suspect(error as Error);
    else if (!error && (client.isUnfit || client.bornAtMs < this.renewedAtMs)) void client.end();
  }

  private look(): void {
    this.renew();
    const sinceMs = performance.now() - this.lookedAtMs;
    this.lookedAtMs = performance.now();
    // A process that was busy itself reads the answers first that came meanwhile.
    if (sinceMs > 2 * LOOK_EVERY_MS) return;
    for (const client of this.clients) {
      if (!client.isOverdue(this.statementMs)) continue;
      this.clients.delete(client);
      this.onTrouble({ kind: 'overdue' });
      void client.end(); // which fails what waits for an answer
    }
  }
}
