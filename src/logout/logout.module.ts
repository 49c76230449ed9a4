import { Module } from '@nestjs/common';
import { ClientModule } from '../client/client.module.js';
import { OutboundModule } from '../foundation/outbound/outbound.module.js';
import { KeyModule } from '../key/key.module.js';
import { SessionModule } from '../session/session.module.js';
import { LogoutWorker } from './logout-worker.js';

/** USE CASE: telling applications that sessions have ended. */
@Module({
  imports: [ClientModule, KeyModule, OutboundModule, SessionModule],
  providers: [LogoutWorker],
  exports: [LogoutWorker],
})
export class LogoutModule {}
