import { Module } from '@nestjs/common';
import { AttemptModule } from '../../foundation/attempt/attempt.module.js';
import { IdpModule } from '../../idp/idp.module.js';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { OrgModule } from '../../org/org.module.js';
import { PolicyModule } from '../../org/policy/policy.module.js';
import { ClientModule } from '../../project/client/client.module.js';
import { ProjectModule } from '../../project/project.module.js';
import { UserGrantModule } from '../../project/user-grant/user-grant.module.js';
import { AuthRequestModule } from '../../session/auth-request/auth-request.module.js';
import { ProofModule } from '../../session/proof/proof.module.js';
import { SessionModule } from '../../session/session.module.js';
import { TokenModule } from '../../token/token.module.js';
import { FactorModule } from '../../user/factor/factor.module.js';
import { UserModule } from '../../user/user.module.js';
import { ProjectManagementModule } from '../project/project-management.module.js';
import { AccountLinks } from './account-links.js';
import { ApplicationLinks } from './application-links.js';
import { AttemptLinks } from './attempt-links.js';
import { ClaimLinks } from './claim-links.js';
import { EndLinks } from './end-links.js';
import { HeldKinds } from './held-kinds.js';
import { RoleLinks } from './role-links.js';
import { RuleSources } from './rules.js';
import { SignInExplanations } from './sign-in-explanations.js';
import { StepLinks } from './step-links.js';
import { TokenExplanations } from './token-explanations.js';
import { WayLinks } from './way-links.js';

/** USE CASE: why somebody can or cannot sign in. Reads, and changes nothing. */
@Module({
  imports: [
    AttemptModule,
    AuthRequestModule,
    ClientModule,
    FactorModule,
    IdpModule,
    InstanceModule,
    OrgModule,
    PolicyModule,
    ProjectManagementModule,
    ProjectModule,
    ProofModule,
    SessionModule,
    TokenModule,
    UserGrantModule,
    UserModule,
  ],
  providers: [
    AccountLinks,
    ApplicationLinks,
    AttemptLinks,
    EndLinks,
    HeldKinds,
    RuleSources,
    SignInExplanations,
    ClaimLinks,
    RoleLinks,
    StepLinks,
    TokenExplanations,
    WayLinks,
  ],
  exports: [SignInExplanations, TokenExplanations],
})
export class WhyModule {}
