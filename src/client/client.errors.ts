import { DomainError, invalidFields, type FieldViolation } from '../error/domain-error.js';

export function clientNotFound(): DomainError {
  return new DomainError('NotFound', 'client.not_found', 'The application does not exist.');
}

export function clientIdTaken(): DomainError {
  return new DomainError('AlreadyExists', 'client.id_taken', 'The client id is taken.');
}

export function clientStateUnchanged(state: string): DomainError {
  return new DomainError('FailedPrecondition', 'client.state_unchanged', `The application is ${state} already.`);
}

export function clientInvalid(violations: readonly FieldViolation[]): DomainError {
  return invalidFields(violations);
}
