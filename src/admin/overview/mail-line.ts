import type { MailState } from '../../management/overview/operation-states.js';
import type { ServicePath } from '../../org/instance/paths.js';
import type { MailLine } from '../../page/overview/overview-facts.js';

/** @param resendBase below which a mail is sent again, by its id; undefined for readers who may not */
export function toMailLine(mail: MailState, resendBase: ServicePath | undefined): MailLine {
  const { id, kind, state, recipient, reason, createdAt: at } = mail;
  const isResendable = resendBase !== undefined && (state === 'dead' || (state === 'waiting' && reason !== ''));
  return {
    kind,
    state,
    at,
    recipient,
    reason,
    resendHref: isResendable ? `${resendBase}/${encodeURIComponent(id)}/resend` : undefined,
  };
}
