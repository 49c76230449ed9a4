import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboundModule } from '../foundation/outbound/outbound.module.js';
import { IdpModule } from '../idp/idp.module.js';
import { InstanceModule } from '../org/instance/instance.module.js';
import { ClientModule } from '../project/client/client.module.js';
import { FactorModule } from '../user/factor/factor.module.js';
import { PermissionModule } from '../user/permission/permission.module.js';
import { UserModule } from '../user/user.module.js';
import { Action } from './action.entity.js';
import { ExportService } from './export.service.js';
import { ImportService } from './import.service.js';
import { ImportWriter } from './import-writer.js';
import { InitMails } from './init-mails.js';
import { MigrationJob } from './job/migration-job.entity.js';
import { MigrationJobs } from './job/migration-jobs.js';
import { MigrationSeals } from './migration-seals.js';
import { MovedTables } from './moved/moved-tables.js';
import { BulkConnections } from './part/bulk-connection.js';
import { ObjectStores } from './storage/object-stores.js';
import { TriggerAction } from './trigger-action.entity.js';

/** USE CASE: export and import of whole organizations. */
@Module({
  imports: [
    ClientModule,
    FactorModule,
    IdpModule,
    InstanceModule,
    OutboundModule,
    PermissionModule,
    UserModule,
    TypeOrmModule.forFeature([Action, MigrationJob, TriggerAction]),
  ],
  providers: [
    BulkConnections,
    ExportService,
    ImportService,
    ImportWriter,
    InitMails,
    MigrationJobs,
    MigrationSeals,
    MovedTables,
    ObjectStores,
  ],
  exports: [ExportService, ImportService, MigrationJobs],
})
export class MigrationModule {}
