import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FactorModule } from '../factor/factor.module.js';
import { InstanceModule } from '../instance/instance.module.js';
import { Action } from './action.entity.js';
import { ExportService } from './export.service.js';
import { ImportService } from './import.service.js';
import { MigrationSeals } from './seals.service.js';
import { TriggerAction } from './trigger-action.entity.js';

/** USE CASE: an organization moves house. */
@Module({
  imports: [FactorModule, InstanceModule, TypeOrmModule.forFeature([Action, TriggerAction])],
  providers: [ExportService, ImportService, MigrationSeals],
  exports: [ExportService, ImportService],
})
export class MigrationModule {}
