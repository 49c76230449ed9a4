import { type DynamicModule, Module } from '@nestjs/common';
import { LogConfig } from '../config/config.js';
import { type LogDestination, Logger } from './logger.js';

@Module({})
export class LogModule {
  /** Without a destination the lines go to the standard output. */
  static of(destination: LogDestination | undefined): DynamicModule {
    const logger = {
      provide: Logger,
      inject: [LogConfig],
      useFactory: (config: LogConfig) => new Logger(config, destination),
    };
    return { module: LogModule, global: true, providers: [logger], exports: [Logger] };
  }
}
