import { DomainError } from '../../error/domain-error.js';

/** `route`: where JSON may be longer. */
export function messageTooLarge(maxBytes: number, route?: string): DomainError {
  const instead = route === undefined ? '' : ` What is longer is streamed as JSON: ${route}.`;
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
    'The message is not one of this operation, or its frame cannot be read.',
  );
}

export function messageUnfinished(): DomainError {
  return new DomainError('DeadlineExceeded', 'message.unfinished', 'The message was not finished in time.');
}

export function timeoutUnreadable(maxSeconds: number): DomainError {
  return new DomainError(
    'InvalidArgument',
    'timeout.unreadable',
    `grpc-timeout must be up to eight digits and one of H, M, S, m, u, n, and at most ${maxSeconds} seconds.`,
  );
}

export function answerTooLarge(maxBytes: number, route: string): DomainError {
  return new DomainError(
    'ResourceExhausted',
    'answer.too_large',
    `The answer has more than ${maxBytes} bytes: ask for less, or for JSON at ${route}.`,
  );
}
