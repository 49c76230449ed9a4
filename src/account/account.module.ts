import { Module } from '@nestjs/common';
import { AttemptModule } from '../foundation/attempt/attempt.module.js';
import { IdpModule } from '../idp/idp.module.js';
import { UserManagementModule } from '../management/user/user-management.module.js';
import { InstanceModule } from '../org/instance/instance.module.js';
import { PolicyModule } from '../org/policy/policy.module.js';
import { ClientModule } from '../project/client/client.module.js';
import { AuthRequestModule } from '../session/auth-request/auth-request.module.js';
import { ProofModule } from '../session/proof/proof.module.js';
import { SessionModule } from '../session/session.module.js';
import { TokenModule } from '../token/token.module.js';
import { FactorModule } from '../user/factor/factor.module.js';
import { UserModule } from '../user/user.module.js';
import { VisitModule } from '../visit/visit.module.js';
import { AccountOverview } from './account-overview.js';
import { AccountPageController } from './account-page.controller.js';
import { ACCOUNT_SECTIONS, type AccountSection } from './account-section.js';
import { Drafts } from './draft.js';
import { ActivitySection } from './section/activity.section.js';
import { ApplicationsSection } from './section/applications.section.js';
import { ContactSection } from './section/contact.section.js';
import { DataSection } from './section/data.section.js';
import { DeletionSection } from './section/deletion.section.js';
import { DevicesSection } from './section/devices.section.js';
import { KeysSection } from './section/keys.section.js';
import { LinksSection } from './section/links.section.js';
import { PasswordSection } from './section/password.section.js';
import { ProfileSection } from './section/profile.section.js';
import { SecondStepsSection } from './section/second-steps.section.js';

/** The sections in the order of the pages. A further one is a file in `section/` and a line here. */
const sections = [
  ProfileSection,
  ContactSection,
  PasswordSection,
  KeysSection,
  SecondStepsSection,
  LinksSection,
  DevicesSection,
  ApplicationsSection,
  ActivitySection,
  DataSection,
  DeletionSection,
];

/** EDGE: the pages on which people manage their own account. */
@Module({
  imports: [
    AttemptModule,
    AuthRequestModule,
    ClientModule,
    FactorModule,
    IdpModule,
    InstanceModule,
    PolicyModule,
    ProofModule,
    SessionModule,
    TokenModule,
    UserManagementModule,
    UserModule,
    VisitModule,
  ],
  controllers: [AccountPageController],
  providers: [
    AccountOverview,
    Drafts,
    ...sections,
    { provide: ACCOUNT_SECTIONS, useFactory: (...all: AccountSection[]) => all, inject: sections },
  ],
})
export class AccountModule {}
