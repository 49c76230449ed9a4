import { DomainError, invalidFields } from '../error/domain-error.js';

export function projectNotFound(): DomainError {
  return new DomainError('NotFound', 'project.not_found', 'The project does not exist.');
}

export function projectNameTaken(): DomainError {
  return new DomainError('AlreadyExists', 'project.name_taken', 'The organization has a project of this name already.');
}

export function projectIdTaken(): DomainError {
  return new DomainError('AlreadyExists', 'project.id_taken', 'A project with this id exists already.');
}

export function projectStateUnchanged(state: string): DomainError {
  return new DomainError('FailedPrecondition', 'project.state_unchanged', `The project is ${state} already.`);
}

export function systemProjectKept(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'project.is_system',
    'This is the project of the service itself: it cannot be removed or deactivated.',
  );
}

export function roleNotFound(): DomainError {
  return new DomainError('NotFound', 'project.role_not_found', 'The project has no such role.');
}

export function roleTaken(key: string): DomainError {
  return new DomainError('AlreadyExists', 'project.role_taken', `The project has a role ${key} already.`);
}

/** `field` names the list in which they stand. */
export function rolesUnknown(keys: readonly string[], field: string): DomainError {
  return invalidFields(keys.map((key) => ({ field, description: `there is no role ${key} to give` })));
}

export function projectGrantNotFound(): DomainError {
  return new DomainError('NotFound', 'project_grant.not_found', 'The project grant does not exist.');
}

export function projectGrantExists(): DomainError {
  return new DomainError(
    'AlreadyExists',
    'project_grant.exists',
    'The project is granted to that organization already: change the grant instead.',
  );
}

export function projectGrantToOwner(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'project_grant.to_owner',
    'The project belongs to that organization: it needs no grant.',
  );
}

export function projectGrantStateUnchanged(state: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'project_grant.state_unchanged',
    `The project grant is ${state} already.`,
  );
}
