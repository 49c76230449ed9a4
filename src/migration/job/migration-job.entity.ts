import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type JobKind = 'export' | 'import';
/** `failed` and `cancelled`: nothing was written. */
export type JobState = 'running' | 'succeeded' | 'failed' | 'cancelled';
/** An import goes through all three phases; an export only writes. */
export type JobPhase = 'reading' | 'checking' | 'writing';

/** A fault of a document (`path`), or what an import left out (`type` and `id`). */
export interface JobError {
  readonly path: string;
  readonly type: string;
  readonly id: string;
  readonly message: string;
}

const toBigint = {
  to: (value: bigint | null): string | null => value?.toString() ?? null,
  from: (value: string | null): bigint | null => (value === null ? null : BigInt(value)),
};

/**
 * An export or import that runs in the background. Times are the database's, since several processes compare them.
 * Contains no secrets: neither the document nor the credentials of a storage.
 */
@Entity('migration_job')
@Index(['createdAt', 'id'])
@Index(['state', 'createdAt', 'id'])
export class MigrationJob {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  kind!: JobKind;

  @Column({ type: 'text', default: 'running' })
  state!: JobState;

  /** The current phase, or the one in which the job ended. */
  @Column({ type: 'text' })
  phase!: JobPhase;

  @Column({ type: 'text' })
  editorId!: string;

  /** Where the document is read from or written to, unless that is the request. */
  @Column({ type: 'text', default: '' })
  file!: string;

  @Column({ type: 'boolean', default: false })
  isDryRun!: boolean;

  /** Whether its cancellation was requested. */
  @Column({ type: 'boolean', default: false })
  isCancelled!: boolean;

  /** How many of each kind were read or written in this phase. */
  @Column({ type: 'jsonb', default: () => "'{}'" })
  objects!: Readonly<Record<string, number>>;

  /** The total of this phase, if known. */
  @Column({ type: 'bigint', nullable: true, transformer: toBigint })
  total!: bigint | null;

  /** Objects per second, in this phase. */
  @Column({ type: 'integer', default: 0 })
  rate!: number;

  /** Counted from the last heartbeat, if it can be estimated. */
  @Column({ type: 'integer', nullable: true })
  secondsLeft!: number | null;

  /** Stable id of the refusal that ended it. */
  @Column({ type: 'text', default: '' })
  reason!: string;

  @Column({ type: 'text', default: '' })
  message!: string;

  /** The first of the job's errors. */
  @Column({ type: 'jsonb', default: () => "'[]'" })
  errors!: readonly JobError[];

  @Column({ type: 'integer', default: 0 })
  errorTotal!: number;

  /** Length of the file that an export has written. */
  @Column({ type: 'bigint', default: 0, transformer: toBigint })
  bytes!: bigint;

  /** The kinds of things that an export omits. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  leftOut!: readonly string[];

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  /** Last heartbeat of the process that runs it. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  heartbeatAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  endedAt!: Date | null;
}
