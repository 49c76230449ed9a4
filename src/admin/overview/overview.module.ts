import { Module } from '@nestjs/common';
import { DayCountModule } from '../../foundation/day-count/day-count.module.js';
import { IdpModule } from '../../idp/idp.module.js';
import { OverviewFactsModule } from '../../management/overview/overview-facts.module.js';
import { WhyModule } from '../../management/why/why.module.js';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { OrgModule } from '../../org/org.module.js';
import { PolicyModule } from '../../org/policy/policy.module.js';
import { SessionModule } from '../../session/session.module.js';
import { KeyModule } from '../../token/key/key.module.js';
import { PermissionModule } from '../../user/permission/permission.module.js';
import { UserModule } from '../../user/user.module.js';
import { VisitModule } from '../../visit/visit.module.js';
import { AdminModule } from '../admin.module.js';
import { Acts } from './acts.js';
import { ApplicationsPage } from './applications.page.js';
import { HomePage } from './home.page.js';
import { OrgsPage } from './orgs.page.js';
import { OverviewController } from './overview.controller.js';
import { OverviewActController } from './overview-act.controller.js';
import { OverviewSender } from './overview-sender.js';
import { OverviewVisits } from './overview-visits.js';
import { PeoplePage } from './people.page.js';
import { PersonPage } from './person.page.js';
import { PoliciesPage } from './policies.page.js';
import { ServicePage } from './service.page.js';

/** EDGE: the pages for managers. Apart from the API, whose document describes every controller of its module. */
@Module({
  imports: [
    AdminModule,
    DayCountModule,
    IdpModule,
    InstanceModule,
    KeyModule,
    OrgModule,
    OverviewFactsModule,
    PermissionModule,
    PolicyModule,
    SessionModule,
    UserModule,
    VisitModule,
    WhyModule,
  ],
  controllers: [OverviewController, OverviewActController],
  providers: [
    Acts,
    ApplicationsPage,
    HomePage,
    OrgsPage,
    OverviewSender,
    OverviewVisits,
    PeoplePage,
    PersonPage,
    PoliciesPage,
    ServicePage,
  ],
})
export class OverviewModule {}
