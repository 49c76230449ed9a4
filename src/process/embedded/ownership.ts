import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { inUse } from './embedded.errors.js';

const POLL_MS = 20;
/** How long to wait for an owner that has just died, until its supervisor notices. */
const GRACE_MS = 500;
const ANSWER_LIMIT_MS = 2_000;

/**
 * At most one supervisor serves a data folder: the one that listens on its socket. The kernel closes that socket with
 * the process so, unlike a file with a process number, it never outlives its owner. The working directory must be the
 * data folder.
 */
export class Ownership {
  /** Set when the server begins to stop: from then on a successor waits instead of giving up. */
  isStopping = false;

  private constructor(
    private readonly server: Server,
    ownerPid: number,
  ) {
    // A client that disconnects early does not matter.
    server.on('connection', (asking) => asking.on('error', () => {}).end(this.isStopping ? '' : String(ownerPid)));
  }

  /**
   * Waits for a predecessor that is shutting down.
   * @throws DomainError FailedPrecondition `database.embedded_in_use`; the reason of `gone` once that is aborted
   */
  static async take(dataDir: string, ownerPid: number, gone: AbortSignal): Promise<Ownership> {
    const address = addressIn(dataDir);
    for (const graceEnd = performance.now() + GRACE_MS; ; await sleep(POLL_MS)) {
      gone.throwIfAborted();
      const server = createServer();
      if (await canListen(server, address)) return new Ownership(server, ownerPid);
      const owner = await askOwner(address);
      if (owner === 'none' && process.platform !== 'win32') rmSync(address, { force: true });
      if (typeof owner === 'number' && performance.now() > graceEnd) throw inUse(dataDir, owner);
    }
  }

  release(): void {
    this.server.close();
  }
}

/** In the data folder by a relative name, since the path of a Unix socket is limited in length. */
function addressIn(dataDir: string): string {
  if (process.platform !== 'win32') return 'postgres.owner';
  const digest = createHash('sha256').update(dataDir.toLowerCase()).digest('hex');
  return `\\\\.\\pipe\\gatehouse-${digest.slice(0, 32)}`;
}

/** Returns false if the address is taken, by a living process or a dead one. */
async function canListen(server: Server, address: string): Promise<boolean> {
  try {
    await once(server.listen(address), 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

/** The process that owns the folder, or that it is about to end; none if nobody listens. */
async function askOwner(address: string): Promise<number | 'ending' | 'none'> {
  const connection = connect(address);
  connection.setTimeout(ANSWER_LIMIT_MS, () => connection.destroy(new Error('no answer')));
  try {
    return Number(await text(connection)) || 'ending';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'none';
    return code === 'ECONNRESET' ? 'ending' : 0; // it is alive, and does not answer
  }
}
