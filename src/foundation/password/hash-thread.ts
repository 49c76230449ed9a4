import { pbkdf2Sync, scryptSync, timingSafeEqual } from 'node:crypto';
import { setPriority } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/*
 * Imported password hashes are computed in a separate thread, by functions that block it to the end. Node's thread pool
 * has four threads for files, DNS and all hashing, which a costly hash must not occupy. The file is its own worker.
 * Node loads it directly there, compiled or not, so it imports our files with its own file extension, and loads the
 * libraries only there.
 */

/** The parameters of one check. */
export type HashWork =
  | { readonly algorithm: 'argon2' | 'bcrypt' | 'crypt'; readonly encoded: string }
  | {
      readonly algorithm: 'scrypt';
      readonly N: number;
      readonly r: number;
      readonly p: number;
      readonly salt: string;
      readonly wanted: string;
    }
  | {
      readonly algorithm: 'pbkdf2';
      readonly digest: string;
      readonly iterations: number;
      readonly salt: string;
      readonly wanted: string;
    };

export interface HashResult {
  readonly isRight: boolean;
  /** Wall-clock time, without the transfer to the thread and back. */
  readonly milliseconds: number;
}

interface Order {
  readonly work: HashWork;
  readonly password: string;
}

const OURS = 'hash-thread';
/** A niceness, of at most 19: if cores are scarce, the rest of the service gets about three times as much of them. */
const NICENESS = 5;
/** Besides its blocks, scrypt needs some more memory. */
const SCRYPT_SPARE_BYTES = 1_048_576;

/** A thread, started on first use. It takes one check at a time, which the caller ensures. */
export class HashThread {
  private worker: Worker | undefined;

  /** @throws Error if the thread has ended; the next call starts another one */
  async check(work: HashWork, password: string): Promise<HashResult> {
    const worker = (this.worker ??= this.start());
    worker.ref();
    return new Promise<HashResult>((resolve, reject) => {
      const settle = (): void => {
        worker.off('message', answered).off('error', failed).off('exit', ended);
        worker.unref(); // An idle thread does not keep the process alive.
      };
      const answered = (result: HashResult): void => {
        settle();
        resolve(result);
      };
      const failed = (error: Error): void => {
        settle();
        reject(error);
      };
      const ended = (): void => failed(new Error('The thread that checks passwords has ended.'));
      worker.on('message', answered).on('error', failed).on('exit', ended);
      worker.postMessage({ work, password } satisfies Order);
    });
  }

  private start(): Worker {
    const worker = new Worker(new URL(import.meta.url), { workerData: OURS, execArgv: [] });
    // Replaces the thread, also one that fails while idle: its error must not end the process.
    const forget = (): void => {
      if (this.worker === worker) this.worker = undefined;
    };
    return worker.on('error', forget).on('exit', forget);
  }

  /** Releases its memory; the next check starts another one. */
  async end(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }
}

async function compute(work: HashWork, password: string): Promise<boolean> {
  switch (work.algorithm) {
    case 'argon2':
      return (await import('@node-rs/argon2')).verifySync(work.encoded, password);
    case 'bcrypt':
      return (await import('@node-rs/bcrypt')).verifySync(password, work.encoded);
    case 'scrypt': {
      const { N, r, p } = work;
      const wanted = Buffer.from(work.wanted, 'base64');
      const maxmem = 128 * N * r + 128 * r * p + SCRYPT_SPARE_BYTES;
      return timingSafeEqual(
        scryptSync(password, Buffer.from(work.salt, 'base64'), wanted.length, { N, r, p, maxmem }),
        wanted,
      );
    }
    case 'pbkdf2': {
      const wanted = Buffer.from(work.wanted, 'base64');
      return timingSafeEqual(
        pbkdf2Sync(password, Buffer.from(work.salt, 'base64'), work.iterations, wanted.length, work.digest),
        wanted,
      );
    }
    case 'crypt': {
      const { cryptLike } = (await import(
        import.meta.url.replace('hash-thread', 'crypt-hash')
      )) as typeof import('./crypt-hash.js');
      const [found, wanted] = [Buffer.from(cryptLike(work.encoded, password)), Buffer.from(work.encoded)];
      return found.length === wanted.length && timingSafeEqual(found, wanted);
    }
  }
}

async function answer({ work, password }: Order): Promise<void> {
  const beganAtMs = performance.now();
  const isRight = await compute(work, password);
  parentPort?.postMessage({ isRight, milliseconds: performance.now() - beganAtMs } satisfies HashResult);
}

if (!isMainThread && workerData === OURS) {
  // Only Linux has a priority per thread (setpriority(2)); elsewhere it would apply to the whole process.
  if (process.platform === 'linux') setPriority(NICENESS);
  parentPort?.on('message', (order: Order) => void answer(order));
}
