import type { Gatehouse } from './call.js';
import { ConnectionError, GatehouseError } from './error.js';
import type { MigrationJob } from './generated/messages.js';
import { cancelMigrationJob, getMigrationJob } from './generated/operations.js';
import { pause } from './send.js';

/** @public */
export interface WatchOptions {
  /**
   * When it is aborted, the job is cancelled, and its end awaited. Without `cancel` the job goes on, and nobody waits
   * for it.
   */
  readonly signal?: AbortSignal | undefined;
  readonly cancel?: boolean | undefined;
  /** How long the service may be out of reach meanwhile, in milliseconds; the job goes on. Defaults to 60,000. */
  readonly patienceMs?: number | undefined;
  /** Told when the service is out of reach, and, with undefined, when it is there again. */
  readonly onTrouble?: ((error: GatehouseError | ConnectionError | undefined) => void) | undefined;
}

/** @public */
export interface WaitOptions extends WatchOptions {
  /** Told of each state that is seen, the first and the last one included. */
  readonly onProgress?: ((job: MigrationJob) => void) | undefined;
}

/** What answers with a job: `exportData`, `importData` and `getMigrationJob`. @public */
export interface Begun {
  readonly job?: MigrationJob | undefined;
}

/** A job that has failed or was cancelled, and so has written nothing. @public */
export class JobError extends Error {
  /** @internal */
  constructor(readonly job: MigrationJob) {
    super(job.message);
    this.name = 'JobError';
  }
}

/** The intervals grow: the end of a short job is noticed quickly, a long one is not asked for too often. */
const FIRST_LOOK_MS = 50;
const LOOK_MS = 1_000;
const PATIENCE_MS = 60_000;
const RUNNING = 'MIGRATION_JOB_STATE_RUNNING';

/**
 * The states of an export or import that runs as a job, from the given one to its end.
 * @throws GatehouseError, ConnectionError when it cannot be asked for; the reason of the signal
 * @public
 */
export async function* watch(
  gatehouse: Gatehouse,
  { job: begun }: Begun,
  { signal, cancel = false, patienceMs = PATIENCE_MS, onTrouble }: WatchOptions = {},
): AsyncGenerator<MigrationJob, void, undefined> {
  if (!begun) throw new TypeError('The answer names no job: the service has done it at once.');
  const { id } = begun;
  let job = begun;
  let waitMs = FIRST_LOOK_MS;
  let troubledSince: number | undefined;
  let isCancelled = false;
  yield job;
  while (job.state === RUNNING) {
    try {
      await pause(waitMs, isCancelled ? undefined : signal);
    } catch (reason) {
      if (!cancel) throw reason;
      isCancelled = true;
      await cancelMigrationJob(gatehouse, { id }).catch(() => undefined); // it may have ended just now
    }
    waitMs = Math.min(waitMs * 2, LOOK_MS);
    try {
      job = (await getMigrationJob(gatehouse, { id }, { retry: { attempts: 1 } })).job ?? job;
      if (troubledSince !== undefined) onTrouble?.(undefined);
      troubledSince = undefined;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (troubledSince === undefined) onTrouble?.(error);
      troubledSince ??= Date.now();
      if (Date.now() - troubledSince > patienceMs) throw error;
      continue;
    }
    yield job;
  }
}

/**
 * Waits for the end of an export or import that runs as a job.
 * @returns the job, which has succeeded
 * @throws JobError when it has not; and as `watch`
 * @public
 */
export async function wait(
  gatehouse: Gatehouse,
  begun: Begun,
  { onProgress, ...options }: WaitOptions = {},
): Promise<MigrationJob> {
  let last: MigrationJob | undefined;
  for await (last of watch(gatehouse, begun, options)) onProgress?.(last);
  if (last?.state !== 'MIGRATION_JOB_STATE_SUCCEEDED') throw new JobError(last!);
  return last;
}

/** Whether the same question may be answered later. */
function isPassing(error: unknown): error is GatehouseError | ConnectionError {
  if (error instanceof ConnectionError) return true;
  return error instanceof GatehouseError && (error.status >= 500 || error.status === 429);
}
