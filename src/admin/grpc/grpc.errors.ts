import { DomainError } from '../../error/domain-error.js';

export function messageTooLarge(maxBytes: number): DomainError {
  return new DomainError('ResourceExhausted', 'message.too_large', `The message must have at most ${maxBytes} bytes.`);
}

export function messageMalformed(): DomainError {
  return new DomainError('InvalidArgument', 'message.malformed', 'The frame of the message has a flag that is not known.');
}

export function messageUnfinished(seconds: number): DomainError {
  return new DomainError('DeadlineExceeded', 'message.unfinished', `The message must be sent within ${seconds} seconds.`);
}

/** No message could hold what it reads or answers. */
export function streamsInJson(route: string): DomainError {
  return new DomainError('ResourceExhausted', 'operation.streams', `What this operation reads and answers is larger than a message may be: it is streamed as JSON at ${route}.`);
}

export function answerTooLarge(maxBytes: number, route: string): DomainError {
  return new DomainError('ResourceExhausted', 'answer.too_large', `The answer has more than ${maxBytes} bytes: ask for less, or for JSON at ${route}.`);
}
