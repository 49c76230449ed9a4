import { DomainError } from '../foundation/error/domain-error.js';

/** The browser sent no cookie of ours: it keeps none, or it has never been here. */
export function cookieMissing(): DomainError {
  return new DomainError('FailedPrecondition', 'login.cookie_missing', 'Cookies are needed to sign in.');
}

/** A cookie that looks like ours and belongs to no browser we know. */
export function browserUnknown(): DomainError {
  return new DomainError('NotFound', 'login.browser_unknown', 'This sign-in was not started in this browser.');
}

/** A form that the browser has sent without the cookie which came with its page. */
export function formWithoutCookie(): DomainError {
  return new DomainError('PermissionDenied', 'login.form_without_cookie', 'Cookies are needed to sign in.');
}

/** For a form without a token, or with that of another browser or request (RFC 6749 §10.12). */
export function formNotOurs(): DomainError {
  return new DomainError(
    'PermissionDenied',
    'login.form_not_ours',
    'The form does not belong to this browser and this sign-in.',
  );
}

/** Fields that were repeated, or are no UTF-8 text; what our own pages never send. */
export function formMalformed(): DomainError {
  return new DomainError('InvalidArgument', 'login.form_malformed', 'The form is malformed.');
}

/** The application, its project or its organization was deactivated since the sign-in began. */
export function clientGone(): DomainError {
  return new DomainError('FailedPrecondition', 'login.client_gone', 'The application is not active.');
}

export function pageNotFound(): DomainError {
  return new DomainError('NotFound', 'login.page_not_found', 'The page does not exist.');
}

/** A defect of ours: a step that no class serves. */
export function stepMissing(step: string): DomainError {
  return new DomainError('Internal', 'login.step_missing', `No step serves ${step}.`);
}

/** For a provider that does not exist, is not active, or is not offered to the organization's people. */
export function providerNotOffered(): DomainError {
  return new DomainError(
    'PermissionDenied',
    'login.provider_not_offered',
    'Signing in through this identity provider is not possible here.',
  );
}

/** For an answer of a provider that belongs to no turn of this browser, or to one that is over (RFC 6749 §10.12). */
export function externalUnknown(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'login.external_unknown',
    'This sign-in at a provider was not started in this browser.',
  );
}

/**
 * The account may not be used here: it, or its organization, is not active, or it does not belong where the application
 * or the provider wants.
 */
export function accountNotAdmitted(detail: string): DomainError {
  return new DomainError('PermissionDenied', 'login.account_not_admitted', 'The account cannot be used here.', {
    cause: detail,
  });
}
