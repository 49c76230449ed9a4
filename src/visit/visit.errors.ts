import { DomainError } from '../foundation/error/domain-error.js';

/** For a form without a token, or with that of another browser, section or user (RFC 6749 §10.12). */
export function formNotOurs(): DomainError {
  return new DomainError(
    'PermissionDenied',
    'visit.form_not_ours',
    'The form does not belong to this browser, this page and this user.',
  );
}

/** Fields that were repeated, or are no UTF-8 text; what our own pages never send. */
export function formMalformed(): DomainError {
  return new DomainError('InvalidArgument', 'visit.form_malformed', 'The form is malformed.');
}

export function pageNotFound(): DomainError {
  return new DomainError('NotFound', 'visit.page_not_found', 'The page does not exist.');
}
