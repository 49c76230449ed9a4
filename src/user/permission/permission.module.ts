import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LoadedExtensions } from '../../foundation/extension/extensions.module.js';
import { User } from '../user.entity.js';
import { UserModule } from '../user.module.js';
import { ManagerList } from './manager-list.js';
import { Managers } from './managers.js';
import { Member } from './member.entity.js';
import { MembershipDirectory } from './membership-directory.js';
import { Memberships } from './memberships.js';
import { RoleBook } from './role-book.js';

@Module({
  imports: [UserModule, TypeOrmModule.forFeature([Member, User])],
  providers: [
    ManagerList,
    Managers,
    MembershipDirectory,
    Memberships,
    {
      provide: RoleBook,
      inject: [LoadedExtensions],
      useFactory: ({ extensions }: LoadedExtensions) => new RoleBook(extensions),
    },
  ],
  exports: [ManagerList, Managers, MembershipDirectory, Memberships, RoleBook],
})
export class PermissionModule {}
