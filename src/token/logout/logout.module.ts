import { Module } from '@nestjs/common';
import { OutboundModule } from '../../foundation/outbound/outbound.module.js';
import { ClientModule } from '../../project/client/client.module.js';
import { SessionModule } from '../../session/session.module.js';
import { KeyModule } from '../key/key.module.js';
import { LogoutWorker } from './logout-worker.js';

/** USE CASE: telling applications that sessions have ended. */
@Module({
  imports: [ClientModule, KeyModule, OutboundModule, SessionModule],
  providers: [LogoutWorker],
  exports: [LogoutWorker],
})
export class LogoutModule {}
