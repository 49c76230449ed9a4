import { DomainError } from '../../foundation/error/domain-error.js';

export function jobNotFound(): DomainError {
  return new DomainError(
    'NotFound',
    'job.not_found',
    'The job does not exist. Jobs are removed 30 days after they have ended.',
  );
}

export function jobEnded(): DomainError {
  return new DomainError('FailedPrecondition', 'job.ended', 'The job has already ended.');
}

export function jobCancelled(): DomainError {
  return new DomainError('Aborted', 'job.cancelled', 'The job was cancelled. Nothing was written.');
}

export function jobStopped(): DomainError {
  return new DomainError(
    'Unavailable',
    'job.stopped',
    'The service was stopped during the job. Nothing was written; run it again.',
  );
}

export function jobLost(): DomainError {
  return new DomainError(
    'Aborted',
    'job.lost',
    'The process that ran the job has ended or lost the database. Nothing was written; run it again.',
  );
}

/** For a defect; only its log line says which. */
export function jobFailed(cause: unknown): DomainError {
  return new DomainError('Internal', 'internal', 'The service failed; see its log. Nothing was written.', {
    cause,
  });
}
