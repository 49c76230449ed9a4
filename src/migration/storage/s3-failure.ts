import { DomainError } from '../../foundation/error/domain-error.js';
import { type Failure, isConnectionFailure, isTransient } from './connection-failure.js';
import {
  accessKeyRefused,
  bucketMissing,
  objectExists,
  objectMissing,
  readingDenied,
  storeFailed,
  storeUnavailable,
  writingDenied,
} from './store.errors.js';

/** What the client throws: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
interface S3Failure extends Failure {
  readonly $metadata?: { readonly httpStatusCode?: unknown };
}

const LOGGED_CHARACTERS = 300;
const KEY_REFUSED = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'TokenRefreshRequired',
  'InvalidSecurity',
  'AuthorizationHeaderMalformed',
]);

export function statusOf(error: unknown): number | undefined {
  const status = (error as S3Failure | undefined)?.$metadata?.httpStatusCode;
  return typeof status === 'number' ? status : undefined;
}

/** The storage's own name for the error. */
export function nameOf(error: unknown): string {
  const name = (error as Failure | undefined)?.name;
  return typeof name === 'string' ? name : '';
}

/** Whether retrying may help: the storage is busy or away, or a connection broke. */
export function mayRetry(error: unknown): boolean {
  if (error instanceof DomainError) return false;
  return isTransient(statusOf(error)) || nameOf(error) === 'SlowDown' || isConnectionFailure(error);
}

/**
 * The refusal for an error of the client. Those errors contain requests with their headers, so they are neither shown
 * nor kept.
 */
export function toStoreRefusal(error: unknown, doing: 'read' | 'write', bucket: string, place: string): unknown {
  if (error instanceof DomainError || typeof error !== 'object' || error === null) return error;
  const [name, status] = [nameOf(error), statusOf(error)];
  const cause = [status, name]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
    .slice(0, LOGGED_CHARACTERS);
  if (KEY_REFUSED.has(name) || status === 401) return accessKeyRefused(cause);
  if (name === 'NoSuchUpload') return storeUnavailable(place, cause);
  if (name === 'NoSuchBucket') return bucketMissing(bucket, cause);
  switch (status) {
    case 403:
      return doing === 'read' ? readingDenied(place, cause) : writingDenied(place, cause);
    case 404:
      return doing === 'read' ? objectMissing(place, cause) : bucketMissing(bucket, cause);
    case 412:
      return objectExists(place, cause);
    default:
      return mayRetry(error) || status === undefined ? storeUnavailable(place, cause) : storeFailed(place, cause);
  }
}
