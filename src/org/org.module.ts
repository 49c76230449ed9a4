import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from './instance/instance.module.js';
import { Org } from './org.entity.js';
import { OrgService } from './org.service.js';
import { OrgDirectory } from './org-directory.js';
import { OrgDomain } from './org-domain.entity.js';
import { OrgDomainService } from './org-domain.service.js';

@Module({
  imports: [InstanceModule, TypeOrmModule.forFeature([Org, OrgDomain])],
  providers: [OrgDirectory, OrgDomainService, OrgService],
  exports: [OrgDirectory, OrgDomainService, OrgService],
})
export class OrgModule {}
