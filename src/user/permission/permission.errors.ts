import { DomainError } from '../../foundation/error/domain-error.js';

export function permissionMissing(permission: string): DomainError {
  return new DomainError('PermissionDenied', 'permission.missing', `The permission ${permission} is missing.`);
}

export function roleTooStrong(role: string): DomainError {
  return new DomainError(
    'PermissionDenied',
    'permission.role_too_strong',
    `The role ${role} allows more than your own roles: you cannot grant or remove permissions that you do not have.`,
  );
}

export function userTooStrong(): DomainError {
  return new DomainError(
    'PermissionDenied',
    'permission.user_too_strong',
    'The user has more permissions than you: you cannot change or obtain their credentials.',
  );
}

/** What signs a person in is changed through applications that an owner of the instance has allowed to administer. */
export function applicationNotTrusted(): DomainError {
  return new DomainError(
    'PermissionDenied',
    'application.not_trusted',
    'This application may not change how a user signs in. Users do so on the account page; an owner of the instance can allow an application of their organization to administer.',
  );
}

export function memberExists(): DomainError {
  return new DomainError('AlreadyExists', 'member.exists', 'The user is already a member: update their roles instead.');
}

export function memberNotFound(): DomainError {
  return new DomainError('NotFound', 'member.not_found', 'The user is not a member.');
}

export function memberUserMissing(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'member.user_missing',
    'The user does not exist or cannot become a member.',
  );
}

export function lastOwner(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'member.last_owner',
    'This is the last active IAM_OWNER: without one, the instance could no longer be managed.',
  );
}

export function lastOrgOwner(orgName: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'member.last_org_owner',
    `This is the last active ORG_OWNER of ${orgName}: name another one first.`,
  );
}

export function managedObjectNotFound(kind: 'project' | 'project_grant'): DomainError {
  return kind === 'project'
    ? new DomainError('NotFound', 'project.not_found', 'The project does not exist.')
    : new DomainError('NotFound', 'project_grant.not_found', 'The project grant does not exist.');
}
