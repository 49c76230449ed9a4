import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserModule } from '../user/user.module.js';
import { Managers } from './managers.js';
import { Member } from './member.entity.js';
import { MembershipDirectory } from './membership-directory.js';
import { Memberships } from './memberships.js';

@Module({
  imports: [UserModule, TypeOrmModule.forFeature([Member])],
  providers: [Managers, MembershipDirectory, Memberships],
  exports: [Managers, MembershipDirectory, Memberships],
})
export class PermissionModule {}
