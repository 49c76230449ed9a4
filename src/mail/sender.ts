import type { MailConfig } from '../foundation/config/config.js';

const SENDER_IN_DEVELOPMENT = 'Gatehouse <no-reply@localhost>';

/** The sender of all mails. In production `MAIL_FROM` names it wherever mails are sent. */
export function senderOf({ from = SENDER_IN_DEVELOPMENT }: MailConfig): string {
  return from;
}
