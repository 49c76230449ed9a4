import { Module } from '@nestjs/common';
import { InstanceModule } from '../org/instance/instance.module.js';
import { ClientModule } from '../project/client/client.module.js';
import { TokenModule } from '../token/token.module.js';
import { PermissionModule } from '../user/permission/permission.module.js';
import { ApiDocument } from './api-document.js';
import { DocsController } from './docs.controller.js';
import { StandingIds } from './standing-ids.js';

@Module({
  imports: [ClientModule, InstanceModule, PermissionModule, TokenModule],
  controllers: [DocsController],
  providers: [ApiDocument, StandingIds],
  exports: [ApiDocument],
})
export class DocsModule {}
