import { DomainError, invalidFields } from '../foundation/error/domain-error.js';

export function projectNotFound(): DomainError {
  return new DomainError('NotFound', 'project.not_found', 'The project does not exist.');
}

export function projectNameTaken(): DomainError {
  return new DomainError(
    'AlreadyExists',
    'project.name_taken',
    'The organization already has a project with this name.',
  );
}

export function projectIdTaken(): DomainError {
  return new DomainError('AlreadyExists', 'project.id_taken', 'A project with this ID already exists.');
}

export function resourceTaken(uri: string): DomainError {
  return new DomainError(
    'AlreadyExists',
    'project.resource_taken',
    `The resource ${uri} belongs to another project: an audience must name one of them only. An owner of the instance can take it over (takeOver).`,
  );
}

export function projectStateUnchanged(state: string): DomainError {
  return new DomainError('FailedPrecondition', 'project.state_unchanged', `The project is already ${state}.`);
}

export function systemProjectKept(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'project.is_system',
    'This is the project of the service itself: it cannot be removed or deactivated.',
  );
}

export function roleNotFound(): DomainError {
  return new DomainError('NotFound', 'project.role_not_found', 'The role does not exist in this project.');
}

export function roleTaken(key: string): DomainError {
  return new DomainError('AlreadyExists', 'project.role_taken', `The project already has a role ${key}.`);
}

/** `field` names the list in which they stand. */
export function rolesUnknown(keys: readonly string[], field: string): DomainError {
  return invalidFields(keys.map((key) => ({ field, description: `the role ${key} does not exist or is not granted` })));
}

export function projectGrantNotFound(): DomainError {
  return new DomainError('NotFound', 'project_grant.not_found', 'The project grant does not exist.');
}

export function projectGrantExists(): DomainError {
  return new DomainError(
    'AlreadyExists',
    'project_grant.exists',
    'The project is already granted to that organization: update the grant instead.',
  );
}

export function projectGrantToOwner(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'project_grant.to_owner',
    'The project belongs to that organization, which needs no grant.',
  );
}

export function projectGrantStateUnchanged(state: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'project_grant.state_unchanged',
    `The project grant is already ${state}.`,
  );
}
