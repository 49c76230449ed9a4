import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DayCount } from './day-count.entity.js';
import { DayCounts } from './day-counts.js';

/** Needed where something is counted: at sign-ins, and where tokens are issued. */
@Global()
@Module({ imports: [TypeOrmModule.forFeature([DayCount])], providers: [DayCounts], exports: [DayCounts] })
export class DayCountModule {}
