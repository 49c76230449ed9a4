import { setTimeout as sleep } from 'node:timers/promises';
import { type Surroundings } from './command/command.js';
import { CommandError, EXIT } from './command/command-error.js';
import type { ProgressLine } from './progress.js';
import { interrupted, Refused, type RemoteApi } from './remote-api.js';

/** A job, as the API returns it. */
export interface Job {
  readonly id: string;
  readonly state: string;
  readonly phase: string;
  readonly objects: ReadonlyArray<{ readonly type: string; readonly count: string }>;
  readonly done: string;
  readonly total: string;
  readonly rate: number;
  readonly estimatedEndDate?: string;
  readonly heartbeatDate: string;
  readonly errors: ReadonlyArray<{
    readonly type: string;
    readonly id: string;
    readonly path: string;
    readonly message: string;
  }>;
  readonly errorTotal: number;
  readonly message: string;
  readonly file: string;
  readonly bytes: string;
  readonly leftOut?: readonly string[];
}

/** The interval grows: the end of a short job is noticed quickly, a long job is not polled too often. */
const FIRST_LOOK_MS = 50;
const LOOK_MS = 1_000;
/** A job may continue while its service is unreachable, but the user is waiting. */
const MAX_FAILURES = 60;
/** The rate of the first objects says little: no remaining time is estimated before this much of a phase is done. */
const TELLING_SHARE = 0.02;
const RUNNING = 'MIGRATION_JOB_STATE_RUNNING';
const PHASES: Readonly<Record<string, string>> = { READING: 'Reading', CHECKING: 'Checking', WRITING: 'Writing' };

/**
 * Waits for the end of a job and shows its progress. If interrupted, it cancels the job and waits for that.
 * @throws CommandError when it failed or was cancelled
 */
export async function follow(
  service: RemoteApi,
  begun: Job,
  progress: ProgressLine,
  { signal }: Surroundings,
): Promise<Job> {
  let job = begun;
  let isCancelled = false;
  let waitMs = FIRST_LOOK_MS;
  for (let failures = 0; job.state === RUNNING; ) {
    // The last known state is meaningless while the service is unreachable.
    if (failures === 0)
      progress.show({
        what: PHASES[job.phase.replace('MIGRATION_JOB_PHASE_', '')] ?? 'Working',
        done: Number(job.done),
        total: job.total === '0' ? undefined : Number(job.total),
        unit: 'objects',
        rate: job.rate,
        secondsLeft: secondsLeft(job),
      });
    if (signal.aborted && !isCancelled) {
      isCancelled = true;
      await ask(service, `/admin/v1/jobs/${encodeURIComponent(job.id)}/_cancel`, 'POST').catch(() => undefined); // it may have ended just now
    }
    await sleep(waitMs, undefined, { signal: isCancelled ? undefined : signal }).catch(() => undefined);
    waitMs = Math.min(waitMs * 2, LOOK_MS);
    try {
      job = await ask(service, `/admin/v1/jobs/${encodeURIComponent(job.id)}`, 'GET');
      if (failures > 0) progress.say('The service responds again.');
      failures = 0;
    } catch (error) {
      failures += 1;
      const { message } = error as Error;
      if (error instanceof Refused || failures > MAX_FAILURES) {
        throw new CommandError(`${message} Check job ${job.id} later: GET /admin/v1/jobs/${job.id}`);
      }
      if (failures === 1) progress.say(`${message} Waiting for it.`);
    }
  }
  progress.end();
  if (job.state === 'MIGRATION_JOB_STATE_SUCCEEDED') return job;
  if (isCancelled) throw new CommandError(`${interrupted().message} Job ${job.id}: ${job.message}`, EXIT.interrupted);
  throw new CommandError(job.message, EXIT.failed, job.errorTotal === 1 ? [] : faultLines(job));
}

/** The problems or omissions, and how many more there are. */
export function faultLines({ errors, errorTotal }: Job): string[] {
  const lines = errors.map(({ path, type, id, message }) => `${path === '' ? `${type} ${id}` : path}: ${message}`);
  return errorTotal > errors.length ? [...lines, `and ${errorTotal - errors.length} more`] : lines;
}

async function ask(service: RemoteApi, path: string, method: 'GET' | 'POST'): Promise<Job> {
  // An interruption does not abort this call, since the outcome of the job is needed then, too.
  const { job } = await service.call<{ job: Job }>({
    method,
    path,
    signal: new AbortController().signal,
    ...(method === 'POST' ? { body: '{}' } : {}),
  });
  return job;
}

type Estimate = Pick<Job, 'estimatedEndDate' | 'heartbeatDate' | 'done' | 'total'>;

/** Undefined if it cannot be estimated yet. */
export function secondsLeft({ estimatedEndDate, heartbeatDate, done, total }: Estimate): number | undefined {
  const isEarly = Number(done) < Number(total) * TELLING_SHARE;
  return estimatedEndDate === undefined || isEarly
    ? undefined
    : Math.max(Math.round((Date.parse(estimatedEndDate) - Date.parse(heartbeatDate)) / 1_000), 0);
}
