import { DomainError } from '../error/domain-error.js';

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
  return new DomainError('AlreadyExists', 'org.name_taken', 'Another organization has this name.');
}

export function orgStateUnchanged(state: string): DomainError {
  return new DomainError('FailedPrecondition', 'org.state_unchanged', `The organization is ${state} already.`);
}

export function domainNotFound(): DomainError {
  return new DomainError('NotFound', 'org.domain_not_found', 'The organization has no such domain.');
}

export function domainAdded(domain: string): DomainError {
  return new DomainError('AlreadyExists', 'org.domain_exists', `The organization has the domain ${domain} already.`);
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
  return new DomainError('FailedPrecondition', 'org.domain_verified', `The domain ${domain} is verified already.`);
}

export function validationNotStarted(domain: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'org.domain_validation_missing',
    `No validation of ${domain} was begun: generate one first.`,
  );
}

export function validationFailed(message: string): DomainError {
  return new DomainError('FailedPrecondition', 'org.domain_validation_failed', message);
}

export function domainNamesCollide(domain: string, userName: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'org.domain_names_collide',
    `At ${domain} the login name ${userName} would mean two people of the organization: give one of them another user name first.`,
  );
}

export function domainInUse(domain: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'org.domain_in_use',
    `People of another organization have user names at ${domain}. Have the domain policy demand validation (validateOrgDomains), and prove that it is yours.`,
  );
}

export function defaultOrgKept(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'org.is_default',
    'The default organization cannot be removed or deactivated: make another one the default first.',
  );
}

export function systemOrgKept(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'org.owns_system',
    'This organization owns the project of the service itself and cannot be removed or deactivated.',
  );
}
