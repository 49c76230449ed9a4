import { DomainError, invalidFields } from '../../foundation/error/domain-error.js';
import { KEY_NAME_RULE } from './key-names.js';

export function factorNotFound(): DomainError {
  return new DomainError('NotFound', 'factor.not_found', 'The user does not have this second factor.');
}

/** Recovery codes substitute for another factor. */
export function factorMissing(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'factor.missing',
    'The user has no second factor that recovery codes could substitute for. Set one up first.',
  );
}

/** The factor, or codes for it, were set up meanwhile. */
export function factorExists(): DomainError {
  return new DomainError('AlreadyExists', 'factor.exists', 'The user already has this second factor.');
}

/** Asked of the policy of the user's organization before a factor is set up. */
export function factorNotAllowed(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'factor.not_allowed',
    'The login policy does not list this second factor: add it to secondFactors.',
  );
}

export function seedInvalid(field: string): DomainError {
  return invalidFields([{ field, description: 'must be a seed of 16 to 128 characters in base32' }]);
}

/** What came back from the authenticator proves nothing here. `detail` is for the log. */
export function passkeyRefused(detail: string): DomainError {
  return new DomainError('InvalidArgument', 'passkey.refused', 'The answer of the authenticator is not valid.', {
    cause: detail,
  });
}

/** The authenticator did not check that it is the user: no screen lock, or a closed lid. */
export function userNotVerified(): DomainError {
  return new DomainError(
    'InvalidArgument',
    'passkey.user_not_verified',
    'The authenticator did not verify the user. Set a screen lock or a PIN.',
  );
}

/** The page was left open for too long. */
export function challengeExpired(): DomainError {
  return new DomainError('FailedPrecondition', 'passkey.challenge_expired', 'The challenge is too old. Begin again.');
}

export function challengeSpent(): DomainError {
  return new DomainError('FailedPrecondition', 'passkey.challenge_spent', 'This answer was used already.');
}

/** This refusal does not say who owns the key. */
export function passkeyExists(): DomainError {
  return new DomainError('AlreadyExists', 'passkey.exists', 'This passkey is already registered.');
}

export function tooManyKeys(most: number): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'passkey.too_many',
    `The user has ${most} passkeys and security keys. Remove one first.`,
  );
}

export function passkeyNotFound(): DomainError {
  return new DomainError('NotFound', 'passkey.not_found', 'The user does not have this passkey or security key.');
}

/** A counter that went back: the key may have been copied (WebAuthn Level 3 §6.1.1). */
export function passkeyCountedBack(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'passkey.counter_back',
    'The counter of the key went back, so it may have been copied.',
  );
}

/** For a removal after which the user would lack a factor that the policy requires, also if two are removed at once. */
export function factorRequired(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'factor.required',
    'The login policy requires a second factor. Set another one up first.',
  );
}

export function lastWayIn(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'passkey.last_way_in',
    'This is the only way to sign in. Add another one first.',
  );
}

/** The service has no domain, so browsers offer no passkeys. */
export function passkeysUnavailable(): DomainError {
  return new DomainError('FailedPrecondition', 'passkey.unavailable', 'Passkeys need a domain: set PUBLIC_URL to one.');
}

/** Asked of the policy of the user's organization before a link is made. */
export function passkeysNotAllowed(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'passkey.not_allowed',
    'The login policy does not allow passkeys: set passwordlessType to PASSWORDLESS_TYPE_ALLOWED.',
  );
}

export function keyNameInvalid(field: string): DomainError {
  return invalidFields([{ field, description: KEY_NAME_RULE }]);
}
