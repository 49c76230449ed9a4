import { DomainError, invalidFields } from '../foundation/error/domain-error.js';

export function previewWithoutOpenid(): DomainError {
  return invalidFields([{ field: 'scopes', description: 'must contain openid, which is required to sign in' }]);
}

export function previewOfProgram(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'preview.service_user',
    'Service users do not sign in to applications: preview the tokens of a human user.',
  );
}
