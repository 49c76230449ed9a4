import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { Choice, Count, Filter, Flag, Long, Moment, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';

const JOB_KIND = wireEnum('MigrationJobKind', {
  MIGRATION_JOB_KIND_UNSPECIFIED: [0, 'unspecified'],
  MIGRATION_JOB_KIND_EXPORT: [1, 'export'],
  MIGRATION_JOB_KIND_IMPORT: [2, 'import'],
});

const JOB_STATE = wireEnum('MigrationJobState', {
  MIGRATION_JOB_STATE_UNSPECIFIED: [0, 'unspecified'],
  MIGRATION_JOB_STATE_RUNNING: [1, 'running'],
  MIGRATION_JOB_STATE_SUCCEEDED: [2, 'succeeded'],
  MIGRATION_JOB_STATE_FAILED: [3, 'failed'],
  MIGRATION_JOB_STATE_CANCELLED: [4, 'cancelled'],
});

const JOB_PHASE = wireEnum('MigrationJobPhase', {
  MIGRATION_JOB_PHASE_UNSPECIFIED: [0, 'unspecified'],
  MIGRATION_JOB_PHASE_READING: [1, 'reading'],
  MIGRATION_JOB_PHASE_CHECKING: [2, 'checking'],
  MIGRATION_JOB_PHASE_WRITING: [3, 'writing'],
});

const JOB_ID = { min: 1, max: 200, description: 'ID of the job.', example: '312909075212468250' } as const;

export const LEFT_OUT = {
  description:
    'What the export leaves out, by type: what was not requested, and what is never exported, such as the tables of the extension hr (`ext_hr`).',
  example: ['app_key', 'machine_user_key', 'personal_access_token'],
} as const;

@Named('MigrationJobObjects')
export class MigrationJobObjects {
  @Text(1, { description: 'Type of object.', example: 'human_user' })
  readonly type!: string;

  @Long(2, {
    description:
      'Number of objects read or written in this phase. For an import that succeeded: the number of new objects.',
    example: '1200',
  })
  readonly count!: bigint;
}

@Named('MigrationJobError')
export class MigrationJobError {
  @Text(1, { description: 'Type of the object that was left out.', example: 'human_user' })
  readonly type!: string;

  @Text(2, { description: 'ID of the object.' })
  readonly id!: string;

  @Text(3, { description: 'What is wrong with the object.' })
  readonly message!: string;

  @Text(4, { description: 'Path of the entry in the document.', example: 'orgs[0].humanUsers[3]' })
  readonly path!: string;
}

@Named('MigrationJob')
export class MigrationJob {
  @Text(1, JOB_ID)
  readonly id!: string;

  @Choice(2, JOB_KIND, {
    description: 'Whether the job is an export or an import.',
    example: 'MIGRATION_JOB_KIND_IMPORT',
  })
  readonly kind!: ValueOf<typeof JOB_KIND>;

  @Choice(3, JOB_STATE, {
    description: 'A job that failed or was cancelled has written nothing.',
    example: 'MIGRATION_JOB_STATE_RUNNING',
  })
  readonly state!: ValueOf<typeof JOB_STATE>;

  @Choice(4, JOB_PHASE, {
    description: 'The current phase, or the last phase of a job that has ended.',
    example: 'MIGRATION_JOB_PHASE_WRITING',
  })
  readonly phase!: ValueOf<typeof JOB_PHASE>;

  @Parts(5, () => MigrationJobObjects, { description: 'Number of objects processed in this phase, by type.' })
  readonly objects!: readonly MigrationJobObjects[];

  @Long(6, { description: 'Number of objects processed in this phase, in total.', example: '1200' })
  readonly done!: bigint;

  @Long(7, { description: 'Number of objects in this phase; 0 if unknown.', example: '30000' })
  readonly total!: bigint;

  @Count(8, { description: 'Objects per second in this phase.', example: 4000 })
  readonly rate!: number;

  @Moment(9, { description: 'Estimated end of the phase at this rate; absent if it cannot be estimated.' })
  readonly estimatedEndDate?: Date | undefined;

  @Parts(10, () => MigrationJobError, {
    description:
      'What is wrong with the document, or was left out: the first 1,000 entries. Not included in lists of jobs.',
  })
  readonly errors!: readonly MigrationJobError[];

  @Count(11, { description: 'Total number of errors.', example: 0 })
  readonly errorTotal!: number;

  @Text(12, { description: 'The stable ID of the error that ended the job.', example: 'migration.timeout' })
  readonly reason!: string;

  @Text(13, { description: 'Human-readable error message.' })
  readonly message!: string;

  @Text(14, {
    description: 'The file that the job reads or writes; empty if the document was sent with the request.',
    example: 'gs://moving/export.json',
  })
  readonly file!: string;

  @Flag(15, { description: 'Dry run: do everything except writing.' })
  readonly dryRun!: boolean;

  @Flag(16, { description: 'Cancellation was requested, and the job is about to end.' })
  readonly cancelling!: boolean;

  @Text(17, { description: 'The user who started the job.' })
  readonly userId!: string;

  @Moment(18, { description: 'When the job started.' })
  readonly creationDate!: Date;

  @Moment(19, { description: 'Last heartbeat of the process that runs the job.' })
  readonly heartbeatDate!: Date;

  @Moment(20, { description: 'When the job ended.' })
  readonly endDate?: Date | undefined;

  @Long(21, { description: 'Size in bytes of the file that an export has written.', example: '0' })
  readonly bytes!: bigint;

  @Texts(22, LEFT_OUT)
  readonly leftOut!: readonly string[];
}

@Named('MigrationJobById')
export class MigrationJobById {
  @Text(1, JOB_ID)
  readonly id!: string;
}

@Named('MigrationJobResponse')
export class MigrationJobResponse {
  @Part(1, () => MigrationJob)
  readonly job!: MigrationJob;
}

@Filter()
@Named('ListMigrationJobsRequest')
export class ListMigrationJobsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Choice(2, JOB_STATE, { description: 'Filter by state. If unspecified, all states.' })
  readonly state!: ValueOf<typeof JOB_STATE>;
}

@Named('ListMigrationJobsResponse')
export class ListMigrationJobsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => MigrationJob)
  readonly result!: readonly MigrationJob[];
}
