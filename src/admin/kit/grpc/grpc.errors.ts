import { DomainError } from '../../../foundation/error/domain-error.js';

/** `route`: the JSON route that accepts longer messages. */
export function messageTooLarge(maxBytes: number, route?: string): DomainError {
  const instead = route === undefined ? '' : ` Larger messages can be streamed as JSON: ${route}.`;
  return new DomainError(
    'ResourceExhausted',
    'message.too_large',
    `The message must have at most ${maxBytes} bytes.${instead}`,
  );
}

export function messageMalformed(): DomainError {
  return new DomainError(
    'InvalidArgument',
    'message.malformed',
    'The message cannot be decoded as a request of this operation, or the body is not exactly one frame.',
  );
}

export function tooManyFields(max: number): DomainError {
  return new DomainError(
    'InvalidArgument',
    'message.too_many_fields',
    `The message must have at most ${max} fields, those of nested messages included: send several requests.`,
  );
}

export function messageUnfinished(): DomainError {
  return new DomainError('DeadlineExceeded', 'message.unfinished', 'The message was not received completely in time.');
}

export function deadlinePassed(): DomainError {
  return new DomainError('DeadlineExceeded', 'call.timed_out', 'The deadline of the call has passed.');
}

export function timeoutUnreadable(maxSeconds: number): DomainError {
  return new DomainError(
    'InvalidArgument',
    'timeout.unreadable',
    `grpc-timeout must be up to eight digits and one of H, M, S, m, u, n, and at most ${maxSeconds} seconds.`,
  );
}

export function connectTimeoutUnreadable(maxMs: number): DomainError {
  return new DomainError(
    'InvalidArgument',
    'timeout.unreadable',
    `connect-timeout-ms must be up to ten digits, and at most ${maxMs}.`,
  );
}

export function connectVersionUnknown(): DomainError {
  return new DomainError('InvalidArgument', 'connect.version_unknown', 'connect-protocol-version must be 1.');
}

export function answerTooLarge(maxBytes: number, route: string): DomainError {
  return new DomainError(
    'ResourceExhausted',
    'answer.too_large',
    `The response has more than ${maxBytes} bytes: request less, or use JSON at ${route}.`,
  );
}
