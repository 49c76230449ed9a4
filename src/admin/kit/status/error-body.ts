import type { DomainError } from '../../../foundation/error/domain-error.js';
import { STATUS } from './status.js';

/** The body of every refusal of the administrative API. */
export interface ErrorBody {
  /** google.rpc.Code */
  readonly code: number;
  readonly message: string;
  readonly details: ReadonlyArray<{ readonly '@type': string; readonly [member: string]: unknown }>;
}

/**
 * A refusal as the caller gets it: the violations field by field, or else the stable id of the refusal, which also
 * follows the message in brackets. `urnWord` is the package of the detail's type (`URN_WORD`).
 */
export function toErrorBody(error: DomainError, urnWord: string): ErrorBody {
  const { code } = STATUS[error.kind];
  if (error.violations.length > 0) {
    const fieldViolations = error.violations.map(({ field, description }) => ({ field, description }));
    return {
      code,
      message: error.message,
      details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }],
    };
  }
  const detail = { '@type': `type.googleapis.com/${urnWord}.v1.ErrorDetail`, id: error.reason, message: error.message };
  return { code, message: `${error.message} (${error.reason})`, details: [detail] };
}
