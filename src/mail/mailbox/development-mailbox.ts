import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { insertInto } from '../../foundation/database/columns.js';
import { Database } from '../../foundation/database/database.js';
import { statement } from '../../foundation/database/statement.js';
import { AUTO_SUBMITTED, type MailTransport, type OutgoingMail } from '../transport/mail-transport.js';
import { MailboxMessage } from './mailbox-message.entity.js';

/** How many mails are kept: older ones are of no use. */
const KEPT_MESSAGES = 200;

const PUT = statement<MailboxMessage>(
  'mailbox.put',
  `${insertInto(MailboxMessage)}
   ON CONFLICT (id) DO NOTHING`,
);

const PRUNE = statement(
  'mailbox.prune',
  `DELETE FROM mailbox_message
   WHERE id IN (SELECT id FROM mailbox_message ORDER BY sent_at DESC, id DESC OFFSET ${KEPT_MESSAGES})`,
);

/**
 * Receives the mails in development if no mail server is configured: stored in the database, and shown at /dev/mail.
 */
@Injectable()
export class DevelopmentMailbox implements MailTransport {
  constructor(
    @InjectRepository(MailboxMessage) private readonly rows: Repository<MailboxMessage>,
    private readonly database: Database,
  ) {}

  async send({ id, messageId, date, from, to, subject, text, html, language, images }: OutgoingMail): Promise<void> {
    const headers = {
      'Message-ID': messageId,
      Date: date.toUTCString(),
      From: from,
      To: to,
      Subject: subject,
      [AUTO_SUBMITTED.name]: AUTO_SUBMITTED.value,
      'Content-Language': language,
    };
    const whole = images.reduce(
      (page, { cid, contentType, content }) =>
        page.replaceAll(`"cid:${cid}"`, `"data:${contentType};base64,${content.toString('base64')}"`),
      html,
    );
    await this.database.query(PUT, {
      id,
      sentAt: date,
      recipient: to,
      subject,
      textBody: text,
      htmlBody: whole,
      headers,
    });
    await this.database.query(PRUNE);
  }

  close(): void {
    // The database belongs to others as well.
  }

  /** All mails, newest first. */
  async list(): Promise<MailboxMessage[]> {
    return this.rows.find({ order: { sentAt: 'DESC', id: 'DESC' }, take: KEPT_MESSAGES });
  }

  async find(id: string): Promise<MailboxMessage | undefined> {
    return (await this.rows.findOneBy({ id })) ?? undefined;
  }
}
