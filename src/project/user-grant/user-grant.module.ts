import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupModule } from '../../user/group/group.module.js';
import { UserModule } from '../../user/user.module.js';
import { Project } from '../project.entity.js';
import { ProjectModule } from '../project.module.js';
import { ProjectGrant } from '../project-grant.entity.js';
import { UserGrant } from './user-grant.entity.js';
import { UserGrantService } from './user-grant.service.js';
import { UserGrantDirectory } from './user-grant-directory.js';

@Module({
  imports: [GroupModule, ProjectModule, UserModule, TypeOrmModule.forFeature([Project, ProjectGrant, UserGrant])],
  providers: [UserGrantDirectory, UserGrantService],
  exports: [UserGrantDirectory, UserGrantService],
})
export class UserGrantModule {}
