import { DomainError, invalidFields } from '../../foundation/error/domain-error.js';

export function groupNotFound(): DomainError {
  return new DomainError('NotFound', 'group.not_found', 'The group does not exist.');
}

export function groupNameTaken(): DomainError {
  return new DomainError(
    'AlreadyExists',
    'group.name_taken',
    'The organization already has a group with this name; upper and lower case make no difference.',
  );
}

export function groupIdTaken(): DomainError {
  return new DomainError('AlreadyExists', 'group.id_taken', 'A group with this ID already exists.');
}

export function groupFieldInvalid(field: 'name' | 'groupId', description: string): DomainError {
  return invalidFields([{ field, description }]);
}

/** Users of other organizations count as unknown, so that nobody learns of them. */
export function membersUnknown(userIds: readonly string[]): DomainError {
  return invalidFields(userIds.map((id) => ({ field: 'userIds', description: `the organization has no user ${id}` })));
}
