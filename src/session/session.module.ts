import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserModule } from '../user/user.module.js';
import { InstanceModule } from '../instance/instance.module.js';
import { BrowserCookie } from './browser-cookie.js';
import { CsrfTokens } from './csrf-token.js';
import { Browser } from './browser.entity.js';
import { Session } from './session.entity.js';
import { SessionService } from './session.service.js';

@Module({
  imports: [UserModule, InstanceModule, TypeOrmModule.forFeature([Browser, Session])],
  providers: [BrowserCookie, CsrfTokens, SessionService],
  exports: [BrowserCookie, CsrfTokens, SessionService],
})
export class SessionModule {}
