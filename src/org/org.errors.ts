import { DomainError, invalidFields } from '../foundation/error/domain-error.js';

export function orgNotFound(): DomainError {
  return new DomainError('NotFound', 'org.not_found', 'The organization does not exist.');
}

export function orgInactive(): DomainError {
  return new DomainError('FailedPrecondition', 'org.inactive', 'The organization is not active: reactivate it first.');
}

export function domainTaken(domain: string): DomainError {
  return new DomainError('AlreadyExists', 'org.domain_taken', `The domain ${domain} belongs to another organization.`);
}

export function orgNameTaken(): DomainError {
  return new DomainError('AlreadyExists', 'org.name_taken', 'Another organization already has this name.');
}

export function orgIdTaken(): DomainError {
  return new DomainError('AlreadyExists', 'org.id_taken', 'An organization with this ID already exists.');
}

export function orgStateUnchanged(state: string): DomainError {
  return new DomainError('FailedPrecondition', 'org.state_unchanged', `The organization is already ${state}.`);
}

export function orgMetadataNotFound(): DomainError {
  return new DomainError('NotFound', 'org.metadata_not_found', 'The organization has no metadata with this key.');
}

export function domainNotFound(): DomainError {
  return new DomainError('NotFound', 'org.domain_not_found', 'The domain does not exist in this organization.');
}

export function domainAdded(domain: string): DomainError {
  return new DomainError('AlreadyExists', 'org.domain_exists', `The organization already has the domain ${domain}.`);
}

export function domainPrimary(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'org.domain_primary',
    'The primary domain cannot be removed: make another one primary first.',
  );
}

export function domainNotVerified(domain: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'org.domain_not_verified',
    `The domain ${domain} is not verified: verify it first.`,
  );
}

export function domainVerified(domain: string): DomainError {
  return new DomainError('FailedPrecondition', 'org.domain_verified', `The domain ${domain} is already validated.`);
}

export function validationNotStarted(domain: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'org.domain_validation_missing',
    `No validation of ${domain} is pending: generate one first.`,
  );
}

export function validationFailed(message: string): DomainError {
  return new DomainError('FailedPrecondition', 'org.domain_validation_failed', message);
}

export function domainNamesCollide(domain: string, userName: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'org.domain_names_collide',
    `With ${domain}, the login name ${userName} would belong to two users of the organization: change one of their user names first.`,
  );
}

export function domainInvalid(): DomainError {
  return invalidFields([{ field: 'domain', description: 'must be a domain name such as example.com' }]);
}

export function domainInUse(domain: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'org.domain_in_use',
    `Users of another organization have user names at ${domain}. Set the domain policy to require validation (validateOrgDomains), and validate the domain.`,
  );
}

export function domainAddressInUse(domain: string, userName: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'org.domain_address_in_use',
    `${userName}@${domain} would be a login name here, and is the verified e-mail address of a user of another organization. Set the domain policy to require validation (validateOrgDomains), and validate the domain.`,
  );
}

export function defaultOrgKept(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'org.is_default',
    'The default organization cannot be removed or deactivated: set another default organization first.',
  );
}

export function systemOrgKept(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'org.owns_system',
    'This organization owns the project of the service itself and cannot be removed or deactivated.',
  );
}
