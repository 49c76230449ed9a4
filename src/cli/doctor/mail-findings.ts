import type { Config } from '../../foundation/config/config.js';
import type { Finding } from './finding.js';

const LIMIT_MS = 10_000;

/** Connects to the mail server and signs in there; sends nothing. */
export async function examineMail({ mail, issuer }: Config): Promise<Finding[]> {
  const subject = 'e-mail';
  if (!mail.smtpUrl) {
    const finding = issuer.production
      ? 'No mail server is set: e-mails wait.'
      : 'No mail server is set: e-mails are at /dev/mail.';
    // A service need not send any; where some wait already, that is a finding of its own.
    const remedy = 'To send e-mails, set SMTP_URL and MAIL_FROM.';
    return [issuer.production ? { state: 'note', subject, finding, remedy } : { state: 'fine', subject, finding }];
  }
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: mail.smtpUrl.reveal(),
    connectionTimeout: LIMIT_MS,
    greetingTimeout: LIMIT_MS,
    socketTimeout: LIMIT_MS,
  });
  try {
    await transport.verify();
    return [{ state: 'fine', subject, finding: 'The mail server accepts the connection.' }];
  } catch (error) {
    const finding = `The mail server does not accept the connection: ${(error as Error).message}`;
    return [
      { state: 'wrong', subject, finding, remedy: 'Check host, port, user and password in SMTP_URL, and firewalls.' },
    ];
  } finally {
    transport.close();
  }
}
