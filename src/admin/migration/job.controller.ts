import { Controller, Get, Post } from '@nestjs/common';
import { jobEnded, jobNotFound } from '../../migration/job/job.errors.js';
import { MigrationJobs } from '../../migration/job/migration-jobs.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  ListMigrationJobsRequest,
  ListMigrationJobsResponse,
  MigrationJobById,
  MigrationJobResponse,
} from './job.dto.js';
import { toJob } from './job.mapping.js';

/** Exports and imports that run in the background. */
@Tagged('Migration')
@Controller('admin/v1/jobs')
export class JobController {
  constructor(private readonly jobs: MigrationJobs) {}

  @Get(':id')
  @Requires('iam.migrate')
  @Operation({
    id: 'GetMigrationJob',
    summary: 'Get an export or import job',
    request: MigrationJobById,
    returns: MigrationJobResponse,
    refuses: [jobNotFound()],
    description:
      'A job exists for exports and imports that were requested with `Prefer: respond-async`, or that read or write a file. Jobs are kept for 30 days.',
  })
  async get(@Asking() _actor: Actor, @Message() { id }: MigrationJobById): Promise<MigrationJobResponse> {
    return { job: toJob(await this.jobs.get(id)) };
  }

  @Post('_search')
  @Requires('iam.migrate')
  @Operation({
    id: 'ListMigrationJobs',
    summary: 'Search the export and import jobs of the last 30 days',
    request: ListMigrationJobsRequest,
    returns: ListMigrationJobsResponse,
    description: 'Sorted by start time, newest first unless `query.asc` is set. Errors are not included.',
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
    summary: 'Cancel an export or import job before it has written anything',
    request: MigrationJobById,
    returns: MigrationJobResponse,
    refuses: [jobNotFound(), jobEnded()],
    description: 'The job ends within seconds, whichever process runs it. Get the job to see whether it has ended.',
  })
  async cancel(@Asking() actor: Actor, @Message() { id }: MigrationJobById): Promise<MigrationJobResponse> {
    return { job: toJob(await this.jobs.cancel(id, actor.userId)) };
  }
}
