import { DomainError } from '../error/domain-error.js';

export function orgNotFound(): DomainError {
  return new DomainError('NotFound', 'org.not_found', 'The organization does not exist.');
}

export function domainTaken(domain: string): DomainError {
  return new DomainError('AlreadyExists', 'org.domain_taken', `The domain ${domain} belongs to another organization.`);
}

export function orgStateUnchanged(state: string): DomainError {
  return new DomainError('FailedPrecondition', 'org.state_unchanged', `The organization is ${state} already.`);
}
