import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { inUse } from './embedded.errors.js';

/** In the data folder, as a relative name: the path of a Unix socket is limited in length. */
const SOCKET = 'postgres.owner';
const POLL_MS = 20;
/** For an owner that has just died, until its supervisor notices. */
const GRACE_MS = 500;
const ANSWER_LIMIT_MS = 2_000;

interface OwnerState {
  readonly ownerPid: number;
  readonly stopping: boolean;
}

/**
 * At most one supervisor serves a data folder: the one that listens on its socket. The kernel closes that socket with
 * the process so, unlike a file with a process number, it never outlives its owner. The working directory must be the
 * data folder.
 */
export class Ownership {
  private stopping = false;

  private constructor(
    private readonly ownerPid: number,
    private readonly server: Server,
  ) {
    server.on('connection', (connection) => {
      // A client that disconnects early does not matter.
      connection.on('error', () => {});
      connection.end(JSON.stringify({ ownerPid: this.ownerPid, stopping: this.stopping } satisfies OwnerState));
    });
  }

  /**
   * Waits for a predecessor that is shutting down.
   * @throws DomainError FailedPrecondition `database.embedded_in_use`; the reason of `gone` once that is aborted
   */
  static async take(dataDir: string, ownerPid: number, gone: AbortSignal): Promise<Ownership> {
    const address = process.platform === 'win32' ? pipeOf(dataDir) : SOCKET;
    const graceEnd = performance.now() + GRACE_MS;
    for (;;) {
      gone.throwIfAborted();
      const server = await listen(address);
      if (server) return new Ownership(ownerPid, server);
      const state = await askOwner(address);
      if (!state) removeSocket(address);
      else if (!state.stopping && performance.now() > graceEnd) throw inUse(dataDir, state.ownerPid);
      else await sleep(POLL_MS);
    }
  }

  /** From now on a successor waits instead of giving up. */
  announceStop(): void {
    this.stopping = true;
  }

  release(): void {
    this.server.close();
  }
}

function pipeOf(dataDir: string): string {
  return `\\\\.\\pipe\\gatehouse-${createHash('sha256').update(dataDir.toLowerCase()).digest('hex').slice(0, 32)}`;
}

/** Undefined if the address is taken, by a living process or a dead one. */
function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => resolve(server));
  });
}

/** Undefined if no server is listening. */
async function askOwner(address: string): Promise<OwnerState | undefined> {
  const connection = connect(address);
  connection.setTimeout(ANSWER_LIMIT_MS, () => connection.destroy(new Error('no answer')));
  try {
    return JSON.parse(await text(connection)) as OwnerState;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return undefined;
    // It is alive, but exited meanwhile or does not answer: ask again.
    return { ownerPid: 0, stopping: code === 'ECONNRESET' || error instanceof SyntaxError };
  }
}

function removeSocket(address: string): void {
  if (process.platform !== 'win32') rmSync(address, { force: true });
}
