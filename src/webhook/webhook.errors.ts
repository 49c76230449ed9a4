import { DomainError, type FieldViolation, invalidFields } from '../foundation/error/domain-error.js';

export function webhookInvalid(violations: readonly FieldViolation[]): DomainError {
  return invalidFields(violations);
}

export function webhookNotFound(): DomainError {
  return new DomainError('NotFound', 'webhook.not_found', 'The webhook does not exist.');
}

export function tooManyWebhooks(most: number): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'webhook.too_many',
    `There are ${most} webhooks already: remove one, or choose more types of events for another one.`,
  );
}

export function webhookUnchanged(): DomainError {
  return new DomainError('FailedPrecondition', 'webhook.unchanged', 'The webhook has these values already.');
}

export function webhookNotActive(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'webhook.not_active',
    'The webhook is switched off: switch it on first.',
  );
}

export function webhookNotInactive(): DomainError {
  return new DomainError('FailedPrecondition', 'webhook.not_inactive', 'The webhook is switched on already.');
}

export function webhookDeliveryNotFound(): DomainError {
  return new DomainError('NotFound', 'webhook.delivery_not_found', 'The webhook has no such delivery.');
}
