import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../foundation/error/domain-error.js';
import { findBinaries } from './binaries.js';
import { DataFolder } from './data-folder.js';
import { messageOf, notAccessible } from './embedded.errors.js';
import { serverAccount } from './os-account.js';
import { Ownership } from './ownership.js';
import { Server } from './server.js';

const LOOK_EVERY_MS = 500;

/** The only argument of the supervisor. */
export interface SupervisorOrder {
  /** Absolute. */
  readonly dataDir: string;
  readonly isDurable: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly ownerPid: number;
}

/** The only message of the supervisor. */
export type SupervisorReport =
  | { readonly ready: { readonly host: string; readonly port: number; readonly version: string } }
  | { readonly failed: { readonly reason: string; readonly message: string } };

/*
 * A process beside the service: it starts the server and stops it when the service is gone, for whatever reason. It
 * obeys only the end of the channel between them, so that a signal to a whole process group does not take the database
 * from a service that is still finishing its requests.
 */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
const gone = new AbortController();
process.once('disconnect', () => gone.abort());
if (!process.connected) gone.abort();

try {
  await supervise(JSON.parse(process.argv[2] ?? '') as SupervisorOrder, gone.signal);
} catch (error) {
  const reason = error instanceof DomainError ? error.reason : 'database.embedded_failed';
  report({ failed: { reason, message: messageOf(error) } });
}

/** @param gone aborted when the service is gone: what has begun by then is given up */
async function supervise(order: SupervisorOrder, gone: AbortSignal): Promise<void> {
  const { dataDir, isDurable, settings, ownerPid } = order;
  enter(dataDir);
  const ownership = await Ownership.take(dataDir, ownerPid, gone);
  try {
    const path = join(dataDir, 'postgres');
    const account = serverAccount(path);
    const binaries = findBinaries(account, dataDir);
    const folder = new DataFolder(path, binaries, account);
    await folder.ensureDatabase(isDurable, gone);
    const server = new Server(folder, join(dataDir, 'postgres.log'), isDurable, settings);
    try {
      report({ ready: { ...(await server.start()), version: binaries.version } });
      await keepRunning(server, gone);
    } finally {
      ownership.isStopping = true;
      await server.stop();
    }
  } finally {
    ownership.release();
  }
}

/** Starts the server again if it ends by itself. */
async function keepRunning(server: Server, gone: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(LOOK_EVERY_MS, undefined, { signal: gone }).catch(() => {});
    if (gone.aborted) return;
    // The log of the server says why it does not start; some reasons pass, such as a full disk.
    if (!server.isRunning()) await server.start().catch(() => {});
  }
}

function enter(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    process.chdir(dataDir);
  } catch (error) {
    throw notAccessible(dataDir, error);
  }
}

/** Reports to the owner, which may not be there any more. */
function report(report: SupervisorReport): void {
  if (process.connected) process.send?.(report, () => {});
}
