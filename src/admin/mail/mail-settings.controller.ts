import { Controller, Get, Post } from '@nestjs/common';
import { mailsNotSent } from '../../mail/mail.errors.js';
import { MailSettings } from '../../mail/mail-settings.js';
import { MailTests } from '../../mail/mail-tests.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import { GetMailSettingsResponse, SendTestMailRequest, SendTestMailResponse } from './mail-settings.dto.js';

/** How e-mails leave, wherever that is set. */
@Tagged('E-mails')
@Controller('admin/v1')
export class MailSettingsController {
  constructor(
    private readonly settings: MailSettings,
    private readonly tests: MailTests,
  ) {}

  @Get('settings/mail')
  @Requires('iam.read')
  @Operation({
    id: 'GetMailSettings',
    summary: 'Get how e-mails are sent',
    description:
      'The settings in use: those of an extension that sends e-mails, otherwise the active SMTP configuration (`ActivateSMTPConfig`), otherwise those of the process (`SMTP_URL` and `MAIL_FROM`). The password is never returned.',
    returns: GetMailSettingsResponse,
  })
  async get(@Asking() _actor: Actor): Promise<GetMailSettingsResponse> {
    return this.settings.get();
  }

  @Post('mails/_test')
  @Requires('iam.write')
  @Operation({
    id: 'SendTestMail',
    summary: 'Send a test e-mail and wait for the response of the mail server',
    description:
      'The e-mail is sent at once, as all e-mails are at the moment, and not tried again. At most ten tests a minute. `ok` is false if the server cannot be reached or refuses it.',
    request: SendTestMailRequest,
    returns: SendTestMailResponse,
    refuses: [mailsNotSent()],
  })
  async test(
    @Asking() { userId }: Actor,
    @Message() { receiverAddress }: SendTestMailRequest,
  ): Promise<SendTestMailResponse> {
    return this.tests.sendInUse({ receiver: receiverAddress, userId });
  }
}
