import { Module } from '@nestjs/common';
import { ProjectManagementModule } from '../../management/project/project-management.module.js';
import { OrgModule } from '../../org/org.module.js';
import { ClientModule } from '../../project/client/client.module.js';
import { ProjectModule } from '../../project/project.module.js';
import { TokenModule } from '../../token/token.module.js';
import { AdminModule } from '../admin.module.js';
import { ApplicationV2Controller } from './application/application-v2.controller.js';
import { Reach } from './kit/reach.js';
import { ProjectGrantV2Controller } from './project/project-grant-v2.controller.js';
import { ProjectRoleV2Controller } from './project/project-role-v2.controller.js';
import { ProjectV2Controller } from './project/project-v2.controller.js';

/** EDGE: the second generation of the administrative API. */
@Module({
  imports: [AdminModule, ClientModule, OrgModule, ProjectManagementModule, ProjectModule, TokenModule],
  controllers: [ProjectV2Controller, ProjectRoleV2Controller, ProjectGrantV2Controller, ApplicationV2Controller],
  providers: [Reach],
})
export class SecondGenerationModule {}
