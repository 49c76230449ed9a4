import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AttemptModule } from '../../foundation/attempt/attempt.module.js';
import type { Config } from '../../foundation/config/config.js';
import { ConfigModule } from '../../foundation/config/config.module.js';
import { CryptoModule } from '../../foundation/crypto/crypto.module.js';
import type { ConnectionSettings } from '../../foundation/database/connection-settings.js';
import type { Access } from '../../foundation/database/data-source.js';
import { DatabaseModule } from '../../foundation/database/database.module.js';
import { EventModule } from '../../foundation/event/event.module.js';
import { ExtensionsModule } from '../../foundation/extension/extensions.module.js';
import { LogModule } from '../../foundation/log/log.module.js';
import { TalliesModule } from '../../foundation/metrics/tallies.js';
import { PasswordModule } from '../../foundation/password/password.module.js';
import { Clock } from '../../foundation/time/clock.js';
import { TimeModule } from '../../foundation/time/time.module.js';
import { Timeouts } from '../../foundation/time/timeouts.js';
import { TraceModule } from '../../foundation/trace/tracer.js';
import { KindSettings } from '../../idp/kind-settings.js';
import { SetupModule } from '../../process/setup/setup.module.js';
import { SCHEMA } from '../../schema/index.js';
import { OutboxModule } from '../../user/outbox/outbox.module.js';

/** These commands load no extension, so that nobody asks for the settings of a kind. */
@Global()
@Module({ providers: [{ provide: KindSettings, useValue: {} }], exports: [KindSettings] })
class NoKindsModule {}

/** The services of commands that work on the database itself: no edge, and nothing that runs in the background. */
@Module({})
export class RecoveryModule {
  static of(config: Config, connection: ConnectionSettings, access: Access): DynamicModule {
    return {
      module: RecoveryModule,
      imports: [
        ConfigModule.of(config),
        LogModule.of({ write: (line) => void process.stderr.write(line) }),
        TimeModule.of(new Clock(), new Timeouts()),
        CryptoModule.of(),
        PasswordModule.of(),
        DatabaseModule.of(connection, SCHEMA, access),
        EventModule,
        AttemptModule,
        TalliesModule,
        TraceModule,
        ExtensionsModule.of(),
        NoKindsModule,
        OutboxModule,
        SetupModule,
      ],
    };
  }
}
