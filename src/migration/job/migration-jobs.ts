import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { newId } from '../../foundation/crypto/id.js';
import { ChangeChannel } from '../../foundation/database/change-channel.js';
import { columnsOf } from '../../foundation/database/columns.js';
import { equals } from '../../foundation/database/condition.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { Listing, type Page } from '../../foundation/database/listing.js';
import { purgeStatement, runPurge } from '../../foundation/database/purge.js';
import { statement } from '../../foundation/database/statement.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { confine } from '../../foundation/error/work.js';
import { Journal } from '../../foundation/event/journal.js';
import { Logger } from '../../foundation/log/logger.js';
import { Clock } from '../../foundation/time/clock.js';
import { runningSpan } from '../../foundation/trace/span.js';
import { Tracer } from '../../foundation/trace/tracer.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { timedOut } from '../document/migration.errors.js';
import { jobCancelled, jobEnded, jobFailed, jobLost, jobNotFound, jobStopped } from './job.errors.js';
import { type JobOutcome, JobUnderWay, LOST_SECONDS } from './job-under-way.js';
import { type JobKind, type JobPhase, type JobState, MigrationJob } from './migration-job.entity.js';

export interface NewJob {
  readonly kind: JobKind;
  readonly editorId: string;
  readonly phase: JobPhase;
  /** Where the document is read from or written to: `bucket/path`. */
  readonly file: string;
  readonly isDryRun: boolean;
  /** The rest of the time that the request allows. */
  readonly timeoutMs: number;
  /** What an export omits; absent for nothing. */
  readonly leftOut?: readonly string[];
}

/** The work of a job. It ends the job itself (`job.succeed`), or returns the outcome. */
export type JobWork = (job: JobUnderWay) => Promise<JobOutcome>;

const LOOK_EVERY_MS = 30_000;
const KEPT_DAYS = 30;

const ADD = statement(
  'job.add',
  `INSERT INTO migration_job (id, kind, phase, editor_id, file, is_dry_run, left_out, created_at, heartbeat_at)
   VALUES (:id, :kind, :phase, :editorId, :file, :isDryRun, :leftOut, clock_timestamp(), clock_timestamp())`,
);
const CANCEL = statement(
  'job.cancel',
  `UPDATE migration_job
   SET is_cancelled = true
   WHERE id = :id AND state = 'running' AND NOT is_cancelled
   RETURNING id`,
);
const FAIL_LOST = statement(
  'job.fail_lost',
  `UPDATE migration_job
   SET state = 'failed',
       ended_at = clock_timestamp(),
       reason = :reason,
       message = :message,
       seconds_left = NULL
   WHERE state = 'running' AND heartbeat_at < clock_timestamp() - interval '${LOST_SECONDS} seconds'
   RETURNING id`,
).rows<{ id: string }>();
const OLD = purgeStatement(
  'migration_job',
  'id',
  `created_at < :moment::timestamptz - interval '${KEPT_DAYS} days' AND state <> 'running'`,
);

/** All columns but the errors, which may be many. */
const LISTED = [
  'id',
  'kind',
  'state',
  'phase',
  'editorId',
  'file',
  'isDryRun',
  'isCancelled',
  'objects',
  'total',
  'rate',
  'secondsLeft',
  'reason',
  'message',
  'errorTotal',
  'bytes',
  'leftOut',
  'createdAt',
  'heartbeatAt',
  'endedAt',
] as const satisfies ReadonlyArray<keyof MigrationJob>;

const LISTING = new Listing<MigrationJob, 'createdAt'>({
  select: `${columnsOf(MigrationJob, 'j', LISTED)}, '[]'::jsonb AS errors`,
  from: 'migration_job j',
  key: 'j.id',
  sort: { createdAt: 'j.created_at' },
});

/**
 * Exports and imports in the background. A job belongs to the process that started it and sends a heartbeat every two
 * seconds; any process that looks at a job whose heartbeat has stopped marks it as failed. An import commits together
 * with the success of its job, and only while the job is still running: a failed or cancelled job never takes effect
 * later.
 */
@Injectable()
export class MigrationJobs implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly underWay = new Map<string, JobUnderWay>();
  private readonly ended = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    @InjectRepository(MigrationJob) private readonly rows: Repository<MigrationJob>,
    private readonly database: Database,
    private readonly changes: ChangeChannel,
    private readonly journal: Journal,
    private readonly instances: InstanceService,
    private readonly clock: Clock,
    private readonly log: Logger,
    private readonly tracer: Tracer,
  ) {}

  onApplicationBootstrap(): void {
    this.changes.on('migration-job', (id) => {
      if (id !== undefined) this.underWay.get(id)?.abort(jobCancelled());
    });
    this.timer = setInterval(() => {
      this.clean().catch((error: unknown) => this.log.warn({ err: error }, 'cannot look for lost jobs'));
    }, LOOK_EVERY_MS).unref();
  }

  /** Nest closes the database after this hook: the outcomes of the jobs must still be stored. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    for (const job of this.underWay.values()) job.abort(jobStopped());
    await Promise.all(this.ended);
  }

  /** Starts `work` in the background and returns the new job. */
  async start(input: NewJob, work: JobWork): Promise<MigrationJob> {
    if (this.isStopping) throw jobStopped();
    const id = newId();
    await this.database.query(ADD, {
      id,
      kind: input.kind,
      phase: input.phase,
      editorId: input.editorId,
      file: input.file,
      isDryRun: input.isDryRun,
      leftOut: input.leftOut ?? [],
    });
    const job = new JobUnderWay(id, input.phase, this.database, this.clock, this.log);
    this.underWay.set(id, job);
    // Detached from the request that started it, which ends soon.
    confine({ giveUp: (error) => job.abort(jobFailed(error)) }, () => {
      const running = this.tracer.job(input.kind, () => this.run(job, input, work));
      const end = running.finally(() => {
        this.underWay.delete(id);
        this.ended.delete(end);
      });
      this.ended.add(end);
    });
    return this.get(id);
  }

  /** @throws DomainError NotFound `job.not_found` */
  async get(id: string): Promise<MigrationJob> {
    await this.failLost();
    const job = await this.rows.findOneBy({ id });
    if (!job) throw jobNotFound();
    return job;
  }

  /** Ordered by start time, without their errors. */
  async list(
    state: JobState | undefined,
    range: { offset: bigint; limit: number; ascending: boolean },
  ): Promise<Page<MigrationJob>> {
    await this.failLost();
    const page = await LISTING.page(this.database, {
      ...range,
      sortBy: 'createdAt',
      where: state === undefined ? [] : [equals('j.state', state)],
    });
    return {
      ...page,
      rows: page.rows.map((row) => ({
        ...row,
        total: row.total === null ? null : BigInt(row.total),
        bytes: BigInt(row.bytes),
      })),
    };
  }

  /**
   * Cancels a job of any process; it then ends without having written anything.
   * @throws DomainError NotFound `job.not_found`; FailedPrecondition `job.ended`
   */
  async cancel(id: string, editorId: string): Promise<MigrationJob> {
    const { state } = await this.get(id);
    if (state !== 'running') throw jobEnded();
    await this.database.transaction((tx) => this.requestCancel(tx, id, editorId));
    return this.get(id);
  }

  private async requestCancel(tx: Transaction, id: string, editorId: string): Promise<void> {
    if ((await tx.query(CANCEL, { id })).length === 0) return; // Cancelled already, or just ended.
    const { id: instanceId } = await this.instances.get();
    await this.journal.append(tx, {
      aggregateType: 'instance',
      aggregateId: instanceId,
      type: 'iam.job.cancelled',
      orgId: instanceId,
      editorId,
      payload: { jobId: id },
    });
    await this.changes.announce(tx, 'migration-job', id);
  }

  private async run(job: JobUnderWay, { kind, editorId, timeoutMs }: NewJob, work: JobWork): Promise<void> {
    const timer = setTimeout(() => job.abort(timedOut()), timeoutMs);
    job.begin();
    try {
      const outcome = await work(job);
      await job.end(outcome);
      this.log.info({ jobId: job.id, kind, userId: editorId, objects: outcome.objects }, 'job succeeded');
    } catch (error) {
      const failure = this.toFailure(job, error);
      runningSpan()?.fail(failure.reason);
      await job
        .fail(failure)
        .catch((unrecorded: unknown) =>
          this.log.warn({ err: unrecorded, jobId: job.id }, 'cannot record how a job ended: it will be marked as lost'),
        );
      this.log.warn({ jobId: job.id, kind, userId: editorId, reason: failure.reason }, 'job failed');
    } finally {
      clearTimeout(timer);
      await job.rest();
    }
  }

  private toFailure(job: JobUnderWay, error: unknown): DomainError {
    const why: unknown = job.signal.aborted ? job.signal.reason : error;
    if (why instanceof DomainError && why.kind !== 'Internal') return why;
    this.log.error({ err: why, jobId: job.id }, 'defect');
    return jobFailed(why);
  }

  /** Marks jobs as failed whose process is gone. */
  private async failLost(): Promise<void> {
    const { reason, message } = jobLost();
    const lost = await this.database.query(FAIL_LOST, { reason, message });
    for (const { id } of lost) this.log.warn({ jobId: id }, 'job lost');
  }

  private async clean(): Promise<void> {
    await this.failLost();
    await runPurge(this.database, OLD, this.clock.now());
  }
}
