import { DomainError } from '../error/domain-error.js';

export function projectNotFound(): DomainError {
  return new DomainError('NotFound', 'project.not_found', 'The project does not exist.');
}

export function projectStateUnchanged(state: string): DomainError {
  return new DomainError('FailedPrecondition', 'project.state_unchanged', `The project is ${state} already.`);
}

export function roleTaken(key: string): DomainError {
  return new DomainError('AlreadyExists', 'project.role_taken', `The project has a role ${key} already.`);
}
