import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdpModule } from '../../idp/idp.module.js';
import { MailServerModule } from '../../mail/server/mail-server.module.js';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { OrgModule } from '../../org/org.module.js';
import { PolicyModule } from '../../org/policy/policy.module.js';
import { ClientModule } from '../../project/client/client.module.js';
import { ProjectModule } from '../../project/project.module.js';
import { SessionModule } from '../../session/session.module.js';
import { KeyModule } from '../../token/key/key.module.js';
import { TokenModule } from '../../token/token.module.js';
import { FactorModule } from '../../user/factor/factor.module.js';
import { PermissionModule } from '../../user/permission/permission.module.js';
import { UserModule } from '../../user/user.module.js';
import { WebhookModule } from '../../webhook/webhook.module.js';
import { ExtensionRegister } from './extension-register.js';
import { ExtensionRemainsService } from './extension-remains.service.js';
import { FirstAccounts } from './first-accounts.js';
import { FirstClients } from './first-clients.js';
import { FirstStartService } from './first-start.service.js';
import { LoadedExtension } from './loaded-extension.entity.js';
import { MasterKeyCheck } from './master-key-check.js';
import { RecoveryService } from './recovery.service.js';

@Module({
  imports: [
    ClientModule,
    FactorModule,
    IdpModule,
    InstanceModule,
    KeyModule,
    MailServerModule,
    OrgModule,
    PermissionModule,
    PolicyModule,
    ProjectModule,
    SessionModule,
    TokenModule,
    UserModule,
    WebhookModule,
    TypeOrmModule.forFeature([LoadedExtension]),
  ],
  providers: [
    ExtensionRegister,
    ExtensionRemainsService,
    FirstAccounts,
    FirstClients,
    FirstStartService,
    MasterKeyCheck,
    RecoveryService,
  ],
  exports: [ExtensionRegister, ExtensionRemainsService, FirstStartService, MasterKeyCheck, RecoveryService],
})
export class SetupModule {}
