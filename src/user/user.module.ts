import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../org/org.module.js';
import { MachineKey } from './machine-key.entity.js';
import { ServiceUserService } from './service-user.service.js';
import { UserMetadata } from './user-metadata.entity.js';
import { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import { UserService } from './user.service.js';

@Module({
  imports: [OrgModule, TypeOrmModule.forFeature([User, MachineKey, UserMetadata])],
  providers: [UserRepository, UserService, ServiceUserService],
  exports: [UserService, ServiceUserService],
})
export class UserModule {}
