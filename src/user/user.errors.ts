import { DomainError, invalidFields, type FieldViolation } from '../error/domain-error.js';

export function userNotFound(): DomainError {
  return new DomainError('NotFound', 'user.not_found', 'The user does not exist.');
}

export function userNameTaken(): DomainError {
  return new DomainError('AlreadyExists', 'user.name_taken', 'The user name is taken.');
}

export function userNamesCollide(): DomainError {
  return new DomainError(
    'FailedPrecondition', 'user.names_collide',
    'User names that are unique in their organization are not unique in the instance: rename those users first.',
  );
}

export function userIdTaken(): DomainError {
  return new DomainError('AlreadyExists', 'user.id_taken', 'A user with this id exists already.');
}

export function userInvalid(violations: readonly FieldViolation[]): DomainError {
  return invalidFields(violations);
}

export function userStateUnchanged(state: string): DomainError {
  return new DomainError('FailedPrecondition', 'user.state_unchanged', `The user is ${state} already.`);
}

export function notServiceUser(): DomainError {
  return new DomainError('FailedPrecondition', 'user.not_service', 'Only service users have secrets, keys and personal access tokens.');
}
