import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboundModule } from '../../foundation/outbound/outbound.module.js';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { PolicyModule } from '../../org/policy/policy.module.js';
import { ActiveMailServer } from './active-mail-server.js';
import { MailServer } from './mail-server.entity.js';
import { MailServerPasswords } from './mail-server-passwords.js';
import { MailServers } from './mail-servers.js';

@Module({
  imports: [InstanceModule, OutboundModule, PolicyModule, TypeOrmModule.forFeature([MailServer])],
  providers: [ActiveMailServer, MailServerPasswords, MailServers],
  exports: [ActiveMailServer, MailServerPasswords, MailServers],
})
export class MailServerModule {}
