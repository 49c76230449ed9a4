import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '../instance/instance.module.js';
import { UserModule } from '../user/user.module.js';
import { Browser } from './browser.entity.js';
import { BrowserCookie } from './browser-cookie.js';
import { CsrfTokens } from './csrf-token.js';
import { Session } from './session.entity.js';
import { SessionService } from './session.service.js';
import { UserSessions } from './user-sessions.js';

@Module({
  imports: [UserModule, InstanceModule, TypeOrmModule.forFeature([Browser, Session])],
  providers: [BrowserCookie, CsrfTokens, SessionService, UserSessions],
  exports: [BrowserCookie, CsrfTokens, SessionService, UserSessions],
})
export class SessionModule {}
