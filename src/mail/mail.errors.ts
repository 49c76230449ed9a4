import { DomainError } from '../foundation/error/domain-error.js';

export function mailsNotSent(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'mail.not_sent',
    'No mail server is configured: set one up with AddSMTPConfig and ActivateSMTPConfig, or set SMTP_URL and MAIL_FROM and start the service again.',
  );
}

export function senderMissing(transport: string): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'mail.sender_missing',
    `MAIL_FROM is missing. ${transport} sends e-mails, which need a sender, such as "Acme <no-reply@example.com>".`,
  );
}

/** @param reason in our words or those of the mail server */
export function testNotSent(reason: string): DomainError {
  return new DomainError('FailedPrecondition', 'mail.test_not_sent', `The e-mail was not sent: ${reason}`);
}
