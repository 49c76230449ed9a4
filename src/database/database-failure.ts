import { DomainError } from '../error/domain-error.js';

/** SQLSTATE classes and codes that say the server, not the statement, is at fault. */
const FAILING_CLASSES = ['08', '53', '57'];
const FAILING_CODES = new Set(['25006', '40001', '40P01', '55P03']);
/** Text that PostgreSQL cannot hold: NUL, or bytes that are no UTF-8. Edges refuse it; this is for what slips through. */
const IMPOSSIBLE_TEXT = new Set(['22021', '22P05']);
/** What Node and the pool say when there is no connection to speak through. */
const NO_CONNECTION = /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT|EHOSTUNREACH|ENOTFOUND|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;
const RETRY_AFTER_SECONDS = 2;

/** The SQLSTATE and constraint of a database error, whether it came from `pg` or wrapped by TypeORM. */
export function sqlState(error: unknown): { code?: string; constraint?: string } {
  if (typeof error !== 'object' || error === null) return {};
  const driverError = 'driverError' in error ? (error.driverError as object) : error;
  const { code, constraint } = driverError as { code?: unknown; constraint?: unknown };
  return {
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
  };
}

/** Whether the error says that a unique constraint of that name refused a row. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const state = sqlState(error);
  return state.code === '23505' && (constraint === undefined || state.constraint === constraint);
}

/** Whether the error says that a row names another one that is not there, or not there any more. */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  const state = sqlState(error);
  return state.code === '23503' && state.constraint === constraint;
}

/** Text that cannot be stored is the caller's fault. A database that is away, full, read-only or too slow is `Unavailable`, and callers may come back; the rest stays what it is. */
export function toFailure(error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error)) return error;
  const { code = '' } = sqlState(error);
  if (IMPOSSIBLE_TEXT.has(code)) {
    return new DomainError('InvalidArgument', 'request.text', 'The request holds characters that no text of ours can hold.', { cause: error });
  }
  const failing = FAILING_CLASSES.some((prefix) => code.length === 5 && code.startsWith(prefix)) || FAILING_CODES.has(code);
  if (!failing && !NO_CONNECTION.test(`${code} ${error.message}`)) return error;
  return tooBusy(error);
}

/** The database answers, but not this time: it is away, or others were faster each time. */
export function tooBusy(cause: unknown): DomainError {
  return new DomainError('Unavailable', 'database.unavailable', 'The service cannot answer right now. Try again shortly.', {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
