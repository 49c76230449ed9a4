import { invalidFields } from '../foundation/error/domain-error.js';
import { type MessageLanguage, messageLanguages } from './message-catalogue/catalogue.js';
import { LANGUAGE_UNSUPPORTED } from './text.errors.js';

/** The languages with built-in texts. */
export const supportedLanguages: readonly string[] = messageLanguages;

/** @throws DomainError InvalidArgument for a language without built-in texts; tags are compared exactly */
export function checkSupportedLanguage(tag: string): asserts tag is MessageLanguage {
  if (!supportedLanguages.includes(tag)) throw invalidFields([LANGUAGE_UNSUPPORTED]);
}
