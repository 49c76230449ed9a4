import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupMember, UserGroup } from './group.entity.js';
import { GroupService } from './group.service.js';
import { GroupDirectory } from './group-directory.js';

@Module({
  imports: [TypeOrmModule.forFeature([GroupMember, UserGroup])],
  providers: [GroupDirectory, GroupService],
  exports: [GroupDirectory, GroupService],
})
export class GroupModule {}
