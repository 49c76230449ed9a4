import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectModule } from '../project/project.module.js';
import { ClientRow } from './client.entity.js';
import { ClientRepository } from './client.repository.js';
import { ClientService } from './client.service.js';
import { ClientDirectory } from './client-directory.js';
import { ClientKey } from './client-key.entity.js';

@Module({
  imports: [ProjectModule, TypeOrmModule.forFeature([ClientRow, ClientKey])],
  providers: [ClientDirectory, ClientRepository, ClientService],
  exports: [ClientDirectory, ClientService],
})
export class ClientModule {}
