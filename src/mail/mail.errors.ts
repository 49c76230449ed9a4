import { DomainError } from '../foundation/error/domain-error.js';

export function mailsNotSent(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'mail.not_sent',
    'No mail server is configured: set SMTP_URL and MAIL_FROM, and start the service again.',
  );
}

export function senderMissing(transport: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'mail.sender_missing',
    `MAIL_FROM is missing. ${transport} sends e-mails, which need a sender, such as "Acme <no-reply@example.com>".`,
  );
}
