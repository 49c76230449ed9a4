import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IssuerConfig, MailConfig } from '../foundation/config/config.js';
import { Database } from '../foundation/database/database.js';
import { PartCalls } from '../foundation/extension/part-calls.js';
import type { Filled } from '../foundation/extension/seam.js';
import { LANES } from '../foundation/outbox/outbox-queue.js';
import { InstanceModule } from '../instance/instance.module.js';
import { OrgModule } from '../org/org.module.js';
import { PolicyModule } from '../policy/policy.module.js';
import { TextModule } from '../text/text.module.js';
import { UserModule } from '../user/user.module.js';
import { senderMissing } from './mail.errors.js';
import { MailComposer } from './mail-composer.js';
import { MailLabels } from './mail-label.js';
import { MailSettings } from './mail-settings.js';
import { MailWorker } from './mail-worker.js';
import { DevelopmentMailbox } from './mailbox/development-mailbox.js';
import { MailboxController } from './mailbox/mailbox.controller.js';
import { MailboxMessage } from './mailbox/mailbox-message.entity.js';
import { MessagePreview } from './message-preview.js';
import { ExtensionTransport } from './transport/extension.transport.js';
import { CHOSEN_TRANSPORT, MAIL_TRANSPORT, type MailTransport } from './transport/mail-transport.js';
import { SmtpTransport } from './transport/smtp.transport.js';

/**
 * Through the transport of an extension; otherwise through the configured mail server; otherwise, in development, into
 * the development mailbox; in production not at all.
 * @throws DomainError FailedPrecondition `mail.sender_missing`
 */
function chooseTransport(
  [extension]: ReadonlyArray<Filled<MailTransport>>,
  { smtpUrl, from }: MailConfig,
  { production }: IssuerConfig,
  database: Database,
  calls: PartCalls,
): MailTransport | null {
  if (extension) {
    if (production && from === undefined) throw senderMissing(extension.name);
    return new ExtensionTransport(extension, calls);
  }
  if (smtpUrl) return new SmtpTransport(smtpUrl, LANES);
  return production ? null : new DevelopmentMailbox(database);
}

/** USE CASE: what mails say, how they look, and how they are sent. */
@Module({
  imports: [
    InstanceModule,
    OrgModule,
    PolicyModule,
    TextModule,
    UserModule,
    TypeOrmModule.forFeature([MailboxMessage]),
  ],
  controllers: [MailboxController],
  providers: [
    MailComposer,
    MailLabels,
    MailSettings,
    MailWorker,
    MessagePreview,
    {
      provide: CHOSEN_TRANSPORT,
      inject: [MAIL_TRANSPORT.token, MailConfig, IssuerConfig, Database, PartCalls],
      useFactory: chooseTransport,
    },
  ],
  exports: [MailLabels, MailSettings, MailWorker, MessagePreview],
})
export class MailModule {}
