import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { ClientModule } from '../../project/client/client.module.js';
import { Project } from '../../project/project.entity.js';
import { ProjectModule } from '../../project/project.module.js';
import { ProjectGrant } from '../../project/project-grant.entity.js';
import { UserGrantModule } from '../../project/user-grant/user-grant.module.js';
import { TokenModule } from '../../token/token.module.js';
import { GroupModule } from '../../user/group/group.module.js';
import { PermissionModule } from '../../user/permission/permission.module.js';
import { User } from '../../user/user.entity.js';
import { ApplicationPreviews } from './application-previews.js';
import { Applications } from './applications.js';
import { OrgProjects } from './org-projects.js';
import { ProjectGrants } from './project-grants.js';
import { ProjectResources } from './project-resources.js';
import { ProjectRoles } from './project-roles.js';
import { Projects } from './projects.js';
import { Registrations } from './registrations.js';
import { UserGrants } from './user-grants.js';

const services = [
  ApplicationPreviews,
  Applications,
  ProjectGrants,
  ProjectResources,
  ProjectRoles,
  Projects,
  Registrations,
  UserGrants,
];

/** USE CASE: managing an organization's projects, their applications, and the roles of users. */
@Module({
  imports: [
    ClientModule,
    GroupModule,
    InstanceModule,
    PermissionModule,
    ProjectModule,
    TokenModule,
    UserGrantModule,
    TypeOrmModule.forFeature([Project, ProjectGrant, User]),
  ],
  providers: [OrgProjects, ...services],
  exports: services,
})
export class ProjectManagementModule {}
