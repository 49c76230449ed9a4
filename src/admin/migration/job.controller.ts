import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { jobEnded, jobNotFound } from '../../migration/job/job.errors.js';
import { MigrationJobs } from '../../migration/job/migration-jobs.service.js';
import type { Actor } from '../../permission/actor.js';
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { Operation } from '../operation.js';
import type { Tag } from '../tags.js';
import { toListDetails, toRange } from '../wire/list.dto.js';
import { Message } from '../wire/message.js';
import {
  ListMigrationJobsRequest,
  ListMigrationJobsResponse,
  MigrationJobById,
  MigrationJobResponse,
} from './job.dto.js';
import { toJob } from './job.mapping.js';

/** Exports and imports whose answer nobody waits for. */
@ApiTags('Migration' satisfies Tag)
@Controller('admin/v1/jobs')
export class JobController {
  constructor(private readonly jobs: MigrationJobs) {}

  @Get(':id')
  @Requires('iam.migrate')
  @Operation({
    id: 'GetMigrationJob',
    summary: 'How far an export or import is, or what became of it',
    request: MigrationJobById,
    returns: MigrationJobResponse,
    refuses: [jobNotFound()],
    description:
      'Of those that were asked for with `Prefer: respond-async`, or that read or write a file. Kept for 30 days.',
  })
  async get(@Asking() _actor: Actor, @Message() { id }: MigrationJobById): Promise<MigrationJobResponse> {
    return { job: toJob(await this.jobs.get(id)) };
  }

  @Post('_search')
  @Requires('iam.migrate')
  @Operation({
    id: 'ListMigrationJobs',
    summary: 'The exports and imports of the last 30 days',
    request: ListMigrationJobsRequest,
    returns: ListMigrationJobsResponse,
    description: 'By the time at which they began, newest first unless `query.asc` is set; without their errors.',
  })
  async list(
    @Asking() _actor: Actor,
    @Message() { query, state }: ListMigrationJobsRequest,
  ): Promise<ListMigrationJobsResponse> {
    const page = await this.jobs.list(
      state === 'unspecified' ? undefined : state,
      toRange(query, { ascending: false }),
    );
    return { details: toListDetails(page), result: page.rows.map(toJob) };
  }

  @Post(':id/_cancel')
  @Requires('iam.migrate')
  @Operation({
    id: 'CancelMigrationJob',
    summary: 'Ends an export or import before it has written anything',
    request: MigrationJobById,
    returns: MigrationJobResponse,
    refuses: [jobNotFound(), jobEnded()],
    description: 'It ends within seconds, in whichever process it is; ask for the job to see that it has.',
  })
  async cancel(@Asking() actor: Actor, @Message() { id }: MigrationJobById): Promise<MigrationJobResponse> {
    return { job: toJob(await this.jobs.cancel(id, actor.userId)) };
  }
}
