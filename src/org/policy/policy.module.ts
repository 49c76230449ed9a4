import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '../instance/instance.module.js';
import { OrgModule } from '../org.module.js';
import { LabelService } from './label.service.js';
import { LabelImage } from './label-image.entity.js';
import { LoginFactorService } from './login-factor.service.js';
import { PolicyRepository } from './policy.repository.js';
import { PolicyService } from './policy.service.js';
import { ALL_KINDS, KINDS } from './policy-kind.js';

@Module({
  imports: [
    InstanceModule,
    OrgModule,
    TypeOrmModule.forFeature([LabelImage, ...ALL_KINDS.map((kind) => KINDS[kind].entity)]),
  ],
  providers: [PolicyRepository.provider, PolicyService, LabelService, LoginFactorService],
  exports: [PolicyService, LabelService, LoginFactorService],
})
export class PolicyModule {}
