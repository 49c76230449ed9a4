import type { DomainError } from '../error/domain-error.js';
import type { LogFields } from './logger.js';

/**
 * A refusal as a log line shows it. Callers are told no more than that the service is unavailable; the operator learns
 * why. The causes of other refusals may repeat what the caller has sent.
 */
export function refusalFields({ reason, kind, cause }: DomainError): LogFields {
  return kind === 'Unavailable' && cause instanceof Error ? { reason, cause: cause.message } : { reason };
}
