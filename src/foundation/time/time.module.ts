import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from './clock.js';
import { Timeouts } from './timeouts.js';

@Module({})
export class TimeModule {
  static of(clock: Clock, timeouts: Timeouts): DynamicModule {
    return {
      module: TimeModule,
      global: true,
      providers: [
        { provide: Clock, useValue: clock },
        { provide: Timeouts, useValue: timeouts },
      ],
      exports: [Clock, Timeouts],
    };
  }
}
