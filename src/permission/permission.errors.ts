import { DomainError } from '../error/domain-error.js';

export function permissionMissing(permission: string): DomainError {
  return new DomainError('PermissionDenied', 'permission.missing', `The permission ${permission} is missing.`);
}

export function roleTooStrong(role: string): DomainError {
  return new DomainError(
    'PermissionDenied',
    'permission.role_too_strong',
    `The role ${role} allows more than you may: nobody gives or takes what they do not hold themselves.`,
  );
}

export function userTooStrong(): DomainError {
  return new DomainError(
    'PermissionDenied',
    'permission.user_too_strong',
    'The user may do more than you: nobody changes or gets credentials of somebody stronger.',
  );
}

export function memberExists(): DomainError {
  return new DomainError('AlreadyExists', 'member.exists', 'The user is a member already: change their roles instead.');
}

export function memberNotFound(): DomainError {
  return new DomainError('NotFound', 'member.not_found', 'The user is no member here.');
}

export function memberUserMissing(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'member.user_missing',
    'There is no user of this id who could become a member.',
  );
}

export function lastOwner(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'member.last_owner',
    'This is the last active IAM_OWNER: nobody could manage the instance any more.',
  );
}

export function managedObjectNotFound(kind: 'project' | 'project_grant'): DomainError {
  return kind === 'project'
    ? new DomainError('NotFound', 'project.not_found', 'The project does not exist.')
    : new DomainError('NotFound', 'project_grant.not_found', 'The project grant does not exist.');
}
