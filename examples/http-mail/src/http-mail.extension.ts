import { Module } from '@nestjs/common';
import { defineExtension, MAIL_TRANSPORT, provide, settings } from 'gatehouse';
import { HttpMail } from './http.mail.js';
import { MailSettings, readSettings } from './mail.settings.js';

@Module({ providers: [HttpMail] })
class HttpMailModule {}

export default defineExtension({
  id: 'httpmail',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HttpMailModule,
  provides: [provide(MAIL_TRANSPORT, HttpMail)],
  settings: settings(MailSettings, readSettings),
});
