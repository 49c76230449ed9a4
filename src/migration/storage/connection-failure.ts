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

/** Whether a connection was not made, broke, or was given up because nothing came. */
export function isConnectionFailure(error: unknown): boolean {
  return wordsOf(error ?? {}).some((word) => CONNECTION.test(word));
}

/** Whether a storage that answers so is busy or away for a while. */
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
