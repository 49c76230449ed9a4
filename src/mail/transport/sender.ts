import type { MailConfig } from '../../foundation/config/config.js';
import type { MailServer } from '../server/mail-server.entity.js';

const SENDER_IN_DEVELOPMENT = 'Gatehouse <no-reply@localhost>';

/**
 * The sender of all mails that no SMTP configuration sends. In production `MAIL_FROM` names it wherever mails are sent.
 */
export function senderOf({ from = SENDER_IN_DEVELOPMENT }: MailConfig): string {
  return from;
}

/** RFC 5322 §3.4: a name that has more than letters, digits and blanks is quoted. */
export function senderOfServer({
  senderName,
  senderAddress,
}: Pick<MailServer, 'senderName' | 'senderAddress'>): string {
  if (senderName === '') return senderAddress;
  const name = /^[\p{L}\p{N} ]+$/u.test(senderName) ? senderName : `"${senderName.replaceAll(/["\\]/g, '\\$&')}"`;
  return `${name} <${senderAddress}>`;
}
