import { DomainError } from '../../error/domain-error.js';

/*
 * Read by whoever named the place: they tell what refused and what to do about it, and nothing of the credentials. The cause, for
 * the log, is a line of ours: the errors of the client carry whole requests.
 */

export function storeUnknown(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.unknown',
    'This service keeps no files of its own: its operator did not set OBJECT_STORE_DIR. Name a bucket, or send the document itself.',
  );
}

export function credentialsRefused(cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.credentials_refused',
    'The object storage does not accept the credentials. Look whether the key of the service account was revoked, and make a new one.',
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
    `There is no bucket ${bucket}. Look at its name, and make it if need be.`,
    { cause },
  );
}

export function objectMissing(place: string, cause?: unknown): DomainError {
  return new DomainError('NotFound', 'store.object_not_found', `There is no file ${place}. Look at its path.`, {
    cause,
  });
}

export function objectExists(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'AlreadyExists',
    'store.object_exists',
    `${place} is there already, and is not replaced. Choose another path, or remove it.`,
    { cause },
  );
}

export function storeFull(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    'store.full',
    `There is no room to write ${place}. Nothing was left there; make room and run it again.`,
    { cause },
  );
}

export function storeReadOnly(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.read_only',
    `The service may not write ${place}. The directory of OBJECT_STORE_DIR must belong to the user it runs as.`,
    { cause },
  );
}

export function notReadable(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.not_readable',
    `The service may not read ${place}, or it is no file.`,
    { cause },
  );
}

export function storeUnavailable(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    'store.unavailable',
    `The object storage did not answer about ${place}, several times. Run it again later.`,
    { cause },
  );
}

/** `endpoint`: the operator's, or Google's. */
export function tokensUnavailable(endpoint: string, cause?: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    'store.tokens_unavailable',
    `The endpoint ${endpoint}, which gives the tokens for the object storage, did not answer, several times. Run it again later, or look whether OBJECT_STORE_TOKEN_URI is right.`,
    { cause },
  );
}

export function storeFailed(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.failed',
    `The object storage refused ${place} for a reason that this service does not know; its log has it.`,
    { cause },
  );
}

export function objectDamaged(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    'store.damaged',
    `${place} does not have the checksum that it should: it was damaged on the way. Run it again.`,
    { cause },
  );
}

/** A file that arrived damaged and could not be taken away again. */
export function damagedRemains(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    'store.damaged_remains',
    `${place} arrived damaged, and the service account may not delete it. Remove it, and run it again.`,
    { cause },
  );
}

/** A file that was made in the moment in which its writing was given up, and could not be taken away again. */
export function objectRemains(place: string, cause?: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    'store.object_remains',
    `${place} was written in the moment in which that was given up, and the access key may not delete it. Remove it.`,
    { cause },
  );
}

export function objectTooLarge(place: string, bytes: number): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.too_large',
    `${place} would be larger than the ${Math.floor(bytes / 1e9)} GB that can be written. Export fewer organizations at a time, or to a path that ends in .gz.`,
  );
}

export function endpointRefused(host: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.endpoint_refused',
    `${host} is not asked without encryption: documents hold password hashes. Use https, or have the operator list it in OBJECT_STORE_S3_ENDPOINTS.`,
  );
}

export function accessKeyRefused(cause?: unknown): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'store.credentials_refused',
    'The object storage does not accept the access key. Look at its id, its secret and the region, and whether it was revoked or has expired.',
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
    `The access key may not read ${place}, or it is not there. It needs s3:GetObject, and s3:ListBucket to be told which.`,
    { cause },
  );
}

export function notGzip(place: string): DomainError {
  return new DomainError(
    'InvalidArgument',
    'store.not_gzip',
    `${place} begins as a gzip file, and is none, or ends too early.`,
  );
}
