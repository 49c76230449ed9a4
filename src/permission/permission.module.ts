import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserModule } from '../user/user.module.js';
import { Member } from './member.entity.js';
import { Memberships } from './membership.service.js';

@Module({ imports: [UserModule, TypeOrmModule.forFeature([Member])], providers: [Memberships], exports: [Memberships] })
export class PermissionModule {}
