import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { DomainError } from '../../foundation/error/domain-error.js';
import { nothingYet, startFailed } from './embedded.errors.js';
import { findServer } from './postmaster.js';
import type { SupervisorOrder, SupervisorReport } from './supervisor-protocol.js';

/** Longer than the supervisor's own limits together, so that its more precise message comes first. */
const START_LIMIT_MS = 150_000;
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

type Supervisor = ChildProcessByStdio<Writable, Readable, Readable>;

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
  const order: SupervisorOrder = {
    dataDir: resolve(options.dataDir),
    durable: options.durable ?? true,
    settings: options.extraSettings ?? {},
    ownerPid: process.pid,
  };
  const supervisor = spawn(
    process.execPath,
    [fileURLToPath(new URL('./supervisor.js', import.meta.url)), JSON.stringify(order)],
    {
      // In a session of its own: Ctrl-C must only reach this process, which still needs the database for its shutdown.
      detached: true,
      windowsHide: true,
      // Its standard input is a pipe; end of file means that this process is gone.
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  // It may die before us; a failed write to its pipe must not become an error of this process.
  supervisor.stdin.on('error', () => {});
  const giveUp = (): void => void supervisor.stdin.end();
  options.signal?.addEventListener('abort', giveUp);
  const report = await firstReport(supervisor).finally(() => options.signal?.removeEventListener('abort', giveUp));
  if (options.signal?.aborted) {
    await stop(supervisor);
    options.signal.throwIfAborted();
  }
  if ('failed' in report) throw new DomainError('FailedPrecondition', report.failed.reason, report.failed.message);
  letProcessEnd(supervisor);
  return {
    connection: { host: report.ready.host, port: report.ready.port, ...ACCOUNT },
    version: report.ready.version,
    stop: () => stop(supervisor),
  };
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
  return {
    connection: { ...address, ...ACCOUNT },
    version: readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim(),
    stop: () => Promise.resolve(), // it belongs to the service
  };
}

/** Whether a service has been started on this folder. */
export function hasEmbeddedPostgres(dataDir: string): boolean {
  return existsSync(folderIn(dataDir));
}

function folderIn(dataDir: string): string {
  return join(resolve(dataDir), 'postgres');
}

async function firstReport(supervisor: Supervisor): Promise<SupervisorReport> {
  const limit = setTimeout(() => supervisor.kill('SIGKILL'), START_LIMIT_MS);
  const complaints = text(supervisor.stderr);
  let received = '';
  try {
    for await (const chunk of supervisor.stdout.iterator({ destroyOnReturn: false })) {
      received += String(chunk);
      if (received.endsWith('\n')) return JSON.parse(received) as SupervisorReport;
    }
  } finally {
    clearTimeout(limit);
  }
  throw startFailed('its guard process ended before the server was ready', await complaints);
}

/** The supervisor and its pipes must not keep an otherwise idle process alive. */
function letProcessEnd(supervisor: Supervisor): void {
  supervisor.unref();
  for (const pipe of [supervisor.stdin, supervisor.stdout, supervisor.stderr]) {
    if (pipe instanceof Socket) pipe.unref();
  }
}

async function stop(supervisor: Supervisor): Promise<void> {
  if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
  supervisor.ref();
  const down = once(supervisor, 'exit');
  supervisor.stdin.end();
  await down;
}
