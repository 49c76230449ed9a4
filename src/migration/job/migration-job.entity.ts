import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

export type JobKind = 'export' | 'import';
/** `failed` and `cancelled`: nothing was written. */
export type JobState = 'running' | 'succeeded' | 'failed' | 'cancelled';
/** An import reads the document, checks what it has read, and writes that; an export only writes. */
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
 * An export or import that goes on while nobody waits for its answer. Its times are the database's: several processes look at
 * them. Nothing secret stands here: not the document, not the credentials of a storage.
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

  /** At the end: the one in which it ended. */
  @Column({ type: 'text' })
  phase!: JobPhase;

  @Column({ type: 'text' })
  editorId!: string;

  /** Where the document is read from or written to, when that is no request. */
  @Column({ type: 'text', default: '' })
  file!: string;

  @Column({ type: 'boolean', default: false })
  isDryRun!: boolean;

  /** Somebody wants it to end. */
  @Column({ type: 'boolean', default: false })
  isCancelled!: boolean;

  /** How many of each kind were read or written in this phase. */
  @Column({ type: 'jsonb', default: () => "'{}'" })
  objects!: Readonly<Record<string, number>>;

  /** How many there are in this phase, where that is known. */
  @Column({ type: 'bigint', nullable: true, transformer: toBigint })
  total!: bigint | null;

  /** Objects per second, in this phase. */
  @Column({ type: 'integer', default: 0 })
  rate!: number;

  /** From the last sign of life on, where that can be told. */
  @Column({ type: 'integer', nullable: true })
  secondsLeft!: number | null;

  /** Stable id of the refusal that ended it. */
  @Column({ type: 'text', default: '' })
  reason!: string;

  @Column({ type: 'text', default: '' })
  message!: string;

  /** The first of them. */
  @Column({ type: 'jsonb', default: () => "'[]'" })
  errors!: readonly JobError[];

  @Column({ type: 'integer', default: 0 })
  errorTotal!: number;

  /** Length of the file that an export has written. */
  @Column({ type: 'bigint', default: 0, transformer: toBigint })
  bytes!: bigint;

  /** The kinds of things that an export does not take along. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  leftOut!: readonly string[];

  @Column({ type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  /** Last sign of life of the process that does it. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  heartbeatAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  endedAt!: Date | null;
}
