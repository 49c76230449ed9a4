import { Choice, Count, Filter, Flag, Long, Moment, Part, Parts, Text, Texts } from '../wire/fields.js';
import { ListDetails, ListQuery } from '../wire/list.dto.js';
import { type ValueOf, wireEnum } from '../wire/wire-enum.js';

export const JOB_KIND = wireEnum('MigrationJobKind', {
  MIGRATION_JOB_KIND_UNSPECIFIED: [0, 'unspecified'],
  MIGRATION_JOB_KIND_EXPORT: [1, 'export'],
  MIGRATION_JOB_KIND_IMPORT: [2, 'import'],
});

export const JOB_STATE = wireEnum('MigrationJobState', {
  MIGRATION_JOB_STATE_UNSPECIFIED: [0, 'unspecified'],
  MIGRATION_JOB_STATE_RUNNING: [1, 'running'],
  MIGRATION_JOB_STATE_SUCCEEDED: [2, 'succeeded'],
  MIGRATION_JOB_STATE_FAILED: [3, 'failed'],
  MIGRATION_JOB_STATE_CANCELLED: [4, 'cancelled'],
});

export const JOB_PHASE = wireEnum('MigrationJobPhase', {
  MIGRATION_JOB_PHASE_UNSPECIFIED: [0, 'unspecified'],
  MIGRATION_JOB_PHASE_READING: [1, 'reading'],
  MIGRATION_JOB_PHASE_CHECKING: [2, 'checking'],
  MIGRATION_JOB_PHASE_WRITING: [3, 'writing'],
});

const JOB_ID = { min: 1, max: 200, description: 'Id of the job.', example: '312909075212468250' } as const;

export const LEFT_OUT = {
  description: 'What an export does not take along, by kind: what the request did not ask for, and what never moves.',
  example: ['app_key', 'machine_user_key', 'personal_access_token'],
} as const;

export class MigrationJobObjects {
  @Text(1, { description: 'Kind of object.', example: 'human_user' })
  readonly type!: string;

  @Long(2, {
    description:
      'How many of them were read or written in this phase; of an import that has succeeded: how many are new.',
    example: '1200',
  })
  readonly count!: bigint;
}

export class MigrationJobError {
  @Text(1, { description: 'The kind of object that was left out.', example: 'human_user' })
  readonly type!: string;

  @Text(2, { description: 'Which one.' })
  readonly id!: string;

  @Text(3, { description: 'What is wrong with it.' })
  readonly message!: string;

  @Text(4, { description: 'Where it stands in the document.', example: 'orgs[0].humanUsers[3]' })
  readonly path!: string;
}

export class MigrationJob {
  @Text(1, JOB_ID)
  readonly id!: string;

  @Choice(2, JOB_KIND, { description: 'An export or an import.', example: 'MIGRATION_JOB_KIND_IMPORT' })
  readonly kind!: ValueOf<typeof JOB_KIND>;

  @Choice(3, JOB_STATE, {
    description: 'Of a job that failed or was cancelled nothing was written.',
    example: 'MIGRATION_JOB_STATE_RUNNING',
  })
  readonly state!: ValueOf<typeof JOB_STATE>;

  @Choice(4, JOB_PHASE, {
    description: 'What it does, or what it did when it ended.',
    example: 'MIGRATION_JOB_PHASE_WRITING',
  })
  readonly phase!: ValueOf<typeof JOB_PHASE>;

  @Parts(5, () => MigrationJobObjects, { description: 'How many objects of each kind are done in this phase.' })
  readonly objects!: readonly MigrationJobObjects[];

  @Long(6, { description: 'All of them together.', example: '1200' })
  readonly done!: bigint;

  @Long(7, { description: 'How many objects this phase has; 0 where that is not known.', example: '30000' })
  readonly total!: bigint;

  @Count(8, { description: 'Objects per second, in this phase.', example: 4000 })
  readonly rate!: number;

  @Moment(9, { description: 'When the phase will end, at this rate; absent where that cannot be told.' })
  readonly estimatedEndDate?: Date | undefined;

  @Parts(10, () => MigrationJobError, {
    description: 'What is wrong with the document, or was left out: the first 1,000. Lists of jobs do not have them.',
  })
  readonly errors!: readonly MigrationJobError[];

  @Count(11, { description: 'How many that are in all.', example: 0 })
  readonly errorTotal!: number;

  @Text(12, { description: 'The refusal that ended it, by its stable id.', example: 'migration.timeout' })
  readonly reason!: string;

  @Text(13, { description: 'The same for people.' })
  readonly message!: string;

  @Text(14, {
    description: 'The file that it reads or writes; empty where the document was sent with the request.',
    example: 'gs://moving/export.json',
  })
  readonly file!: string;

  @Flag(15, { description: 'Everything but the writing.' })
  readonly dryRun!: boolean;

  @Flag(16, { description: 'Somebody has cancelled it, and it is about to end.' })
  readonly cancelling!: boolean;

  @Text(17, { description: 'Who began it.' })
  readonly userId!: string;

  @Moment(18, { description: 'When it began.' })
  readonly creationDate!: Date;

  @Moment(19, { description: 'Last sign of life of the process that does it.' })
  readonly heartbeatDate!: Date;

  @Moment(20, { description: 'When it ended.' })
  readonly endDate?: Date | undefined;

  @Long(21, { description: 'Length of the file that an export has written, in bytes.', example: '0' })
  readonly bytes!: bigint;

  @Texts(22, LEFT_OUT)
  readonly leftOut!: readonly string[];
}

export class MigrationJobById {
  @Text(1, JOB_ID)
  readonly id!: string;
}

export class MigrationJobResponse {
  @Part(1, () => MigrationJob)
  readonly job!: MigrationJob;
}

@Filter()
export class ListMigrationJobsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Choice(2, JOB_STATE, { description: 'Those in this state; unspecified: all.' })
  readonly state!: ValueOf<typeof JOB_STATE>;
}

export class ListMigrationJobsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => MigrationJob)
  readonly result!: readonly MigrationJob[];
}
