import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DayCountModule } from '../foundation/day-count/day-count.module.js';
import { InstanceModule } from '../org/instance/instance.module.js';
import { PolicyModule } from '../org/policy/policy.module.js';
import { UserModule } from '../user/user.module.js';
import { Browser } from './browser.entity.js';
import { BrowserCookie } from './browser-cookie.js';
import { BrowserEntry } from './browser-entry.js';
import { CsrfTokens } from './csrf-token.js';
import { LogoutNotice } from './logout-notice.entity.js';
import { LogoutNotices } from './logout-notices.js';
import { LogoutQueue } from './logout-queue.js';
import { Session } from './session.entity.js';
import { SessionService } from './session.service.js';
import { SessionChanges } from './session-changes.js';
import { SessionClient } from './session-client.entity.js';
import { SupposedSessions } from './supposed-sessions.js';
import { UserActivity } from './user-activity.js';
import { UserSessions } from './user-sessions.js';

const services = [
  BrowserCookie,
  BrowserEntry,
  CsrfTokens,
  LogoutNotices,
  LogoutQueue,
  SessionChanges,
  SessionService,
  SupposedSessions,
  UserActivity,
  UserSessions,
];

@Module({
  imports: [
    DayCountModule,
    InstanceModule,
    PolicyModule,
    UserModule,
    TypeOrmModule.forFeature([Browser, LogoutNotice, Session, SessionClient]),
  ],
  providers: services,
  exports: services,
})
export class SessionModule {}
