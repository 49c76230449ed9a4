import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../foundation/database/database.js';
import { type Queryable, statement } from '../../foundation/database/statement.js';
import type { DomainError } from '../../foundation/error/domain-error.js';
import type { Logger } from '../../foundation/log/logger.js';
import type { Clock } from '../../foundation/time/clock.js';
import { MAX_FAULTS } from '../document/faults.js';
import { DocumentRefused } from '../document/migration.errors.js';
import { jobCancelled, jobLost } from './job.errors.js';
import type { JobError, JobPhase, JobState } from './migration-job.entity.js';
import { PhaseProgress, type Progress } from './progress.js';

/** A job without a heartbeat for this long counts as lost. */
export const LOST_SECONDS = 20;
const BEAT_MS = 2_000;
const END_TRIES = 5;
const END_RETRY_MS = 1_000;

/** The result of a job. */
export interface JobOutcome {
  /** How many of each kind are new, or were written to the file. */
  readonly objects: Readonly<Record<string, number>>;
  /** The first of the entries that were left out on request. */
  readonly errors: readonly JobError[];
  readonly errorTotal: number;
  readonly bytes: bigint;
}

const BEAT = statement(
  'job.beat',
  `UPDATE migration_job
   SET heartbeat_at = clock_timestamp(),
       phase = :phase,
       objects = :objects,
       total = :total,
       rate = :rate,
       seconds_left = :secondsLeft
   WHERE id = :id AND state = 'running'
   RETURNING is_cancelled AS "isCancelled"`,
).rows<{ isCancelled: boolean }>();
const SET_END = `UPDATE migration_job
  SET state = :state,
      ended_at = clock_timestamp(),
      heartbeat_at = clock_timestamp(),
      phase = :phase,
      objects = :objects,
      total = :total,
      rate = :rate,
      seconds_left = NULL,
      reason = :reason,
      message = :message,
      errors = :errors,
      error_total = :errorTotal,
      bytes = :bytes
  WHERE id = :id`;
/** Runs in the transaction that writes the import, so not for a job that was written off or is to be cancelled. */
const SUCCEED = statement('job.succeed', `${SET_END} AND state = 'running' AND NOT is_cancelled RETURNING id`);
/** The file exists, even if the job was written off meanwhile. */
const END = statement('job.end', `${SET_END} AND state IN ('running', 'failed')`);
const FAIL = statement('job.fail', `${SET_END} AND state = 'running'`);

type End = Parameters<(typeof END)['bind']>[0];

const NOTHING: JobOutcome = { objects: {}, errors: [], errorTotal: 0, bytes: 0n };

/** A job that runs in this process. */
export class JobUnderWay implements Progress {
  private readonly stop = new AbortController();
  private readonly progress: PhaseProgress;
  private beating: Promise<void> | undefined;
  private hasSucceeded = false;
  private readonly resting = new AbortController();

  constructor(
    readonly id: string,
    phase: JobPhase,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {
    this.progress = new PhaseProgress(phase, clock);
  }

  /** Aborted, with a DomainError as its reason, when the job must end. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  abort(why: DomainError): void {
    this.stop.abort(why);
  }

  enter(phase: JobPhase, total?: number, work?: number): void {
    this.progress.enter(phase, total, work);
  }

  count(type: string, objects: number, work?: number): void {
    this.progress.count(type, objects, work);
  }

  /**
   * To be called last in the transaction that writes the import, so that the job has succeeded exactly if that commits.
   * @throws DomainError Aborted when the job was cancelled or written off meanwhile
   */
  async succeed(tx: Queryable, outcome: JobOutcome): Promise<void> {
    this.signal.throwIfAborted();
    if ((await tx.query(SUCCEED, this.endOf('succeeded', outcome))).length === 0) throw jobLost();
    this.hasSucceeded = true;
  }

  /** Starts the heartbeat, which also reports progress. */
  begin(): void {
    this.beating = this.beat();
  }

  async rest(): Promise<void> {
    this.resting.abort();
    await this.beating;
  }

  /** The job has succeeded, and nothing can undo that. */
  async end(outcome: JobOutcome): Promise<void> {
    if (!this.hasSucceeded) await this.store(END, this.endOf('succeeded', outcome));
  }

  async fail(error: DomainError): Promise<void> {
    const errors = error.violations.map(({ field, description }) => ({
      path: field,
      type: '',
      id: '',
      message: description,
    }));
    const errorTotal = error instanceof DocumentRefused ? error.total : errors.length;
    const state = error.reason === 'job.cancelled' ? 'cancelled' : 'failed';
    const { objects } = this.progress.now();
    const outcome = { ...NOTHING, objects, errors: errors.slice(0, MAX_FAULTS), errorTotal };
    await this.store(FAIL, this.endOf(state, outcome, error));
  }

  private endOf(
    state: JobState,
    { objects, errors, errorTotal, bytes }: JobOutcome,
    { reason, message }: Pick<DomainError, 'reason' | 'message'> = { reason: '', message: '' },
  ): End {
    const { phase, total, rate } = this.progress.now();
    return {
      id: this.id,
      state,
      phase,
      objects,
      total,
      rate,
      reason,
      message,
      errors: JSON.stringify(errors),
      errorTotal,
      bytes: bytes.toString(),
    };
  }

  private async store(statement: typeof END, end: End): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.database.query(statement, end);
        return;
      } catch (error) {
        // Often the database itself was what failed: give it time to come back.
        if (attempt === END_TRIES) throw error;
        await sleep(END_RETRY_MS);
      }
    }
  }

  private async beat(): Promise<void> {
    while (!this.resting.signal.aborted) {
      await sleep(BEAT_MS, undefined, { signal: this.resting.signal }).catch(() => undefined);
      if (this.resting.signal.aborted) return;
      try {
        const { phase, objects, total, rate, secondsLeft } = this.progress.now();
        const [row] = await this.database.query(BEAT, { id: this.id, phase, objects, total, rate, secondsLeft });
        if (!row && !this.hasSucceeded) this.abort(jobLost());
        else if (row?.isCancelled === true) this.abort(jobCancelled());
      } catch (error) {
        this.log.warn({ err: error, jobId: this.id }, 'cannot record the heartbeat of a job');
      }
    }
  }
}
