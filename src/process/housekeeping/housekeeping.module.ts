import { Module } from '@nestjs/common';
import { DayCountModule } from '../../foundation/day-count/day-count.module.js';
import { IdpModule } from '../../idp/idp.module.js';
import { ClientModule } from '../../project/client/client.module.js';
import { AuthRequestModule } from '../../session/auth-request/auth-request.module.js';
import { SessionModule } from '../../session/session.module.js';
import { DeviceModule } from '../../token/device/device.module.js';
import { TokenModule } from '../../token/token.module.js';
import { FactorModule } from '../../user/factor/factor.module.js';
import { UserModule } from '../../user/user.module.js';
import { WebhookModule } from '../../webhook/webhook.module.js';
import { HousekeepingService } from './housekeeping.service.js';

@Module({
  imports: [
    AuthRequestModule,
    ClientModule,
    DayCountModule,
    DeviceModule,
    FactorModule,
    IdpModule,
    SessionModule,
    TokenModule,
    UserModule,
    WebhookModule,
  ],
  providers: [HousekeepingService],
  exports: [HousekeepingService],
})
export class HousekeepingModule {}
