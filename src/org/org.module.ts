import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from './instance/instance.module.js';
import { Org } from './org.entity.js';
import { OrgService } from './org.service.js';
import { OrgDirectory } from './org-directory.js';
import { OrgDomain } from './org-domain.entity.js';
import { OrgDomainService } from './org-domain.service.js';
import { OrgMetadata } from './org-metadata.entity.js';
import { OrgMetadataService } from './org-metadata.service.js';

@Module({
  imports: [InstanceModule, TypeOrmModule.forFeature([Org, OrgDomain, OrgMetadata])],
  providers: [OrgDirectory, OrgDomainService, OrgMetadataService, OrgService],
  exports: [OrgDirectory, OrgDomainService, OrgMetadataService, OrgService],
})
export class OrgModule {}
