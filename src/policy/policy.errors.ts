import { DomainError, type FieldViolation, invalidFields } from '../error/domain-error.js';
import { KINDS, type PolicyKind } from './policy-kind.js';

export function policyInvalid(violations: readonly FieldViolation[]): DomainError {
  return invalidFields(violations);
}

export function policyExists(kind: PolicyKind): DomainError {
  return new DomainError('AlreadyExists', 'policy.exists', `There is a ${KINDS[kind].name} policy already: change it.`);
}

export function policyNotFound(kind: PolicyKind): DomainError {
  return new DomainError(
    'NotFound',
    'policy.not_found',
    `The organization has no ${KINDS[kind].name} policy of its own: that of the instance holds. Add one first.`,
  );
}

export function factorExists(): DomainError {
  return new DomainError('AlreadyExists', 'policy.factor_exists', 'The login policy has this factor already.');
}

export function factorNotFound(): DomainError {
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
    'A label has no font of its own: the pages use the fonts of the reader.',
  );
}

export function imageTooLarge(maxBytes: number): DomainError {
  return new DomainError('InvalidArgument', 'policy.image_too_large', `The image must have at most ${maxBytes} bytes.`);
}

export function imageNotFound(): DomainError {
  return new DomainError('NotFound', 'policy.image_not_found', 'There is no such image.');
}
