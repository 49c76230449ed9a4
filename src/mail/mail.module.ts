import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IssuerConfig, MailConfig } from '../foundation/config/config.js';
import { PartCalls } from '../foundation/extension/part-calls.js';
import type { Filled } from '../foundation/extension/seam.js';
import { OutboundModule } from '../foundation/outbound/outbound.module.js';
import { InstanceModule } from '../org/instance/instance.module.js';
import { OrgModule } from '../org/org.module.js';
import { PolicyModule } from '../org/policy/policy.module.js';
import { TextModule } from '../text/text.module.js';
import { LANES } from '../user/outbox/outbox-queue.js';
import { UserModule } from '../user/user.module.js';
import { senderMissing } from './mail.errors.js';
import { MailComposer } from './mail-composer.js';
import { MailLabels } from './mail-label.js';
import { MailSettings } from './mail-settings.js';
import { MailTests } from './mail-tests.js';
import { MailWorker } from './mail-worker.js';
import { DevelopmentMailbox } from './mailbox/development-mailbox.js';
import { MailboxController } from './mailbox/mailbox.controller.js';
import { MailboxMessage } from './mailbox/mailbox-message.entity.js';
import { MessagePreview } from './message-preview.js';
import { MailServerModule } from './server/mail-server.module.js';
import { ExtensionTransport } from './transport/extension.transport.js';
import { CHOSEN_TRANSPORT, MAIL_TRANSPORT, type MailTransport } from './transport/mail-transport.js';
import { SmtpTransport } from './transport/smtp.transport.js';
import { serverOfOperator } from './transport/smtp-server.js';
import { TransportInUse } from './transport/transport-in-use.js';

/**
 * The transport where no SMTP configuration is active: that of an extension, which sends in any case; otherwise the
 * mail server of the environment; otherwise, in development, the development mailbox; in production none.
 * @throws DomainError FailedPrecondition `mail.sender_missing`
 */
function chooseTransport(
  [extension]: ReadonlyArray<Filled<MailTransport>>,
  { smtpUrl, from }: MailConfig,
  { production }: IssuerConfig,
  mailbox: DevelopmentMailbox,
  calls: PartCalls,
): MailTransport | null {
  if (extension) {
    if (production && from === undefined) throw senderMissing(extension.name);
    return new ExtensionTransport(extension, calls);
  }
  if (smtpUrl) return new SmtpTransport(serverOfOperator(smtpUrl), LANES);
  return production ? null : mailbox;
}

/** USE CASE: what mails say, how they look, and how they are sent. */
@Module({
  imports: [
    InstanceModule,
    MailServerModule,
    OrgModule,
    OutboundModule,
    PolicyModule,
    TextModule,
    UserModule,
    TypeOrmModule.forFeature([MailboxMessage]),
  ],
  controllers: [MailboxController],
  providers: [
    DevelopmentMailbox,
    MailComposer,
    MailLabels,
    MailSettings,
    MailTests,
    MailWorker,
    MessagePreview,
    TransportInUse,
    {
      provide: CHOSEN_TRANSPORT,
      inject: [MAIL_TRANSPORT.token, MailConfig, IssuerConfig, DevelopmentMailbox, PartCalls],
      useFactory: chooseTransport,
    },
  ],
  exports: [MailLabels, MailSettings, MailTests, MailWorker, MessagePreview],
})
export class MailModule {}
