import { Module, type DynamicModule } from '@nestjs/common';
import { AttemptModule } from './attempt/attempt.module.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { CryptoModule } from './crypto/crypto.module.js';
import type { ConnectionSettings } from './database/connection-settings.js';
import { DatabaseModule } from './database/database.module.js';
import { EventModule } from './event/event.module.js';
import { LogModule } from './log/log.module.js';
import { OidcModule } from './oidc/oidc.module.js';
import { PageModule } from './page/page.module.js';
import { SetupModule } from './setup/setup.module.js';
import { TimeModule } from './time/time.module.js';

/** The table of contents. A team that extends the service adds its module to this list. */
@Module({})
export class AppModule {
  static of(config: Config, connection: ConnectionSettings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config), LogModule, TimeModule, CryptoModule, DatabaseModule.of(connection), EventModule,
        AttemptModule, PageModule,
        SetupModule,
        OidcModule,
      ],
    };
  }
}
