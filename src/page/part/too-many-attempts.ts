import type { DomainError } from '../../foundation/error/domain-error.js';
import { waitIn } from '../../foundation/language/duration-text.js';
import type { LoginLanguage } from '../catalogue/catalogue.js';
import type { FormError } from './form-error.js';

/** The error of a form that was sent too often, and how long to wait. */
export function tooManyAttempts(
  { retryAfterSeconds = 0 }: Pick<DomainError, 'retryAfterSeconds'>,
  { language }: { readonly language: LoginLanguage },
): FormError<never> {
  return { reason: 'tooManyAttempts', duration: waitIn(language, retryAfterSeconds) };
}
