import { DatabaseError } from 'pg';
import { DomainError } from '../error/domain-error.js';
import type { Statement } from './statement.js';

/**
 * SQLSTATE classes and codes that say the server, not the statement, is at fault: no connection, login, resources
 * (memory, disk, slots), intervention of an operator, files; a database that is gone, read-only or locked, and one
 * that denies what the service needs, as it also does where its disk is read-only.
 */
const FAILING_CLASSES = ['08', '28', '53', '57', '58'];
const FAILING_CODES = new Set(['25006', '25P03', '25P04', '3D000', '40001', '40P01', '42501', '55P03']);
const READ_ONLY = '25006';
/** Codes of failures that prevent changes, and not questions: no permission, no room, a disk that fails. */
const UNWRITABLE = new Set([READ_ONLY, '42501', '53100', '58030']);
/** Text that PostgreSQL cannot store: NUL, or invalid UTF-8. Edges refuse it; this is for what slips through. */
const IMPOSSIBLE_TEXT = new Set(['22021', '22P05']);
/** Error codes of Node and the pool if there is no connection. */
const NO_CONNECTION =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOENT|EHOSTUNREACH|ENOTFOUND|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;
/** Failures after which a statement may have reached the server; a connection timeout has the same code. */
const LOST_CONNECTION = /ECONNRESET|EPIPE|ETIMEDOUT|Connection terminated(?! due to connection timeout)/;
/** The server ended the connection or failed: its answer says nothing about what it had done until then. */
const ENDED_BY_SERVER = /^(08|57P0[12])/;
/** A statement that changes rows by itself. The lock of `FOR UPDATE` changes none. */
const CHANGES = /\bINSERT\s+INTO\b|\bDELETE\s+FROM\b|(?<!\bFOR\s+|\bFOR\s+NO\s+KEY\s+)\bUPDATE\s/i;
const RETRY_AFTER_SECONDS = 2;
const OUTCOME_UNKNOWN = 'database.outcome_unknown';

/** There is no connection, for whatever reason: nothing was sent. */
export class NoConnection extends Error {
  /** The code of PostgreSQL or of Node. */
  readonly code: string | undefined;

  constructor(override readonly cause: Error) {
    const { code } = cause as NodeJS.ErrnoException;
    // Node says nothing else if a name has several addresses.
    super(cause.message || code || 'There is no connection.');
    this.name = 'NoConnection';
    this.code = code;
  }

  /** Whether the server is there, and does not let the service in. */
  get isLogin(): boolean {
    return /^28/.test(this.code ?? '') || /^SASL/.test(this.message);
  }
}

/** Whether the server takes no changes on this connection, which another one may. */
export function refusesChanges(error: unknown): boolean {
  return codeBehind(error) === READ_ONLY;
}

/** Whether the server answers questions, and could not make a change. */
export function isUnwritable(error: unknown): boolean {
  return UNWRITABLE.has(codeBehind(error) ?? '');
}

/** The SQLSTATE, also of an error that was already translated. */
function codeBehind(error: unknown): string | undefined {
  return sqlState(error instanceof DomainError ? error.cause : error).code;
}

/** What PostgreSQL says of a row that broke a rule. */
export interface SqlState {
  /** The SQLSTATE. */
  readonly code?: string;
  readonly constraint?: string;
  readonly schema?: string;
  readonly table?: string;
}

/** Those of a database error, whether it came from `pg` or wrapped by TypeORM. */
export function sqlState(error: unknown): SqlState {
  if (typeof error !== 'object' || error === null) return {};
  const found = driverErrorOf(error) as Readonly<Record<string, unknown>>;
  const names = ['code', 'constraint', 'schema', 'table'] as const;
  return Object.fromEntries(names.flatMap((name) => (typeof found[name] === 'string' ? [[name, found[name]]] : [])));
}

/** Whether a unique constraint of that name refused a row. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const state = sqlState(error);
  return state.code === '23505' && (constraint === undefined || state.constraint === constraint);
}

/** Whether a row refers to another one that does not exist, or no longer. */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  const state = sqlState(error);
  return state.code === '23503' && state.constraint === constraint;
}

/**
 * Text that cannot be stored is the caller's fault. A database that is away, full, read-only or too slow is
 * `Unavailable`, and callers may retry; anything else is rethrown unchanged.
 */
export function toFailure(error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error)) return error;
  if (driverErrorOf(error) instanceof NoConnection) return tooBusy(error);
  const { code = '' } = sqlState(error);
  if (IMPOSSIBLE_TEXT.has(code)) {
    return new DomainError(
      'InvalidArgument',
      'request.text',
      'The request contains characters that cannot be stored.',
      { cause: error },
    );
  }
  const failing =
    FAILING_CLASSES.some((prefix) => code.length === 5 && code.startsWith(prefix)) || FAILING_CODES.has(code);
  if (!failing && !NO_CONNECTION.test(`${code} ${error.message}`)) return error;
  return tooBusy(error);
}

/** The failure of a statement that is its own transaction: if its answer was lost, the change may have been made. */
export function toFailureOf({ text }: Pick<Statement, 'text'>, error: unknown): unknown {
  return isLost(error) && CHANGES.test(text) ? outcomeUnknown(error) : toFailure(error);
}

/** Whether the server has said that a COMMIT failed; any other error leaves that open. */
export function isRefused(error: unknown): boolean {
  const said = driverErrorOf(error);
  return said instanceof DatabaseError && said.severity !== 'FATAL' && !isLastWord(said);
}

/** The connection was lost between a commit and its answer. Never retry automatically: the work may have been done. */
export function outcomeUnknown(cause: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    OUTCOME_UNKNOWN,
    'The connection to the database was lost before it confirmed the change. The change may have been made: check before you repeat the request.',
    { cause, retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** Whether a change may have been made. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof DomainError && error.reason === OUTCOME_UNKNOWN;
}

/** Whether the connection was lost while the statement may have been running. */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error) || driverErrorOf(error) instanceof NoConnection) return false;
  const said = driverErrorOf(error);
  return said instanceof DatabaseError
    ? isLastWord(said)
    : LOST_CONNECTION.test(`${sqlState(error).code ?? ''} ${error.message}`);
}

/**
 * Whether an established connection ended with this error; `FATAL` alone may also mean that none was established. The
 * severity may be translated.
 */
function isLastWord({ severity, code }: DatabaseError): boolean {
  return severity === 'PANIC' || ENDED_BY_SERVER.test(code ?? '');
}

/** TypeORM wraps the driver's error. */
function driverErrorOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'driverError' in error ? error.driverError : error;
}

/** The database responds, but not this time: it is down, or others were faster each time. */
export function tooBusy(cause: unknown): DomainError {
  return new DomainError(
    'Unavailable',
    'database.unavailable',
    'The service cannot answer right now. Try again shortly.',
    {
      cause,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  );
}
