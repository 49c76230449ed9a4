import { DomainError, type FieldViolation, invalidFields } from '../foundation/error/domain-error.js';
import { messageLanguages } from './message-catalogue/catalogue.js';

export function languageMalformed(): DomainError {
  return invalidFields([
    { field: 'language', description: 'must be a language tag of at most 35 characters, such as en or de-CH' },
  ]);
}

/** The broken field of a text that is to be stored in a language that we do not speak. */
export const LANGUAGE_UNSUPPORTED: FieldViolation = {
  field: 'language',
  description: `must be one of ${messageLanguages.join(', ')}`,
};

export function languageUnsupported(): DomainError {
  return invalidFields([LANGUAGE_UNSUPPORTED]);
}

export function textMissing(): DomainError {
  return new DomainError(
    'NotFound',
    'text.missing',
    'No built-in text exists in this language or in the default language of the instance.',
  );
}

export function textNotCustom(): DomainError {
  return new DomainError(
    'NotFound',
    'text.not_custom',
    'No custom text is set in this language: there is nothing to reset.',
  );
}
