import { DomainError } from '../foundation/error/domain-error.js';
import type { Logger } from '../foundation/log/logger.js';
import type { FormError } from '../page/part/form-error.js';

/** The messages for a key that was not stored, by the reason. */
const NEW_KEY_REFUSALS: Readonly<Record<string, FormError<never>>> = {
  'passkey.refused': { reason: 'formStale' },
  'passkey.user_not_verified': { reason: 'passkeyUnverified' },
  'passkey.challenge_expired': { reason: 'formStale' },
  'passkey.challenge_spent': { reason: 'formStale' },
  'passkey.exists': { reason: 'passkeyExists' },
  'passkey.too_many': { reason: 'tooManyKeys', count: 20 },
};

/** The message for a key that was not stored; the log has the reason. Rethrows what is no refusal. */
export function refusalOfNewKey(
  error: unknown,
  log: Logger,
  by: { readonly userId: string; readonly address: string },
): FormError<never> {
  const refusal = error instanceof DomainError ? NEW_KEY_REFUSALS[error.reason] : undefined;
  if (!(error instanceof DomainError) || !refusal) throw error;
  const detail = typeof error.cause === 'string' ? { detail: error.cause } : {};
  log.warn({ reason: error.reason, ...detail, ...by }, 'key refused');
  return refusal;
}
