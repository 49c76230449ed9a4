import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../org/org.module.js';
import { Project } from './project.entity.js';
import { ProjectService } from './project.service.js';
import { ProjectDirectory } from './project-directory.js';
import { ProjectGrant } from './project-grant.entity.js';
import { ProjectGrantService } from './project-grant.service.js';
import { ProjectGrantDirectory } from './project-grant-directory.js';
import { ProjectResource } from './project-resource.entity.js';
import { ProjectRole } from './project-role.entity.js';
import { ProjectRoleService } from './project-role.service.js';
import { ResourceDirectory } from './resource-directory.js';

const services = [
  ProjectDirectory,
  ProjectGrantDirectory,
  ProjectGrantService,
  ProjectRoleService,
  ProjectService,
  ResourceDirectory,
];

@Module({
  imports: [OrgModule, TypeOrmModule.forFeature([Project, ProjectGrant, ProjectResource, ProjectRole])],
  providers: services,
  exports: services,
})
export class ProjectModule {}
