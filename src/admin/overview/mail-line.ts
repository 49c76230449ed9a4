import type { MailState } from '../../management/overview/operation-states.js';
import type { ServicePath } from '../../org/instance/paths.js';
import type { MailLine } from '../../page/overview/overview-facts.js';
import type { DocsLinks } from '../kit/docs-link.js';

/** @param resendBase below which a mail is sent again, by its id; undefined for readers who may not */
export function toMailLine(mail: MailState, resendBase: ServicePath | undefined, docs: DocsLinks): MailLine {
  const { id, kind, state, recipient, reason, createdAt: at } = mail;
  const isUnsent = state === 'dead' || state === 'waiting';
  const isResendable = resendBase !== undefined && isUnsent && reason !== '';
  return {
    kind,
    state,
    at,
    recipient,
    reason,
    resendHref: isResendable ? `${resendBase}/${encodeURIComponent(id)}/resend` : undefined,
    docs: docs.link(isUnsent ? 'RetryMail' : 'RemoveMail', { id }),
  };
}
