import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboundModule } from '../foundation/outbound/outbound.module.js';
import { ProjectModule } from '../project/project.module.js';
import { ClientRow } from './client.entity.js';
import { ClientRepository } from './client.repository.js';
import { ClientService } from './client.service.js';
import { ClientDirectory } from './client-directory.js';
import { ClientKey } from './client-key.entity.js';
import { ClientKeys } from './client-keys.js';

@Module({
  imports: [OutboundModule, ProjectModule, TypeOrmModule.forFeature([ClientRow, ClientKey])],
  providers: [ClientDirectory, ClientKeys, ClientRepository, ClientService],
  exports: [ClientDirectory, ClientKeys, ClientService],
})
export class ClientModule {}
