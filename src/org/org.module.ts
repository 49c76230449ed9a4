import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '../instance/instance.module.js';
import { OrgDomain } from './org-domain.entity.js';
import { Org } from './org.entity.js';
import { OrgService } from './org.service.js';

@Module({
  imports: [InstanceModule, TypeOrmModule.forFeature([Org, OrgDomain])],
  providers: [OrgService],
  exports: [OrgService],
})
export class OrgModule {}
