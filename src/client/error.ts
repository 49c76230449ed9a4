import type { AnyOperation, Reason } from './known-operation.js';

/** A field of the request that is invalid. @public */
export interface InvalidField {
  readonly field: string;
  readonly description: string;
}

interface Circumstances {
  readonly operation?: AnyOperation | undefined;
  readonly status?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

interface Elsewhere extends Circumstances {
  readonly url: string;
}

interface Refused extends Circumstances {
  readonly operation: AnyOperation;
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly fields: readonly InvalidField[];
  readonly details: readonly unknown[];
}

/**
 * The service has refused a call, or failed at it. Tell refusals apart by `reason`, which is stable: {@link isRefusal}
 * knows those of each operation. The message is a sentence for people; it contains no token.
 * @public
 */
export class GatehouseError<R extends string = string> extends Error {
  /** The operation that was called. */
  readonly operation: AnyOperation;
  /** Of HTTP. */
  readonly status: number;
  /** Such as `user.not_found`; of OAuth's endpoints the code of RFC 6749 §5.2. `unknown` if the answer has none. */
  readonly reason: R;
  /** What is wrong with each field, if `reason` is `request.invalid`. */
  readonly fields: readonly InvalidField[];
  /** As the service has sent them. */
  readonly details: readonly unknown[];
  /** When to ask again, if the service has said so. */
  readonly retryAfterSeconds: number | undefined;

  /** @internal */
  constructor({ message, operation, status, reason, fields, details, retryAfterSeconds }: Refused) {
    super(message);
    this.name = 'GatehouseError';
    this.operation = operation;
    this.status = status;
    this.reason = reason as R;
    this.fields = fields;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Why there was no answer of Gatehouse. `unreachable`: no connection, or it was lost; `cause` is what fetch has said.
 * `timeout`: none came in time. `redirected`: the address redirects, where no token is sent. `not_gatehouse`: something
 * else has answered, such as a proxy.
 * @public
 */
export type ConnectionProblem = 'unreachable' | 'timeout' | 'redirected' | 'not_gatehouse';

/** No answer of the service. What the call was to do may have been done, unless it only reads. @public */
export class ConnectionError extends Error {
  /** The address that was connected to. */
  readonly url: string;
  /** The operation that was called. */
  readonly operation: AnyOperation | undefined;
  /** Of what answered, if anything did. */
  readonly status: number | undefined;
  /** When to ask again, if what answered has said so. */
  readonly retryAfterSeconds: number | undefined;

  /** @internal */
  constructor(
    readonly problem: ConnectionProblem,
    message: string,
    { url, operation, status, retryAfterSeconds, ...cause }: Elsewhere & ErrorOptions,
  ) {
    super(message, cause);
    this.url = url;
    this.name = 'ConnectionError';
    this.operation = operation;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Whether this operation has refused a call, and for one of these reasons if any are given. The types are the reasons
 * that it declares; a newer service may have others.
 * @public
 */
export function isRefusal<O extends AnyOperation, R extends Reason<O> = Reason<O>>(
  error: unknown,
  operation: O,
  ...reasons: readonly R[]
): error is GatehouseError<R> {
  if (!(error instanceof GatehouseError) || error.operation !== operation) return false;
  const { reason } = error as GatehouseError;
  return reasons.length === 0 || (reasons as readonly string[]).includes(reason);
}
