import { DomainError } from 'gatehouse';

/** Also for people, and for service users of other organizations. */
export function noDirectory(): DomainError {
  return new DomainError(
    'NotFound',
    'scim.directory_unknown',
    'The organization has no active service user of this ID, which could be a directory.',
  );
}

/** Also for users of other organizations, so that nobody learns of them. */
export function usersUnknown(userIds: readonly string[]): DomainError {
  return unknown('userIds', userIds, 'no person');
}

export function groupsUnknown(groupIds: readonly string[]): DomainError {
  return unknown('groupIds', groupIds, 'no group');
}

export function usersElsewhere(userIds: readonly string[]): DomainError {
  return elsewhere(`Other directories provision some of the users: release them there first.${named(userIds)}`);
}

export function groupsElsewhere(groupIds: readonly string[]): DomainError {
  return elsewhere(`Other directories provision some of the groups: release them there first.${named(groupIds)}`);
}

function unknown(field: string, ids: readonly string[], what: string): DomainError {
  const violations = ids.map((id) => ({ field, description: `the organization has ${what} with the ID ${id}` }));
  const message = `${field}: ${violations[0]?.description ?? `the organization has ${what} with one of the IDs`}`;
  return new DomainError('InvalidArgument', 'request.invalid', message, { violations });
}

function elsewhere(message: string): DomainError {
  return new DomainError('FailedPrecondition', 'scim.provisioned_elsewhere', message);
}

function named(ids: readonly string[]): string {
  return ids.length === 0 ? '' : ` Among them: ${ids.slice(0, 10).join(', ')}.`;
}
