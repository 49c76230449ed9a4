import { DomainError, type FieldViolation, invalidFields } from '../../foundation/error/domain-error.js';
import type { ClientKind } from './client.entity.js';

export function clientNotFound(): DomainError {
  return new DomainError('NotFound', 'client.not_found', 'The application does not exist.');
}

export function clientIdTaken(): DomainError {
  return new DomainError('AlreadyExists', 'client.id_taken', 'The client ID is already in use.');
}

export function applicationIdTaken(): DomainError {
  return new DomainError('AlreadyExists', 'client.application_id_taken', 'An application has this ID already.');
}

export function clientNameTaken(): DomainError {
  return new DomainError(
    'AlreadyExists',
    'client.name_taken',
    'The project already has an application with this name.',
  );
}

export function clientStateUnchanged(state: string): DomainError {
  return new DomainError('FailedPrecondition', 'client.state_unchanged', `The application is already ${state}.`);
}

export function clientInvalid(violations: readonly FieldViolation[]): DomainError {
  return invalidFields(violations);
}

const KIND_WORDS: Readonly<Record<string, string>> = { oidc: 'an OpenID Connect', api: 'an API' };

export function clientOfOtherKind(kind: ClientKind): DomainError {
  const wanted = KIND_WORDS[kind] ?? 'such an';
  const word = kind.replace(/^ext:/, '');
  return new DomainError('FailedPrecondition', `client.not_${word}`, `The application is not ${wanted} application.`);
}

export function clientWithoutSecret(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'client.no_secret',
    'The application does not authenticate with a secret: change its authentication method first.',
  );
}

export function clientWithoutKeys(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'client.no_keys',
    'The application does not authenticate with keys: change its authentication method to private_key_jwt first.',
  );
}

export function clientKeyNotFound(): DomainError {
  return new DomainError('NotFound', 'client.key_not_found', 'The key does not exist on this application.');
}

export function documentationClientKept(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'client.is_documentation',
    'The API documentation signs in with this application: it cannot be removed. Deactivate it instead.',
  );
}

export function clientDescribedElsewhere(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'client.described_elsewhere',
    'The document at the client ID describes the application, and would replace the change. Deactivate the application to block it.',
  );
}

export function clientNotRegisteredByItself(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'client.not_registered_by_itself',
    'The application has not registered itself, so it has no registration to change.',
  );
}

export function registrationTokenNotFound(): DomainError {
  return new DomainError(
    'NotFound',
    'client.registration_token_not_found',
    'The initial access token does not exist in this project.',
  );
}

export function clientInactive(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'client.inactive',
    'The application, its project or its organization is inactive: no tokens are issued.',
  );
}

/** The error for the page that a developer sees, and the log: what is wrong with the document, or with fetching it. */
export function clientDocumentRefused(cause: DomainError): DomainError {
  return new DomainError('FailedPrecondition', 'client.document_refused', cause.message, { cause });
}
