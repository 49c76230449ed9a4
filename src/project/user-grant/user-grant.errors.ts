import { DomainError } from '../../foundation/error/domain-error.js';

export function userGrantNotFound(): DomainError {
  return new DomainError('NotFound', 'user_grant.not_found', 'The user grant does not exist.');
}

export function userGrantExists(): DomainError {
  return new DomainError(
    'AlreadyExists',
    'user_grant.exists',
    'The user already has a grant of this project: update that one instead.',
  );
}

export function groupGrantExists(): DomainError {
  return new DomainError(
    'AlreadyExists',
    'group_grant.exists',
    'The group already has a grant of this project: update that one instead.',
  );
}

export function userGrantStateUnchanged(state: string): DomainError {
  return new DomainError('FailedPrecondition', 'user_grant.state_unchanged', `The user grant is already ${state}.`);
}

export function projectGrantInactive(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'user_grant.project_grant_inactive',
    'The project grant is inactive: its roles cannot be granted.',
  );
}
