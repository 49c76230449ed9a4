import { DomainError } from '../../foundation/error/domain-error.js';
import { type Failure, isConnectionFailure, isTransient } from './connection-failure.js';
import {
  bucketMissing,
  credentialsRefused,
  objectDamaged,
  objectExists,
  objectMissing,
  readingForbidden,
  storeFailed,
  storeUnavailable,
  tokensUnavailable,
  writingForbidden,
} from './store.errors.js';

/** What the client and its libraries throw. */
interface GoogleFailure extends Failure {
  readonly status?: unknown;
  readonly response?: { readonly status?: unknown; readonly data?: unknown };
}

const LOGGED_CHARACTERS = 300;

/** Whether retrying may help: the storage is busy or away, or a connection broke. */
export function mayRetry(error: unknown): boolean {
  return isTransient(statusOf(error)) || isConnectionFailure(error);
}

/** What was attempted. `tokensFrom`: the token endpoint, if no token was received. */
export interface StoreAttempt {
  readonly doing: 'read' | 'write';
  readonly bucket: string;
  readonly place: string;
  readonly tokensFrom: string | undefined;
}

/**
 * The refusal for any error of the client. Those errors contain requests with their headers, so they are neither shown
 * nor kept.
 */
export function toStoreRefusal(error: unknown, { doing, bucket, place, tokensFrom }: StoreAttempt): unknown {
  if (error instanceof DomainError || typeof error !== 'object' || error === null) return error;
  const failure = error as GoogleFailure;
  const status = statusOf(error);
  const cause = describe(failure, status);
  // The storage checks the checksum of the last chunk before it creates the file.
  if (status === 400 && /crc32c/i.test(cause)) return objectDamaged(place, cause);
  if (isAboutTokens(failure) || status === 401) return credentialsRefused(cause);
  if (tokensFrom !== undefined && (mayRetry(error) || status === undefined))
    return tokensUnavailable(tokensFrom, cause);
  switch (status) {
    case 403:
      return doing === 'read' ? readingForbidden(place, cause) : writingForbidden(place, cause);
    case 404:
      return doing === 'write' || /bucket/i.test(String(failure.message))
        ? bucketMissing(bucket, cause)
        : objectMissing(place, cause);
    case 412:
      return objectExists(place, cause);
    default:
      return mayRetry(error) || status === undefined ? storeUnavailable(place, cause) : storeFailed(place, cause);
  }
}

/** The upload session has expired: https://cloud.google.com/storage/docs/resumable-uploads#session-uris */
export function isUploadGone(error: unknown): boolean {
  return [404, 410].includes(statusOf(error) ?? 0);
}

export function statusOf(error: unknown): number | undefined {
  const { code, status, response } = (error ?? {}) as GoogleFailure;
  return [code, status, response?.status].map(Number).find((value) => value >= 100 && value < 600);
}

/** RFC 6749 §5.2, RFC 7523 §3.1: the token endpoint does not accept the account or key. */
function isAboutTokens({ response, message }: GoogleFailure): boolean {
  const error = (response?.data as { readonly error?: unknown } | undefined)?.error;
  return (
    error === 'invalid_grant' ||
    error === 'invalid_client' ||
    error === 'unauthorized_client' ||
    /^invalid_grant|invalid_client/.test(String(message))
  );
}

function describe(failure: GoogleFailure, status: number | undefined): string {
  return [status, failure.code === status ? undefined : failure.code, failure.message]
    .filter((part) => part !== undefined)
    .map(String)
    .join(' ')
    .slice(0, LOGGED_CHARACTERS);
}
