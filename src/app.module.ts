import { type DynamicModule, Module } from '@nestjs/common';
import { AccountModule } from './account/account.module.js';
import { AdminModule } from './admin/admin.module.js';
import { GrpcModule } from './admin/kit/grpc/grpc.module.js';
import { OverviewModule } from './admin/overview/overview.module.js';
import { SecondGenerationModule } from './admin/v2/second-generation.module.js';
import { DocsModule } from './docs/docs.module.js';
import { AttemptModule } from './foundation/attempt/attempt.module.js';
import type { Config } from './foundation/config/config.js';
import { ConfigModule } from './foundation/config/config.module.js';
import { CryptoModule, type KeyCosts } from './foundation/crypto/crypto.module.js';
import type { ConnectionSettings } from './foundation/database/connection-settings.js';
import type { Access } from './foundation/database/data-source.js';
import { DatabaseModule } from './foundation/database/database.module.js';
import { EventModule } from './foundation/event/event.module.js';
import { type ExtensionsInUse, ExtensionsModule, extSchemas } from './foundation/extension/extensions.module.js';
import { HealthModule } from './foundation/health/health.module.js';
import { HttpModule } from './foundation/http/http.module.js';
import { LogModule } from './foundation/log/log.module.js';
import type { LogDestination } from './foundation/log/logger.js';
import { MetricsModule } from './foundation/metrics/metrics.module.js';
import { TalliesModule } from './foundation/metrics/tallies.js';
import { type HashCosts, PasswordModule } from './foundation/password/password.module.js';
import { TelemetryModule } from './foundation/telemetry/telemetry.module.js';
import { Clock } from './foundation/time/clock.js';
import { TimeModule } from './foundation/time/time.module.js';
import { Timeouts } from './foundation/time/timeouts.js';
import { TraceModule } from './foundation/trace/tracer.js';
import { LoginModule } from './login/login.module.js';
import { MailModule } from './mail/mail.module.js';
import { OidcModule } from './oidc/oidc.module.js';
import { InstanceModule } from './org/instance/instance.module.js';
import { Branding } from './page/branding/branding.js';
import { BrandingModule } from './page/branding/branding.module.js';
import { PageModule } from './page/page.module.js';
import { DemoModule } from './process/demo/demo.module.js';
import { HousekeepingModule } from './process/housekeeping/housekeeping.module.js';
import { SetupModule } from './process/setup/setup.module.js';
import { UnansweredFilter } from './process/unanswered.filter.js';
import { UserGrantModule } from './project/user-grant/user-grant.module.js';
import { SCHEMA } from './schema/index.js';
import { LogoutModule } from './token/logout/logout.module.js';
import { OutboxModule } from './user/outbox/outbox.module.js';

/** The resources of the machine that the service runs on; tests bring their own. */
export interface Machine extends KeyCosts, HashCosts {
  readonly clock?: Clock;
  readonly timeouts?: Timeouts;
  /** The destination of log lines; the standard output by default. */
  readonly logTo?: LogDestination;
}

/** The table of contents. Modules of extensions come in through `ExtensionsModule`. */
@Module({})
export class AppModule {
  static of(
    config: Config,
    connection: ConnectionSettings,
    machine: Machine,
    extensions?: ExtensionsInUse,
    access: Access = {},
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config),
        LogModule.of(machine.logTo),
        TimeModule.of(machine.clock ?? new Clock(), machine.timeouts ?? new Timeouts()),
        CryptoModule.of(machine),
        PasswordModule.of(machine),
        DatabaseModule.of(connection, SCHEMA, access, extSchemas(extensions)),
        EventModule,
        AttemptModule,
        OutboxModule,
        HttpModule,
        PageModule.of(BrandingModule, Branding),
        HealthModule,
        MetricsModule,
        TalliesModule,
        TraceModule,
        TelemetryModule,
        ExtensionsModule.of(extensions),
        InstanceModule,
        UserGrantModule,
        SetupModule,
        HousekeepingModule,
        MailModule,
        LogoutModule,
        DemoModule,
        OidcModule,
        OverviewModule,
        LoginModule,
        AccountModule,
        AdminModule,
        SecondGenerationModule,
        GrpcModule,
        DocsModule,
      ],
      providers: [UnansweredFilter],
    };
  }
}
