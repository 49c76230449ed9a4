import { DomainError, type FieldViolation, invalidFields } from '../../foundation/error/domain-error.js';
import { KINDS, type PolicyKind } from './policy-kind.js';

export function policyInvalid(violations: readonly FieldViolation[]): DomainError {
  return invalidFields(violations);
}

export function policyExists(kind: PolicyKind): DomainError {
  return new DomainError(
    'AlreadyExists',
    'policy.exists',
    `The ${KINDS[kind].name} policy already exists: update it instead.`,
  );
}

export function policyNotFound(kind: PolicyKind): DomainError {
  return new DomainError(
    'NotFound',
    'policy.not_found',
    `The organization has no ${KINDS[kind].name} policy of its own, so the instance's applies. Add one first.`,
  );
}

export function policyFactorExists(): DomainError {
  return new DomainError('AlreadyExists', 'policy.factor_exists', 'The login policy already has this factor.');
}

export function policyFactorNotFound(): DomainError {
  return new DomainError('NotFound', 'policy.factor_not_found', 'The login policy does not have this factor.');
}

/** `problem`: what `readImage` says. */
export function imageUnreadable(problem = 'must be a PNG or a JPEG'): DomainError {
  return new DomainError('InvalidArgument', 'policy.image_unreadable', `The image ${problem}.`);
}

export function fontsNotTaken(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'policy.fonts_not_taken',
    "Custom fonts are not supported: the pages use the user's system fonts.",
  );
}

export function imageTooLarge(maxBytes: number): DomainError {
  return new DomainError('InvalidArgument', 'policy.image_too_large', `The image must have at most ${maxBytes} bytes.`);
}

export function imageNotFound(): DomainError {
  return new DomainError('NotFound', 'policy.image_not_found', 'The image does not exist.');
}
