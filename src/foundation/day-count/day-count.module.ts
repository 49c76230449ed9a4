import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DayCount } from './day-count.entity.js';
import { DayCounts } from './day-counts.js';

@Module({ imports: [TypeOrmModule.forFeature([DayCount])], providers: [DayCounts], exports: [DayCounts] })
export class DayCountModule {}
