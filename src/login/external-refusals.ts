import type { ErrorReason } from '../page/error.page.js';

/** The message for the user when a sign-in at a provider fails; the log has the reason. */
export const EXTERNAL_REFUSALS: Readonly<Record<string, { readonly status: number; readonly reason: ErrorReason }>> = {
  'idp.answer_refused': { status: 400, reason: 'providerAnswer' },
  'idp.declined': { status: 400, reason: 'providerDeclined' },
  'idp.provider_failed': { status: 502, reason: 'providerUnavailable' },
  'login.external_unknown': { status: 400, reason: 'providerAnswer' },
  'login.provider_not_offered': { status: 403, reason: 'providerNotOffered' },
  'user.rule_refused': { status: 403, reason: 'accountUnavailable' },
  'login.account_not_admitted': { status: 403, reason: 'accountUnavailable' },
};
