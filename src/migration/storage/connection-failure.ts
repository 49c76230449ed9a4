/** What the errors of the storages' clients, and of the libraries below them, have in common. */
export interface Failure {
  readonly code?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: ReadonlyArray<{ readonly reason?: unknown }>;
}

const CONNECTION =
  /^(e(conn|timedout|pipe|notfound|host|net|ai_again|aborted|proto)|und_err|err_stream_premature_close|aborterror|timeouterror|premature close|socket hang up|terminated|fetch failed)/i;
const MAX_DEPTH = 4;
const TRANSIENT = new Set([408, 429, 500, 502, 503, 504]);

/** Whether a connection could not be made, broke, or timed out. */
export function isConnectionFailure(error: unknown): boolean {
  return wordsOf(error ?? {}).some((word) => CONNECTION.test(word));
}

/** Whether the status means that a storage is busy or temporarily away. */
export function isTransient(status: number | undefined): boolean {
  return status !== undefined && TRANSIENT.has(status);
}

function wordsOf(failure: Failure, depth = 0): string[] {
  const own = [
    failure.code,
    failure.name,
    failure.message,
    ...(failure.errors ?? []).map(({ reason }) => reason),
  ].filter((word): word is string => typeof word === 'string');
  return typeof failure.cause === 'object' && failure.cause !== null && depth < MAX_DEPTH
    ? [...own, ...wordsOf(failure.cause, depth + 1)]
    : own;
}
