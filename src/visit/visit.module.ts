import { Module } from '@nestjs/common';
import { PolicyModule } from '../org/policy/policy.module.js';
import { AuthRequestModule } from '../session/auth-request/auth-request.module.js';
import { SessionModule } from '../session/session.module.js';
import { ChosenSession } from './chosen-session.js';
import { SignedInVisits } from './signed-in-visits.js';
import { VisitProof } from './visit-proof.js';

/** EDGE: users who are signed in, on pages of this service. */
@Module({
  imports: [AuthRequestModule, PolicyModule, SessionModule],
  providers: [ChosenSession, SignedInVisits, VisitProof],
  exports: [SignedInVisits, VisitProof],
})
export class VisitModule {}
