import { secondsAfter } from '../../foundation/time/duration.js';
import type { MigrationJob as Job } from '../../migration/job/migration-job.entity.js';
import type { MigrationJob } from './job.dto.js';

export function toJob(job: Job): MigrationJob {
  const objects = Object.entries(job.objects).map(([type, count]) => ({ type, count: BigInt(count) }));
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    phase: job.phase,
    objects,
    done: objects.reduce((sum, { count }) => sum + count, 0n),
    total: job.total ?? 0n,
    rate: job.rate,
    estimatedEndDate: job.secondsLeft === null ? undefined : secondsAfter(job.heartbeatAt, job.secondsLeft),
    errors: job.errors,
    errorTotal: job.errorTotal,
    reason: job.reason,
    message: job.message,
    file: job.file,
    dryRun: job.isDryRun,
    cancelling: job.isCancelled && job.state === 'running',
    userId: job.editorId,
    creationDate: job.createdAt,
    heartbeatDate: job.heartbeatAt,
    endDate: job.endedAt ?? undefined,
    bytes: job.bytes,
    leftOut: job.leftOut,
  };
}
