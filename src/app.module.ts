import { type DynamicModule, Module } from '@nestjs/common';
import { AdminModule } from './admin/admin.module.js';
import { GrpcModule } from './admin/grpc/grpc.module.js';
import { AttemptModule } from './attempt/attempt.module.js';
import { BrandingModule } from './branding/branding.module.js';
import { Branding } from './branding/branding.service.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { CryptoModule } from './crypto/crypto.module.js';
import { KeyPairs } from './crypto/key-pairs.js';
import type { ConnectionSettings } from './database/connection-settings.js';
import { DatabaseModule } from './database/database.module.js';
import { DemoModule } from './demo/demo.module.js';
import { DocsModule } from './docs/docs.module.js';
import { EventModule } from './event/event.module.js';
import { HealthModule } from './health/health.module.js';
import { HousekeepingModule } from './housekeeping/housekeeping.module.js';
import { HttpModule } from './http/http.module.js';
import { InstanceModule } from './instance/instance.module.js';
import { LogModule } from './log/log.module.js';
import type { LogDestination } from './log/logger.js';
import { LoginModule } from './login/login.module.js';
import { MailModule } from './mail/mail.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { OidcModule } from './oidc/oidc.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { PageModule } from './page/page.module.js';
import { SetupModule } from './setup/setup.module.js';
import { Clock } from './time/clock.js';
import { Patience } from './time/patience.js';
import { TimeModule } from './time/time.module.js';
import { UnansweredFilter } from './unanswered.filter.js';
import { UserGrantModule } from './user-grant/user-grant.module.js';

/** What the service takes from the machine that it runs on; tests bring their own. */
export interface Machine {
  readonly clock?: Clock;
  readonly patience?: Patience;
  readonly keyPairs?: KeyPairs;
  /** Where log lines go; the standard output by default. */
  readonly logTo?: LogDestination;
}

/** The table of contents. A team that extends the service adds its module to this list. */
@Module({})
export class AppModule {
  static of(config: Config, connection: ConnectionSettings, machine: Machine): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config),
        LogModule.of(machine.logTo),
        TimeModule.of(machine.clock ?? new Clock(), machine.patience ?? new Patience()),
        CryptoModule.of(machine.keyPairs ?? new KeyPairs()),
        DatabaseModule.of(connection),
        EventModule,
        AttemptModule,
        OutboxModule,
        HttpModule,
        PageModule.of(BrandingModule, Branding),
        HealthModule,
        MetricsModule,
        InstanceModule,
        UserGrantModule,
        SetupModule,
        HousekeepingModule,
        MailModule,
        DemoModule,
        OidcModule,
        LoginModule,
        AdminModule,
        GrpcModule,
        DocsModule,
      ],
      providers: [UnansweredFilter],
    };
  }
}
