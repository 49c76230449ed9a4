import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectRole } from './project-role.entity.js';
import { Project } from './project.entity.js';
import { ProjectService } from './project.service.js';

@Module({ imports: [TypeOrmModule.forFeature([Project, ProjectRole])], providers: [ProjectService], exports: [ProjectService] })
export class ProjectModule {}
