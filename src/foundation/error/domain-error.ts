/**
 * What went wrong, in the vocabulary of the canonical status codes (google.rpc.Code).
 * Each edge translates a kind once; see `docs/glossary.md`.
 * @public
 */
export type Kind =
  | 'InvalidArgument'
  | 'FailedPrecondition'
  | 'Unauthenticated'
  | 'PermissionDenied'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Aborted'
  | 'ResourceExhausted'
  | 'Internal'
  | 'Unavailable'
  | 'DeadlineExceeded';

/** One broken field of a request: where it stands (`profile.firstName`) and what is wrong with it. @public */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/** @public */
export interface DomainErrorOptions {
  readonly cause?: unknown;
  readonly violations?: readonly FieldViolation[];
  /** For `ResourceExhausted` and `Unavailable`: when asking again makes sense. */
  readonly retryAfterSeconds?: number;
}

/**
 * The one error that rules throw for something a caller, or the world, can cause.
 * `message` is safe to show to the caller; `cause` is for the log alone.
 * @public
 */
export class DomainError extends Error {
  readonly violations: readonly FieldViolation[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly kind: Kind,
    /** Stable and searchable: `text.language_unknown`. */
    readonly reason: string,
    message: string,
    options: DomainErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.violations = options.violations ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The refusal for one or more broken fields; the message names the first. */
export function invalidFields(violations: readonly FieldViolation[]): DomainError {
  const first = violations[0];
  const message = first ? `${first.field}: ${first.description}` : 'The request is invalid.';
  return new DomainError('InvalidArgument', 'request.invalid', message, { violations });
}
