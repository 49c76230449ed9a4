import { DomainError, type FieldViolation, invalidFields } from '../foundation/error/domain-error.js';
import { type IdpType, isExtType } from './idp.entity.js';

/** The same text whether the provider does not exist or belongs to another owner. */
export function idpNotFound(): DomainError {
  return new DomainError('NotFound', 'idp.not_found', 'The identity provider does not exist.');
}

export function idpNameTaken(name: string): DomainError {
  return new DomainError(
    'AlreadyExists',
    'idp.name_taken',
    `An identity provider with the name ${name} already exists.`,
  );
}

export function idpIdTaken(): DomainError {
  return new DomainError('AlreadyExists', 'idp.id_taken', 'An identity provider with this ID already exists.');
}

export function idpUnchanged(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'idp.unchanged',
    'Nothing to update: the identity provider already has these values.',
  );
}

export function idpNotActive(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'idp.not_active',
    'The identity provider is not active, so it cannot be deactivated.',
  );
}

export function idpNotInactive(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'idp.not_inactive',
    'The identity provider is not inactive, so it cannot be reactivated.',
  );
}

export function idpOfOtherType(type: IdpType): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'idp.other_type',
    `The identity provider is of the type ${isExtType(type) ? type : type.toUpperCase()}: change the configuration of that type.`,
  );
}

/** No account may be linked with one at this provider. */
export function idpLinkingNotAllowed(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'idp.linking_not_allowed',
    'The identity provider does not allow accounts to be linked.',
  );
}

/** The provider cannot be configured, because nothing here knows its settings. */
export function idpKindUnavailable(kind: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'idp.kind_unavailable',
    `The identity provider is of the kind ${kind}, which no extension of this service has. Load the extension.`,
  );
}

/** `known`: the kinds of the extensions that are loaded. */
export function idpKindUnknown(known: readonly string[]): FieldViolation {
  const choice =
    known.length === 0 ? 'no extension with identity provider kinds is loaded' : `there is ${known.join(', ')}`;
  return { field: 'kind', description: `must be the kind of an extension that is loaded: ${choice}` };
}

export function idpInvalid(violations: readonly FieldViolation[]): DomainError {
  return invalidFields(violations);
}

export function idpListed(): DomainError {
  return new DomainError('AlreadyExists', 'idp.listed', 'The login policy already lists the identity provider.');
}

export function idpNotListed(): DomainError {
  return new DomainError('NotFound', 'idp.not_listed', 'The login policy does not list the identity provider.');
}

export function idpPolicyMissing(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'idp.policy_missing',
    'The organization has no login policy of its own: add one first.',
  );
}

export function idpLinkNotFound(): DomainError {
  return new DomainError(
    'NotFound',
    'idp.link_not_found',
    'The user is not linked to this user of the identity provider.',
  );
}

export function idpLinkTaken(): DomainError {
  return new DomainError(
    'AlreadyExists',
    'idp.link_taken',
    'This user of the identity provider is already linked to a user.',
  );
}

/** For a link whose account was removed concurrently. */
export function linkedUserGone(): DomainError {
  return new DomainError('FailedPrecondition', 'idp.link_user_gone', 'The user to be linked no longer exists.');
}

/**
 * The response that came back with the browser, or from the provider, does not prove who the user is. The log alone
 * gets the reason (`detail`), so that trying one forgery after the other reveals nothing.
 */
export function answerRefused(detail: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'idp.answer_refused',
    'The response of the identity provider cannot be accepted.',
    { cause: detail },
  );
}

/** The provider cannot be reached, or what it publishes cannot be used. `detail` is for the log. */
export function providerFailed(detail: string): DomainError {
  return new DomainError('Unavailable', 'idp.provider_failed', 'The identity provider cannot be used at the moment.', {
    cause: detail,
  });
}

/** Too many names and passwords are being checked at once: nothing was checked. */
export function directoryBusy(): DomainError {
  return new DomainError('Unavailable', 'idp.directory_busy', 'Too many people are signing in at once. Try again.');
}

/** The provider said no, or the person declined there. */
export function providerDeclined(detail: string): DomainError {
  return new DomainError('FailedPrecondition', 'idp.declined', 'The identity provider did not sign in the user.', {
    cause: detail,
  });
}

/** For a link without which the user could not sign in any more. */
export function lastWayIn(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'idp.last_way_in',
    'This is the only way to sign in. Add another one first.',
  );
}
