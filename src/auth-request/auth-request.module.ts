import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClientModule } from '../client/client.module.js';
import { InstanceModule } from '../instance/instance.module.js';
import { SessionModule } from '../session/session.module.js';
import { AuthRequestRow } from './auth-request.entity.js';
import { AuthRequestRepository } from './auth-request.repository.js';
import { AuthRequestService } from './auth-request.service.js';

@Module({
  imports: [ClientModule, InstanceModule, SessionModule, TypeOrmModule.forFeature([AuthRequestRow])],
  providers: [AuthRequestRepository, AuthRequestService],
  exports: [AuthRequestService],
})
export class AuthRequestModule {}
