import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../../error/domain-error.js';
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
const ownerGone = new Promise((resolve) => process.stdin.once('close', resolve).once('error', resolve).resume());

const order = JSON.parse(process.argv[2] ?? '') as SupervisorOrder;
try {
  await supervise(enterDataDir(order.dataDir));
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

async function supervise(dataDir: string): Promise<void> {
  const ownership = await Ownership.take(dataDir, order.ownerPid);
  try {
    const folder = join(dataDir, 'postgres');
    const account = serverAccount(folder);
    const binaries = findBinaries(account, dataDir);
    await ensureCluster(folder, binaries, account, order.durable);
    const server = new Server(order, folder, binaries, account);
    try {
      const address = await server.start();
      report({ ready: { ...address, version: binaries.version } });
      await ownerGone;
    } finally {
      ownership.announceStop();
      await server.stop();
    }
  } finally {
    ownership.release();
  }
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
