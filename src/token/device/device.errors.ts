import { DomainError } from '../../foundation/error/domain-error.js';

/** RFC 8628 §5.1: strangers may ask in the name of public clients, so the number of open codes is limited. */
export function tooManyOpenCodes(retryAfterSeconds: number): DomainError {
  return new DomainError(
    'ResourceExhausted',
    'device.too_many_open_codes',
    'The application has too many device codes that nobody has used yet. Try again later.',
    { retryAfterSeconds },
  );
}

/** For a request of a device that was approved, denied or used before. */
export function deviceAnswered(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'device.answered',
    'This request of a device has already been answered.',
  );
}

export function deviceExpired(): DomainError {
  return new DomainError('FailedPrecondition', 'device.expired', 'This device code has expired.');
}

/** New codes met existing ones three times in a row. */
export function noFreeUserCode(): DomainError {
  return new DomainError('Unavailable', 'device.no_free_code', 'No code could be generated. Try again.');
}

/** The project admits only users who have one of its roles. */
export function deviceUserNotAdmitted(): DomainError {
  return new DomainError(
    'PermissionDenied',
    'device.user_not_admitted',
    'This account may not use the application of the device.',
  );
}
