import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { OrgModule } from '../../org/org.module.js';
import { PolicyModule } from '../../org/policy/policy.module.js';
import { ClientModule } from '../../project/client/client.module.js';
import { SessionModule } from '../session.module.js';
import { AuthRequestRow } from './auth-request.entity.js';
import { AuthRequestRepository } from './auth-request.repository.js';
import { AuthRequestService } from './auth-request.service.js';
import { Handover } from './handover.js';
import { ParkedRequest } from './parked-request.entity.js';
import { ProtocolAnswers } from './protocol-answers.js';
import { RequestDemands } from './request-demands.js';
import { RequestSeal } from './request-seal.js';
import { SignInDecision } from './sign-in-decision.js';
import { SignInPlaces } from './sign-in-places.js';
import { SignedInUsers } from './signed-in.js';

@Module({
  imports: [
    ClientModule,
    InstanceModule,
    OrgModule,
    PolicyModule,
    SessionModule,
    TypeOrmModule.forFeature([AuthRequestRow, ParkedRequest]),
  ],
  providers: [
    AuthRequestRepository,
    AuthRequestService,
    Handover,
    ProtocolAnswers,
    RequestDemands,
    RequestSeal,
    SignedInUsers,
    SignInDecision,
    SignInPlaces,
  ],
  exports: [AuthRequestService, Handover, ProtocolAnswers, RequestDemands, SignInDecision, SignInPlaces],
})
export class AuthRequestModule {}
