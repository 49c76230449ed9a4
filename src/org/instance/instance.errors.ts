import { DomainError } from '../../foundation/error/domain-error.js';

export function instanceMissing(): DomainError {
  return new DomainError('Internal', 'instance.missing', 'The instance is not set up yet.');
}

export function instanceNotFound(): DomainError {
  return new DomainError('NotFound', 'instance.not_found', 'The instance does not exist: a service has one, its own.');
}

export function instanceKept(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'instance.kept',
    'The instance cannot be deleted over the API: stop the service and remove its database.',
  );
}

export function instanceDomainsConfigured(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'instance.domains_configured',
    'The service has one address, which is in its configuration: set PUBLIC_URL and restart it.',
  );
}

export function noTrustedDomains(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'instance.no_trusted_domains',
    'Links and tokens name the address of the service alone, whatever domain a request names: set PUBLIC_URL to change it.',
  );
}
