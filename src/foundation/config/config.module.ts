import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import {
  AdminConfig,
  type Config,
  DatabaseConfig,
  DemoConfig,
  FirstStartConfig,
  HttpConfig,
  IssuerConfig,
  LogConfig,
  LoginConfig,
  MailConfig,
  ObjectStoreConfig,
  OutboundConfig,
  PasskeyConfig,
  PasswordConfig,
  SecretsConfig,
  SelfDescribedConfig,
  TelemetryConfig,
  TokenConfig,
} from './config.js';

@Module({})
export class ConfigModule {
  /** Offers each part of the configuration under its class. */
  static of(config: Config): DynamicModule {
    const providers: Provider[] = [
      { provide: HttpConfig, useValue: config.http },
      { provide: IssuerConfig, useValue: config.issuer },
      { provide: DatabaseConfig, useValue: config.database },
      { provide: SecretsConfig, useValue: config.secrets },
      { provide: FirstStartConfig, useValue: config.firstStart },
      { provide: SelfDescribedConfig, useValue: config.selfDescribed },
      { provide: TokenConfig, useValue: config.token },
      { provide: LoginConfig, useValue: config.login },
      { provide: PasswordConfig, useValue: config.password },
      { provide: PasskeyConfig, useValue: config.passkey },
      { provide: AdminConfig, useValue: config.admin },
      { provide: MailConfig, useValue: config.mail },
      { provide: DemoConfig, useValue: config.demo },
      { provide: LogConfig, useValue: config.log },
      { provide: TelemetryConfig, useValue: config.telemetry },
      { provide: OutboundConfig, useValue: config.outbound },
      { provide: ObjectStoreConfig, useValue: config.objectStore },
    ];
    return { module: ConfigModule, global: true, providers, exports: providers };
  }
}
