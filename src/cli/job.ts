import { type Begun, type Gatehouse, JobError, type MigrationJob, wait } from '../client/index.js';
import { type Surroundings } from './command/command.js';
import { CommandError, EXIT } from './command/command-error.js';
import { interrupted, inWords } from './failure.js';
import type { ProgressLine } from './progress.js';

/** The rate of the first objects says little: no remaining time is estimated before this much of a phase is done. */
const TELLING_SHARE = 0.02;
const PHASES: Readonly<Record<string, string>> = { READING: 'Reading', CHECKING: 'Checking', WRITING: 'Writing' };

/**
 * Waits for the end of a job and shows its progress. If interrupted, it cancels the job and waits for that.
 * @throws CommandError when it failed or was cancelled
 */
export async function follow(
  service: Gatehouse,
  begun: Begun,
  progress: ProgressLine,
  { signal }: Surroundings,
): Promise<MigrationJob> {
  try {
    const job = await wait(service, begun, {
      signal,
      cancel: true,
      onProgress: (seen) => show(progress, seen),
      onTrouble: (error) =>
        progress.say(error ? `${messageOf(error, signal)} Waiting for it.` : 'The service responds again.'),
    });
    progress.end();
    return job;
  } catch (error) {
    progress.end();
    if (!(error instanceof JobError)) {
      const id = begun.job?.id ?? '';
      throw new CommandError(`${messageOf(error, signal)} Check job ${id} later: GET /admin/v1/jobs/${id}`);
    }
    const { job } = error;
    if (signal.aborted)
      throw new CommandError(`${interrupted().message} Job ${job.id}: ${job.message}`, EXIT.interrupted);
    throw new CommandError(job.message, EXIT.failed, job.errorTotal === 1 ? [] : faultLines(job));
  }
}

function show(progress: ProgressLine, job: MigrationJob): void {
  if (job.state !== 'MIGRATION_JOB_STATE_RUNNING') return;
  progress.show({
    what: PHASES[job.phase.replace('MIGRATION_JOB_PHASE_', '')] ?? 'Working',
    done: Number(job.done),
    total: job.total === '0' ? undefined : Number(job.total),
    unit: 'objects',
    rate: job.rate,
    secondsLeft: secondsLeft(job),
  });
}

function messageOf(error: unknown, signal: AbortSignal): string {
  return (inWords(error, signal) as Error).message;
}

/** The problems or omissions, and how many more there are. */
export function faultLines({ errors, errorTotal }: MigrationJob): string[] {
  const lines = errors.map(({ path, type, id, message }) => `${path === '' ? `${type} ${id}` : path}: ${message}`);
  return errorTotal > errors.length ? [...lines, `and ${errorTotal - errors.length} more`] : lines;
}

type Estimate = Pick<MigrationJob, 'estimatedEndDate' | 'heartbeatDate' | 'done' | 'total'>;

/** Undefined if it cannot be estimated yet. */
export function secondsLeft({ estimatedEndDate, heartbeatDate, done, total }: Estimate): number | undefined {
  const isEarly = Number(done) < Number(total) * TELLING_SHARE;
  return estimatedEndDate === undefined || heartbeatDate === undefined || isEarly
    ? undefined
    : Math.max(Math.round((Date.parse(estimatedEndDate) - Date.parse(heartbeatDate)) / 1_000), 0);
}
