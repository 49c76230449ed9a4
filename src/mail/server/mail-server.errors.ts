import { DomainError, type FieldViolation, invalidFields } from '../../foundation/error/domain-error.js';

export function mailServerInvalid(violations: readonly FieldViolation[]): DomainError {
  return invalidFields(violations);
}

export function mailServerNotFound(): DomainError {
  return new DomainError('NotFound', 'mail_server.not_found', 'The SMTP configuration does not exist.');
}

export function noActiveMailServer(): DomainError {
  return new DomainError(
    'NotFound',
    'mail_server.none_active',
    'No SMTP configuration is active. GetMailSettings says how e-mails are sent.',
  );
}

export function tooManyMailServers(most: number): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'mail_server.too_many',
    `There are ${most} SMTP configurations already: remove one, or change it.`,
  );
}

export function mailServerUnchanged(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'mail_server.unchanged',
    'The SMTP configuration has these values already.',
  );
}

export function mailServerActive(): DomainError {
  return new DomainError('FailedPrecondition', 'mail_server.active', 'The SMTP configuration is active already.');
}

export function mailServerInactive(): DomainError {
  return new DomainError('FailedPrecondition', 'mail_server.inactive', 'The SMTP configuration is not active.');
}

/** For a password whose master key was lost, or replaced without the former one; no defect of ours. */
export function passwordUnreadable(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'mail_server.password_unreadable',
    'The password of the SMTP configuration cannot be decrypted with MASTER_KEY: set it again with UpdateSMTPConfigPassword.',
  );
}
