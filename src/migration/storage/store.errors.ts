import { DomainError } from '../../foundation/error/domain-error.js';

/*
 * Messages for the manager who named the place: what refused, and what to do about it, without the credentials. The
 * cause, for the log, is a line of our own, because the errors of the client contain whole requests.
 */

export function storeUnknown(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.unknown',
    'This service does not store files: OBJECT_STORE_DIR is not set. Name a bucket, or send the document itself.',
  );
}

export function credentialsRefused(cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.credentials_refused',
    'The object storage does not accept the credentials. Check whether the key of the service account was revoked, and create a new one.',
    { cause },
  );
}

export function writingForbidden(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.writing_forbidden',
    `The service account may not create ${place}. Give it the role Storage Object Creator on the bucket.`,
    { cause },
  );
}

export function readingForbidden(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.reading_forbidden',
    `The service account may not read ${place}. Give it the role Storage Object Viewer on the bucket.`,
    { cause },
  );
}

export function bucketMissing(bucket: string, cause?: unknown): DomainError {
  return new DomainError(
    'NotFound',
    'store.bucket_not_found',
    `The bucket ${bucket} does not exist. Check its name, or create it.`,
    { cause },
  );
}

export function objectMissing(place: string, cause?: unknown): DomainError {
  return new DomainError('NotFound', 'store.object_not_found', `The file ${place} does not exist. Check its path.`, {
    cause,
  });
}

export function objectExists(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'AlreadyExists',
    'store.object_exists',
    `${place} already exists and is not replaced. Choose another path, or remove the file.`,
    { cause },
  );
}

export function storeFull(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    'store.full',
    `There is not enough space to write ${place}. Nothing was left there; free some space and run it again.`,
    { cause },
  );
}

export function storeReadOnly(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.read_only',
    `The service may not write ${place}. The directory OBJECT_STORE_DIR must be owned by the user that the service runs as.`,
    { cause },
  );
}

export function notReadable(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.not_readable',
    `The service may not read ${place}, or it is not a file.`,
    { cause },
  );
}

export function storeUnavailable(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    'store.unavailable',
    `The object storage repeatedly failed to respond for ${place}. Run it again later.`,
    { cause },
  );
}

/** `endpoint`: the operator's, or Google's. */
export function tokensUnavailable(endpoint: string, cause?: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    'store.tokens_unavailable',
    `The endpoint ${endpoint}, which issues the tokens for the object storage, repeatedly failed to respond. Run it again later, or check OBJECT_STORE_TOKEN_URI.`,
    { cause },
  );
}

export function storeFailed(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.failed',
    `The object storage refused ${place} for an unknown reason; see the log of this service.`,
    { cause },
  );
}

export function objectDamaged(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    'store.damaged',
    `${place} has a wrong checksum: it was damaged in transit. Run it again.`,
    { cause },
  );
}

/** A file that arrived damaged and could not be taken away again. */
export function damagedRemains(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    'store.damaged_remains',
    `${place} was damaged in transit, and the service account may not delete it. Remove it and run it again.`,
    { cause },
  );
}

/** A file that was made in the moment in which its writing was given up, and could not be taken away again. */
export function objectRemains(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    'store.object_remains',
    `${place} was completed just as the export was cancelled, and the access key may not delete it. Remove it.`,
    { cause },
  );
}

export function objectTooLarge(place: string, bytes: number): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.too_large',
    `${place} would exceed the maximum of ${Math.floor(bytes / 1e9)} GB. Export fewer organizations at a time, or use a path that ends in .gz.`,
  );
}

export function endpointRefused(host: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.endpoint_refused',
    `${host} is not contacted without encryption, because documents contain password hashes. Use https, or have the operator list it in OBJECT_STORE_S3_ENDPOINTS.`,
  );
}

export function accessKeyRefused(cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.credentials_refused',
    'The object storage does not accept the access key. Check its ID, its secret and the region, and whether it was revoked or has expired.',
    { cause },
  );
}

export function writingDenied(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.writing_forbidden',
    `The access key may not create ${place}. It needs s3:PutObject and s3:AbortMultipartUpload there.`,
    { cause },
  );
}

export function readingDenied(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.reading_forbidden',
    `The access key may not read ${place}, or the file does not exist. It needs s3:GetObject, and s3:ListBucket to distinguish the two.`,
    { cause },
  );
}

export function notGzip(place: string): DomainError {
  return new DomainError(
    'InvalidArgument',
    'store.not_gzip',
    `${place} starts like a gzip file, but is not valid or is truncated.`,
  );
}
