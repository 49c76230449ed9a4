import { DomainError } from '../error/domain-error.js';

export function listenerNotFound(): DomainError {
  return new DomainError('NotFound', 'event_listener.not_found', 'The database has no such listener of an extension.');
}

export function listenerNotLoaded(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'event_listener.not_loaded',
    'This process does not load the extension of the listener: load it first.',
  );
}

export function eventNotFound(): DomainError {
  return new DomainError('NotFound', 'event_listener.event_not_found', 'The journal has no event with this id.');
}

export function parkedEventNotFound(): DomainError {
  return new DomainError('NotFound', 'event_listener.event_not_parked', 'The listener has not left out this event.');
}

export function listenerFailed(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'event_listener.failed',
    'The listener failed again; the log of the service says why. The event stays parked.',
  );
}
