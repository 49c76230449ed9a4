import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../../foundation/error/domain-error.js';
import { findBinaries } from './binaries.js';
import { ensureCluster } from './cluster.js';
import { messageOf, notAccessible } from './embedded.errors.js';
import { serverAccount } from './os-account.js';
import { Ownership } from './ownership.js';
import { Server } from './server.js';
import type { SupervisorOrder, SupervisorReport } from './supervisor-protocol.js';

/*
 * A process beside the service: it starts the server and stops it when the service is gone, for whatever reason. It
 * obeys only the end of file on its standard input, so that a signal to a whole process group does not take the
 * database from a service that is still finishing its requests.
 */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
// There may be no reader left for a report.
process.stdout.on('error', () => {});
const ownerGone = new AbortController();
const noteOwnerGone = (): void => ownerGone.abort();
process.stdin.once('close', noteOwnerGone).once('error', noteOwnerGone).resume();

const order = JSON.parse(process.argv[2] ?? '') as SupervisorOrder;
try {
  await supervise(enterDataDir(order.dataDir), ownerGone.signal);
} catch (error) {
  report({
    failed: {
      reason: error instanceof DomainError ? error.reason : 'database.embedded_failed',
      message: messageOf(error),
    },
  });
  process.exitCode = 1;
}
process.stdin.destroy();

/** @param gone aborted when the service is gone: what has begun by then is given up */
async function supervise(dataDir: string, gone: AbortSignal): Promise<void> {
  const ownership = await Ownership.take(dataDir, order.ownerPid, gone);
  try {
    const folder = join(dataDir, 'postgres');
    const account = serverAccount(folder);
    const binaries = findBinaries(account, dataDir);
    await ensureCluster(folder, binaries, account, order.durable, gone);
    const server = new Server(order, folder, binaries, account);
    try {
      const address = await Promise.race([server.start(), end(gone)]);
      if (!address) return;
      report({ ready: { ...address, version: binaries.version } });
      await end(gone);
    } finally {
      ownership.announceStop();
      await server.stop();
    }
  } finally {
    ownership.release();
  }
}

async function end(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

function enterDataDir(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true });
    process.chdir(dataDir);
    return dataDir;
  } catch (error) {
    throw notAccessible(dataDir, error);
  }
}

function report(report: SupervisorReport): void {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
