import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectGrant } from './project-grant.entity.js';
import { ProjectRole } from './project-role.entity.js';
import { Project } from './project.entity.js';
import { ProjectService } from './project.service.js';

@Module({ imports: [TypeOrmModule.forFeature([Project, ProjectGrant, ProjectRole])], providers: [ProjectService], exports: [ProjectService] })
export class ProjectModule {}
