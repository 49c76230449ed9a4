import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.js';
import { closeForServer, openForServer, SERVER_ENVIRONMENT } from './cluster.js';
import { messageOf, socketPathTooLong, startFailed } from './embedded.errors.js';
import type { OsAccount } from './os-account.js';
import { clearOrphan, FAST_SHUTDOWN_LIMIT_MS, POLL_MS, readPostmaster, stopOnWindows } from './postmaster.js';
import type { SupervisorOrder } from './supervisor-protocol.js';

/** Includes recovery after a crash. */
const READY_LIMIT_MS = 120_000;
/** Processes of a killed server take a moment to notice. */
const MEMORY_IN_USE_LIMIT_MS = 10_000;
const RESTART_PAUSE_MS = 500;
const UNIX_PORT = 5432;
/** Linux allows 107 bytes, macOS 103. */
const SOCKET_PATH_LIMIT_BYTES = 103;

const SETTINGS: Readonly<Record<string, string>> = {
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of statements are reported to the service that sent them; the log is about the server.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  // Statements are short: compiling them costs more than it saves.
  jit: 'off',
};
const NOT_DURABLE: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/** The running server. It is restarted if it ends unexpectedly. */
export class Server {
  private child: ChildProcess | undefined;
  private isStopping = false;
  private address: { host: string; port: number } | undefined;
  private temporaryFolder: string | undefined;

  constructor(
    private readonly order: SupervisorOrder,
    private readonly folder: string,
    private readonly binaries: Binaries,
    private readonly account: OsAccount | undefined,
  ) {}

  /**
   * @returns where it listens, once it accepts connections
   * @throws DomainError FailedPrecondition `database.embedded_failed`
   */
  async start(): Promise<{ host: string; port: number }> {
    await clearOrphan(this.folder, this.binaries);
    this.address ??=
      process.platform === 'win32'
        ? { host: '127.0.0.1', port: await freePort() }
        : { host: this.socketFolder(), port: UNIX_PORT };
    const limit = performance.now() + MEMORY_IN_USE_LIMIT_MS;
    for (;;) {
      try {
        await this.launch(this.address);
        return this.address;
      } catch (error) {
        const isTaken = messageOf(error).includes('is still in use');
        if (!isTaken || this.isStopping || performance.now() > limit) throw error;
        await sleep(POLL_MS * 10);
      }
    }
  }

  /** Fast shutdown: ends the connections, writes everything to disk, exits. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.endChild();
    if (this.temporaryFolder) rmSync(this.temporaryFolder, { recursive: true, force: true });
  }

  private async endChild(): Promise<void> {
    const child = this.child;
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (process.platform === 'win32') await stopOnWindows(this.folder, this.binaries);
    else child.kill('SIGINT');
    const limit = setTimeout(() => child.kill('SIGQUIT'), FAST_SHUTDOWN_LIMIT_MS);
    await ended;
    clearTimeout(limit);
  }

  private async launch(address: { host: string; port: number }): Promise<void> {
    // The stop may have come while the remains of an earlier server were cleared away.
    if (this.isStopping) throw startFailed('it was stopped', '');
    const logPath = join(this.order.dataDir, 'postgres.log');
    const log = openSync(logPath, 'w', 0o600);
    const server = openForServer(this.folder, this.account);
    const args = ['-D', server.path, ...this.settings(address, server.path)];
    const child = spawn(this.binaries.postgres, args, {
      ...this.account,
      cwd: '/',
      env: SERVER_ENVIRONMENT,
      stdio: ['ignore', log, log, server.handle],
      windowsHide: true,
    });
    closeSync(log);
    closeForServer(server);
    this.child = child;
    let trouble: string | undefined;
    child.once('error', (error) => {
      trouble = messageOf(error);
    });
    child.once('exit', (status, signal) => {
      trouble = `postgres ended with ${signal ?? `status ${status}`}`;
      this.child = undefined;
    });
    const limit = performance.now() + READY_LIMIT_MS;
    while (!isReady(this.folder, child)) {
      if (trouble !== undefined) throw startFailed(trouble, readFileSync(logPath, 'utf8'));
      if (performance.now() > limit) {
        await this.endChild();
        throw startFailed(`it was not ready after ${READY_LIMIT_MS / 1000} s`, readFileSync(logPath, 'utf8'));
      }
      await sleep(POLL_MS);
    }
    child.once('exit', () => void this.startAgain());
  }

  private async startAgain(): Promise<void> {
    while (!this.isStopping) {
      await sleep(RESTART_PAUSE_MS);
      if (this.isStopping) return;
      try {
        await this.start();
        return;
      } catch {
        // Its log has the reason; some pass, such as a full disk.
      }
    }
  }

  private settings(address: { host: string; port: number }, serverPath: string): string[] {
    const socketFolder = address.host === this.folder ? serverPath : address.host;
    const listening: Record<string, string> =
      process.platform === 'win32'
        ? { listen_addresses: '127.0.0.1', unix_socket_directories: '' }
        : { listen_addresses: '', unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"` };
    const all = {
      ...SETTINGS,
      ...(this.order.durable ? {} : NOT_DURABLE),
      ...listening,
      port: String(address.port),
      ...this.order.settings,
    };
    return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  }

  /**
   * The data folder itself: only the server's account may enter it, which is what protects a server without passwords.
   * If its path is too long, a similar folder among the temporary ones.
   */
  private socketFolder(): string {
    if (fitsSocket(this.folder)) return this.folder;
    this.temporaryFolder = mkdtempSync(join(tmpdir(), 'gatehouse-'));
    if (!fitsSocket(this.temporaryFolder)) throw socketPathTooLong(this.temporaryFolder);
    if (this.account) chownSync(this.temporaryFolder, this.account.uid, this.account.gid);
    return this.temporaryFolder;
  }
}

function fitsSocket(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${UNIX_PORT}`)) <= SOCKET_PATH_LIMIT_BYTES;
}

function isReady(folder: string, child: ChildProcess): boolean {
  const postmaster = readPostmaster(folder);
  return postmaster !== undefined && postmaster.isReady && postmaster.pid === child.pid;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
