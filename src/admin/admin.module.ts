import { Module } from '@nestjs/common';
import { PermissionModule } from '../permission/permission.module.js';
import { TextModule } from '../text/text.module.js';
import { TokenModule } from '../token/token.module.js';
import { OrgModule } from '../org/org.module.js';
import { Authenticator } from './guard/authenticator.js';
import { HealthController } from './health.controller.js';
import { AdminErrorFilter } from './status/admin-error.filter.js';
import { TextController } from './text/text.controller.js';

/** EDGE: the administrative API. */
@Module({
  imports: [OrgModule, PermissionModule, TextModule, TokenModule],
  controllers: [HealthController, TextController],
  providers: [AdminErrorFilter, Authenticator],
  exports: [AdminErrorFilter],
})
export class AdminModule {}
