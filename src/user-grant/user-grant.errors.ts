import { DomainError } from '../error/domain-error.js';

export function userGrantNotFound(): DomainError {
  return new DomainError('NotFound', 'user_grant.not_found', 'The user grant does not exist.');
}

export function userGrantExists(): DomainError {
  return new DomainError(
    'AlreadyExists',
    'user_grant.exists',
    'The user holds a grant of this project already: change that one instead.',
  );
}

export function userGrantStateUnchanged(state: string): DomainError {
  return new DomainError('FailedPrecondition', 'user_grant.state_unchanged', `The user grant is ${state} already.`);
}

export function projectGrantInactive(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'user_grant.project_grant_inactive',
    'The project grant is inactive: nothing can be given through it.',
  );
}
