import { once } from 'node:events';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataFolder } from './data-folder.js';
import { messageOf, startFailed } from './embedded.errors.js';
import { clearOrphan, isServed } from './postmaster.js';

/** A long limit, since it includes recovery after a crash. */
const READY_LIMIT_SECONDS = '120';
/** Processes of a killed server take a moment to notice. */
const MEMORY_IN_USE_LIMIT_MS = 10_000;
const POLL_MS = 100;
const UNIX_PORT = 5432;

const SETTINGS = {
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of statements are reported to the service that sent them; the log is about the server.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  // Statements are short: compiling them costs more than it saves.
  jit: 'off',
};
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

interface Address {
  readonly host: string;
  readonly port: number;
}

/** The server on a folder, by PostgreSQL's own program for that. */
export class Server {
  private address: Address | undefined;

  constructor(
    private readonly folder: DataFolder,
    private readonly logPath: string,
    private readonly isDurable: boolean,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /**
   * @returns where it listens, once it accepts connections
   * @throws DomainError FailedPrecondition `database.embedded_failed`
   */
  async start(): Promise<Address> {
    await clearOrphan(this.folder);
    const address = (this.address ??= await this.newAddress());
    for (const limit = performance.now() + MEMORY_IN_USE_LIMIT_MS; ; await sleep(POLL_MS)) {
      try {
        await this.launch(address);
        return address;
      } catch (error) {
        if (!messageOf(error).includes('is still in use') || performance.now() > limit) throw error;
      }
    }
  }

  isRunning(): boolean {
    return isServed(this.folder.path);
  }

  /** Fast shutdown: ends the connections, writes everything to disk, exits. */
  async stop(): Promise<void> {
    await clearOrphan(this.folder);
    if (this.address && process.platform !== 'win32') rmSync(this.address.host, { recursive: true, force: true });
  }

  private async launch(address: Address): Promise<void> {
    const log = openSync(this.logPath, 'w', 0o600);
    const args = ['start', '-D', this.folder.seenAs, '-s', '-w', '-t', READY_LIMIT_SECONDS];
    const child = this.folder.start('pgCtl', [...args, '-o', this.settingsFor(address)], ['ignore', log, log]);
    closeSync(log);
    const [status] = (await once(child, 'exit').catch((error: unknown) => [messageOf(error)])) as [number | string];
    if (status === 0) return;
    await clearOrphan(this.folder); // if it was not ready in time
    throw startFailed(`pg_ctl ended with ${status}`, readFileSync(this.logPath, 'utf8'));
  }

  /** The settings in the form in which its program takes them: for a shell. */
  private settingsFor({ host, port }: Address): string {
    const listening =
      process.platform === 'win32'
        ? { listen_addresses: host, unix_socket_directories: '' }
        : { listen_addresses: '', unix_socket_directories: `"${host.replaceAll('"', '""')}"` };
    const durability = this.isDurable ? {} : NOT_DURABLE;
    const all = { ...SETTINGS, ...durability, ...listening, port: String(port), ...this.settings };
    return Object.entries(all)
      .map(([name, value]) => `-c ${quoted(`${name}=${value}`)}`)
      .join(' ');
  }

  /**
   * A socket in a folder that only the server's account may enter, which is what protects a server without passwords.
   * Among the temporary ones, because the path of a socket is limited in length.
   */
  private async newAddress(): Promise<Address> {
    if (process.platform === 'win32') return { host: '127.0.0.1', port: await freePort() };
    const host = mkdtempSync(join(tmpdir(), 'gatehouse-'));
    const { account } = this.folder;
    if (account) chownSync(host, account.uid, account.gid);
    return { host, port: UNIX_PORT };
  }
}

function quoted(text: string): string {
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", `'\\''`)}'`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}
