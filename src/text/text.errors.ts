import { DomainError, invalidFields } from '../error/domain-error.js';

export function languageMalformed(): DomainError {
  return invalidFields([{ field: 'language', description: 'must be a language tag of at most 35 characters, such as en or de-CH' }]);
}

export function textMissing(): DomainError {
  return new DomainError('NotFound', 'text.missing', 'There is no built-in text in this language, nor in the default language of the instance.');
}
