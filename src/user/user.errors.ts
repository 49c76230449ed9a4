import { DomainError, type FieldViolation, invalidFields } from '../foundation/error/domain-error.js';
import type { UserVeto } from './user-rule.js';

export function userNotFound(): DomainError {
  return new DomainError('NotFound', 'user.not_found', 'The user does not exist.');
}

export function userNameTaken(): DomainError {
  return new DomainError('AlreadyExists', 'user.name_taken', 'The user name is already in use.');
}

/** `names`: the first of them, where they are known. */
export function userNamesCollide(names: readonly string[] = []): DomainError {
  const which = names.length === 0 ? '' : ` Among them: ${names.join(', ')}.`;
  return new DomainError(
    'FailedPrecondition',
    'user.names_collide',
    `Some user names are unique in their organization but not in the instance: rename those users first.${which}`,
  );
}

/** The names are locked, for instance by an import, which may take minutes. */
export function userNamesBusy(): DomainError {
  return new DomainError(
    'Aborted',
    'user.names_busy',
    'User names are being imported, or their policy changed: try again once that has ended.',
  );
}

export function userIdTaken(): DomainError {
  return new DomainError('AlreadyExists', 'user.id_taken', 'A user with this ID already exists.');
}

export function userInvalid(violations: readonly FieldViolation[]): DomainError {
  return invalidFields(violations);
}

/** Each organization forms login names with domains of its own. */
export function loginNamePartElsewhere(): DomainError {
  return invalidFields([
    {
      field: 'queries',
      description: 'can only compare whole login names in several organizations: add an organizationIdQuery beside it',
    },
  ]);
}

/** A rule of an extension does not let the user be stored like that. */
export function userRefused({ field, message }: UserVeto): DomainError {
  const violations = field === undefined ? [] : [{ field, description: message }];
  return new DomainError('InvalidArgument', 'user.rule_refused', message, { violations });
}

export function userStateUnchanged(state: string): DomainError {
  return new DomainError('FailedPrecondition', 'user.state_unchanged', `The user is already ${state}.`);
}

export function notServiceUser(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'user.not_service',
    'Only service users have secrets, keys and personal access tokens.',
  );
}

export function userDomainElsewhere(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'user.domain_elsewhere',
    'The user name ends in a verified domain of another organization.',
  );
}

export function notPerson(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'user.not_person',
    'Only human users have a profile, an e-mail address, a phone number and a password.',
  );
}

/** The policy of the organization leaves this to administrators. */
export function selfServiceClosed(setting: string): DomainError {
  return new DomainError(
    'PermissionDenied',
    'user.self_service_closed',
    `The self-service policy of the organization does not let users do this themselves (${setting}).`,
  );
}

/** The account has changed since the user proved who they are; what was asked for may no longer be meant. */
export function userChanged(): DomainError {
  return new DomainError('Aborted', 'user.changed', 'The account has changed in the meantime: sign in and try again.');
}

/** Nobody can sign in to an account that was not set up. */
export function userInitial(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'user.initial',
    'The account is not set up yet: send the initialization again, after a reactivation if it is deactivated.',
  );
}

export function userNotInitial(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'user.not_initial',
    'The account does not wait to be set up: it is set up already, deactivated or locked.',
  );
}

export function userNotInState(state: string): DomainError {
  return new DomainError('FailedPrecondition', 'user.not_in_state', `The user is not ${state}.`);
}

export function emailVerifiedAlready(): DomainError {
  return new DomainError('FailedPrecondition', 'user.email_verified', 'The e-mail address is already verified.');
}

export function emailNotVerified(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'user.email_not_verified',
    'The e-mail address is not verified, so it may belong to someone else.',
  );
}

export function phoneMissing(): DomainError {
  return new DomainError('NotFound', 'user.phone_missing', 'The user has no phone number.');
}

export function smsUnavailable(): DomainError {
  return new DomainError('FailedPrecondition', 'user.sms_unavailable', 'SMS is not supported: choose e-mail.');
}

export function metadataNotFound(): DomainError {
  return new DomainError('NotFound', 'user.metadata_not_found', 'The user has no metadata with this key.');
}

export function machineKeyNotFound(): DomainError {
  return new DomainError('NotFound', 'user.key_not_found', 'The key does not exist on this service user.');
}

/** Whoever reads the mailbox may not be the person who registered with it: the page asks for what that one knows. */
export function registrationUnproven(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'user.registration_unproven',
    'The user registered and has not verified the address yet, which is possible only on the page that the e-mail links to.',
  );
}
