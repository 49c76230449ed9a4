import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from './clock.js';
import { Patience } from './patience.js';

@Module({})
export class TimeModule {
  static of(clock: Clock, patience: Patience): DynamicModule {
    return {
      module: TimeModule,
      global: true,
      providers: [
        { provide: Clock, useValue: clock },
        { provide: Patience, useValue: patience },
      ],
      exports: [Clock, Patience],
    };
  }
}
