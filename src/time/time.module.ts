import { Module, type DynamicModule } from '@nestjs/common';
import { Clock } from './clock.js';

@Module({})
export class TimeModule {
  static of(clock: Clock): DynamicModule {
    return { module: TimeModule, global: true, providers: [{ provide: Clock, useValue: clock }], exports: [Clock] };
  }
}
