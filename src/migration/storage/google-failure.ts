import { DomainError } from '../../error/domain-error.js';
import {
  bucketMissing, credentialsRefused, objectDamaged, objectExists, objectMissing, readingForbidden, storeFailed, storeUnavailable, writingForbidden,
} from './store.errors.js';

/** What the errors of the client and of the libraries below it have in common. */
interface Failure {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: ReadonlyArray<{ readonly reason?: unknown }>;
  readonly response?: { readonly status?: unknown; readonly data?: unknown };
}

const CONNECTION = /^(e(conn|timedout|pipe|notfound|host|net|ai_again|aborted|proto)|und_err|err_stream_premature_close|aborterror|timeouterror|premature close|socket hang up|terminated|fetch failed)/i;
const TRANSIENT = new Set([408, 429, 500, 502, 503, 504]);
const LOGGED_CHARACTERS = 300;

/** Whether asking again may help: the storage is busy or away, or a line broke. */
export function mayRetry(error: unknown): boolean {
  const failure = (error ?? {}) as Failure;
  return TRANSIENT.has(statusOf(error) ?? 0) || words(failure).some((word) => CONNECTION.test(word));
}

/** The refusal for whatever the client threw. Its own errors hold requests with their headers, so they are neither shown nor kept. */
export function toStoreRefusal(error: unknown, doing: 'read' | 'write', bucket: string, place: string): unknown {
  if (error instanceof DomainError || typeof error !== 'object' || error === null) return error;
  const failure = error as Failure;
  const status = statusOf(error);
  const cause = describe(failure, status);
  // The storage compares the checksum that is sent with the last chunk before it makes the file.
  if (status === 400 && /crc32c/i.test(cause)) return objectDamaged(place, cause);
  if (isAboutTokens(failure) || status === 401) return credentialsRefused(cause);
  switch (status) {
    case 403: return doing === 'read' ? readingForbidden(place, cause) : writingForbidden(place, cause);
    case 404: return doing === 'write' || /bucket/i.test(String(failure.message)) ? bucketMissing(bucket, cause) : objectMissing(place, cause);
    case 412: return objectExists(place, cause);
    default: return mayRetry(error) || status === undefined ? storeUnavailable(place, cause) : storeFailed(place, cause);
  }
}

/** The session of an upload is over: https://cloud.google.com/storage/docs/resumable-uploads#session-uris */
export function isUploadGone(error: unknown): boolean {
  return [404, 410].includes(statusOf(error) ?? 0);
}

export function statusOf(error: unknown): number | undefined {
  const { code, status, response } = (error ?? {}) as Failure;
  return [code, status, response?.status].map(Number).find((value) => value >= 100 && value < 600);
}

/** RFC 6749 §5.2, RFC 7523 §3.1: the token endpoint knows no such account or key. */
function isAboutTokens({ response, message }: Failure): boolean {
  const told = (response?.data as { readonly error?: unknown } | undefined)?.error;
  return told === 'invalid_grant' || told === 'invalid_client' || told === 'unauthorized_client' || /^invalid_grant|invalid_client/.test(String(message));
}

function words(failure: Failure, depth = 0): string[] {
  const own = [failure.code, failure.name, failure.message, ...(failure.errors ?? []).map(({ reason }) => reason)].filter((word): word is string => typeof word === 'string');
  return typeof failure.cause === 'object' && failure.cause !== null && depth < 4 ? [...own, ...words(failure.cause, depth + 1)] : own;
}

function describe(failure: Failure, status: number | undefined): string {
  return [status, failure.code === status ? undefined : failure.code, failure.message].filter((part) => part !== undefined).map(String).join(' ').slice(0, LOGGED_CHARACTERS);
}
