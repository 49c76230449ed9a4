import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DomainError } from '../../foundation/error/domain-error.js';
import { nothingYet, startFailed } from './embedded.errors.js';
import { findServer } from './postmaster.js';
import type { SupervisorOrder, SupervisorReport } from './supervisor.js';

const ACCOUNT = { user: 'gatehouse', database: 'gatehouse' };

export interface EmbeddedPostgres {
  /** `host` is the folder of the Unix socket (an address on Windows); there is no password. */
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  /** The major version: `18`. */
  readonly version: string;
  /** Ends all connections and shuts the server down; settles when it is down. Further calls have no effect. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** `DATA_DIR`; the files of the database are in its folder `postgres`. */
  readonly dataDir: string;
  /** False: faster, but a crash of the machine may lose data; for tests. */
  readonly durable?: boolean;
  /** Server settings by name, for example `{ max_connections: '50' }`. */
  readonly extraSettings?: Record<string, string>;
  /** Gives up the start: whatever it has begun has ended when the call rejects. No effect afterwards. */
  readonly signal?: AbortSignal;
}

/**
 * Starts the PostgreSQL from the npm package on a folder, which is initialized at the first start, and creates the
 * database `gatehouse`. The server ends with this process, however that ends; one that a killed supervisor left behind
 * is stopped first.
 * @throws DomainError FailedPrecondition `database.embedded_in_use` while another process runs a server on the same
 * folder, `database.embedded_unavailable` if there are no binaries for this machine, `database.embedded_failed` with
 * the server's own message. Each message names the setting that helps. The reason of `signal` once that is aborted.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { durable: isDurable = true, extraSettings: settings = {}, signal } = options;
  const order: SupervisorOrder = { dataDir: resolve(options.dataDir), isDurable, settings, ownerPid: process.pid };
  // The supervisor gets a session of its own: Ctrl-C must only reach this process, which still needs the database for
  // its shutdown.
  const supervisor = fork(fileURLToPath(new URL('./supervisor.js', import.meta.url)), [JSON.stringify(order)], {
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const giveUp = (): void => supervisor.disconnect();
  signal?.addEventListener('abort', giveUp);
  const report = await firstReport(supervisor).finally(() => signal?.removeEventListener('abort', giveUp));
  if (signal?.aborted || 'failed' in report) await stop(supervisor);
  signal?.throwIfAborted();
  if ('failed' in report) throw new DomainError('FailedPrecondition', report.failed.reason, report.failed.message);
  // Lets an otherwise idle process end.
  supervisor.unref();
  supervisor.channel?.unref();
  const { version, ...address } = report.ready;
  return { connection: { ...address, ...ACCOUNT }, version, stop: () => stop(supervisor) };
}

/**
 * For a command beside the service: the server that runs on the folder, or else one for the time of the command.
 * Creates no database.
 * @throws DomainError FailedPrecondition `database.embedded_none` if there is no database; and as
 * `startEmbeddedPostgres`
 */
export async function borrowEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (!hasEmbeddedPostgres(options.dataDir)) throw nothingYet(options.dataDir);
  const folder = folderIn(options.dataDir);
  const address = findServer(folder);
  if (!address) return startEmbeddedPostgres(options);
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  // This server belongs to the service, so that nothing stops it.
  return { connection: { ...address, ...ACCOUNT }, version, stop: () => Promise.resolve() };
}

/** Whether a service has been started on this folder. */
export function hasEmbeddedPostgres(dataDir: string): boolean {
  return existsSync(folderIn(dataDir));
}

function folderIn(dataDir: string): string {
  return join(resolve(dataDir), 'postgres');
}

async function firstReport(supervisor: ChildProcess): Promise<SupervisorReport> {
  return new Promise((resolve, reject) => {
    supervisor.once('message', (report) => resolve(report as SupervisorReport)).once('error', reject);
    supervisor.once('exit', () => reject(startFailed('its guard process ended before the server was ready', '')));
  });
}

async function stop(supervisor: ChildProcess): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
  supervisor.ref();
  const down = once(supervisor, 'exit');
  if (supervisor.connected) supervisor.disconnect();
  await down;
}
