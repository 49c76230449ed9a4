import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboundModule } from '../../foundation/outbound/outbound.module.js';
import { IdpModule } from '../../idp/idp.module.js';
import { InstanceModule } from '../../org/instance/instance.module.js';
import { OrgModule } from '../../org/org.module.js';
import { PolicyModule } from '../../org/policy/policy.module.js';
import { Project } from '../../project/project.entity.js';
import { SessionModule } from '../../session/session.module.js';
import { TextModule } from '../../text/text.module.js';
import { PermissionModule } from '../../user/permission/permission.module.js';
import { User } from '../../user/user.entity.js';
import { UserModule } from '../../user/user.module.js';
import { WebhookModule } from '../../webhook/webhook.module.js';
import { UserManagementModule } from '../user/user-management.module.js';
import { AffectedPeople } from './affected-people.js';
import { DomainPolicies } from './domain-policies.js';
import { DomainProof } from './domain-proof.js';
import { ManagedPolicies } from './managed-policies.js';
import { OrgDomains } from './org-domains.js';
import { OrgLists } from './org-lists.js';
import { OrgRemoval } from './org-removal.js';
import { OrgSetup } from './org-setup.js';

/** USE CASE: the life cycle of an organization, from creation to removal. */
@Module({
  imports: [
    IdpModule,
    InstanceModule,
    OrgModule,
    OutboundModule,
    PermissionModule,
    PolicyModule,
    SessionModule,
    TextModule,
    UserManagementModule,
    UserModule,
    WebhookModule,
    TypeOrmModule.forFeature([Project, User]),
  ],
  providers: [AffectedPeople, DomainPolicies, DomainProof, ManagedPolicies, OrgDomains, OrgLists, OrgRemoval, OrgSetup],
  exports: [AffectedPeople, DomainPolicies, ManagedPolicies, OrgDomains, OrgLists, OrgRemoval, OrgSetup],
})
export class TenancyModule {}
