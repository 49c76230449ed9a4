import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../../foundation/config/config.js';
import { Database } from '../../foundation/database/database.js';
import { pendingSchemaChanges } from '../../foundation/database/schema-change/index.js';
import { NameResolver } from '../../foundation/outbound/name-resolver.js';
import { OutboundAddresses } from '../../foundation/outbound/outbound-addresses.js';
import { ActiveMailServer } from '../../mail/server/active-mail-server.js';
import { passwordUnreadable } from '../../mail/server/mail-server.errors.js';
import { MailServerPasswords } from '../../mail/server/mail-server-passwords.js';
import { MailFailed } from '../../mail/transport/mail-transport.js';
import { SmtpTransport } from '../../mail/transport/smtp.transport.js';
import { type SmtpServer, serverOfOperator, serverOfOwner } from '../../mail/transport/smtp-server.js';
import { SCHEMA } from '../../schema/index.js';
import { type Finding, fine, wrong } from './finding.js';

const SUBJECT = 'e-mail';

/**
 * Connects to the mail server that is in use, the active SMTP configuration before that of the environment, and signs
 * in there; sends nothing.
 * @param services undefined if the database cannot be reached
 */
export async function examineMail(config: Config, services?: INestApplicationContext): Promise<Finding[]> {
  return (services && (await ofActive(config, services))) ?? ofEnvironment(config);
}

async function ofActive(config: Config, services: INestApplicationContext): Promise<Finding[] | undefined> {
  if ((await pendingSchemaChanges(services.get(Database).source, SCHEMA)).length > 0) return undefined;
  const server = await services.get(ActiveMailServer, { strict: false }).findNow();
  if (!server) return undefined;
  const password = services.get(MailServerPasswords, { strict: false }).find(server);
  if (!password) return [wrong(SUBJECT, passwordUnreadable().message)];
  const addresses = new OutboundAddresses(config.outbound, new NameResolver());
  return verify(
    serverOfOwner(server, password, '', addresses),
    `The mail server of the active SMTP configuration, ${server.host},`,
    'Correct it with UpdateSMTPConfig and test it with TestSMTPConfigById; check firewalls and OUTBOUND_ALLOW.',
  );
}

async function ofEnvironment({ mail, issuer }: Config): Promise<Finding[]> {
  if (mail.smtpUrl) {
    const remedy = 'Check host, port, user and password in SMTP_URL, and firewalls.';
    return verify(serverOfOperator(mail.smtpUrl), 'The mail server of SMTP_URL', remedy);
  }
  if (!issuer.production) return [fine(SUBJECT, 'No mail server is set: e-mails are at /dev/mail.')];
  // A service need not send any; where some wait already, that is a finding of its own.
  const remedy = 'To send e-mails, set SMTP_URL and MAIL_FROM, or add and activate an SMTP configuration.';
  return [{ state: 'note', subject: SUBJECT, finding: 'No mail server is set: e-mails wait.', remedy }];
}

async function verify(server: SmtpServer, name: string, remedy: string): Promise<Finding[]> {
  const transport = new SmtpTransport(server, 1);
  try {
    await transport.verify();
    return [fine(SUBJECT, `${name} accepts the connection.`)];
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error;
    return [wrong(SUBJECT, `${name} does not accept the connection: ${error.message}`, remedy)];
  } finally {
    await transport.close();
  }
}
