import { Controller, Delete, Post } from '@nestjs/common';
import { OrgLists } from '../../../management/org/org-lists.js';
import { OrgRemoval } from '../../../management/org/org-removal.js';
import { OrgSetup } from '../../../management/org/org-setup.js';
import { InstanceService } from '../../../org/instance/instance.service.js';
import {
  defaultOrgKept,
  domainInUse,
  domainTaken,
  orgIdTaken,
  orgNameTaken,
  orgNotFound,
  orgStateUnchanged,
  systemOrgKept,
} from '../../../org/org.errors.js';
import { OrgService } from '../../../org/org.service.js';
import { lastOwner, roleTooStrong, userTooStrong } from '../../../user/permission/permission.errors.js';
import { userIdTaken, userNameTaken, userNotFound } from '../../../user/user.errors.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { toRange } from '../../kit/wire/list.dto.js';
import { Message } from '../../kit/wire/message.js';
import { toDetailsV2, toListDetailsV2 } from '../kit/object.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import {
  AddOrganizationRequestV2,
  AddOrganizationResponseV2,
  ListOrganizationsRequestV2,
  ListOrganizationsResponseV2,
  OrganizationChangedV2,
  OrganizationDeletedV2,
  OrganizationIdRequestV2,
  UpdateOrganizationRequestV2,
} from './organization.dto.js';
import { toNewOrganization, toOrganization, toOrganizationConditions } from './organization.mapping.js';

@Tagged('Organizations v2')
@Controller('v2/organizations')
@InService('org')
export class OrganizationV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly orgs: OrgService,
    private readonly setup: OrgSetup,
    private readonly lists: OrgLists,
    private readonly removal: OrgRemoval,
    private readonly instances: InstanceService,
  ) {}

  @Post()
  @Requires('org.create', { named: true })
  @Operation({
    id: 'AddOrganizationV2',
    sameAs: ['AddOrg', 'SetUpOrg'],
    summary: 'Create an organization with the users who manage it',
    description: 'All or nothing: creates the organization, its domain, the new users and the roles.',
    request: AddOrganizationRequestV2,
    exampleWith: {
      admins: [
        {
          human: {
            username: 'edda.fuchs',
            profile: { givenName: 'Edda', familyName: 'Fuchs' },
            email: { email: 'edda@kiefernhof.example', isVerified: true },
          },
          roles: ['ORG_OWNER'],
        },
      ],
    },
    returns: AddOrganizationResponseV2,
    refuses: [
      orgIdTaken(),
      domainTaken('kiefernhof.localhost'),
      domainInUse('kiefernhof.localhost'),
      orgNameTaken(),
      userNotFound(),
      userIdTaken(),
      userNameTaken(),
      roleTooStrong('ORG_ADMIN_IMPERSONATOR'),
    ],
  })
  async add(
    @Asking() caller: Caller,
    @Message() request: AddOrganizationRequestV2,
  ): Promise<AddOrganizationResponseV2> {
    const actor = this.reach.instance(caller, 'org.create');
    const { org, createdIds } = await this.setup.addWithManagers(actor, toNewOrganization(request));
    return {
      details: toDetailsV2(org, org.id),
      organizationId: org.id,
      createdAdmins: createdIds.map((userId) => ({ userId })),
    };
  }

  @Post('_search')
  @Requires('org.read', { named: true })
  @Operation({
    id: 'ListOrganizationsV2',
    sameAs: ['ListOrgs', 'GetOrgByID', 'GetMyOrg', 'GetDefaultOrg'],
    summary: 'Search the organizations that the caller may read',
    request: ListOrganizationsRequestV2,
    returns: ListOrganizationsResponseV2,
  })
  async list(
    @Asking() caller: Caller,
    @Message() { query, sortingColumn, queries }: ListOrganizationsRequestV2,
  ): Promise<ListOrganizationsResponseV2> {
    const { defaultOrgId } = await this.instances.get();
    const page = await this.lists.list(caller.rights, {
      ...toRange(query),
      sortBy: sortingColumn,
      where: toOrganizationConditions(queries, defaultOrgId),
    });
    return { details: toListDetailsV2(page), sortingColumn, result: page.rows.map(toOrganization) };
  }

  @Post(':organizationId')
  @Requires('org.write', { named: true })
  @Operation({
    id: 'UpdateOrganizationV2',
    sameAs: ['UpdateOrg'],
    summary: 'Update the name of an organization',
    request: UpdateOrganizationRequestV2,
    returns: OrganizationChangedV2,
    refuses: [orgNotFound(), orgNameTaken()],
  })
  async update(
    @Asking() caller: Caller,
    @Message() { organizationId, name }: UpdateOrganizationRequestV2,
  ): Promise<OrganizationChangedV2> {
    const { orgId, userId } = await this.reach.org(caller, 'org.write', organizationId);
    return { changeDate: (await this.orgs.rename(orgId, name, userId)).changeDate };
  }

  @Post(':organizationId/deactivate')
  @Requires('org.write', { named: true })
  @Operation({
    id: 'DeactivateOrganizationV2',
    sameAs: ['DeactivateOrg'],
    summary: 'Deactivate an organization: its users cannot sign in, and its tokens become invalid',
    request: OrganizationIdRequestV2,
    returns: OrganizationChangedV2,
    refuses: [
      orgNotFound(),
      orgStateUnchanged('inactive'),
      defaultOrgKept(),
      systemOrgKept(),
      userTooStrong(),
      lastOwner(),
    ],
  })
  async deactivate(
    @Asking() caller: Caller,
    @Message() { organizationId }: OrganizationIdRequestV2,
  ): Promise<OrganizationChangedV2> {
    const actor = await this.reach.org(caller, 'org.write', organizationId);
    return { changeDate: (await this.removal.changeState(actor, actor.orgId, 'inactive')).at };
  }

  @Post(':organizationId/activate')
  @Requires('org.write', { named: true })
  @Operation({
    id: 'ActivateOrganizationV2',
    sameAs: ['ReactivateOrg'],
    summary: 'Reactivate an organization',
    request: OrganizationIdRequestV2,
    returns: OrganizationChangedV2,
    refuses: [orgNotFound(), orgStateUnchanged('active')],
  })
  async activate(
    @Asking() caller: Caller,
    @Message() { organizationId }: OrganizationIdRequestV2,
  ): Promise<OrganizationChangedV2> {
    const actor = await this.reach.org(caller, 'org.write', organizationId);
    return { changeDate: (await this.removal.changeState(actor, actor.orgId, 'active')).at };
  }

  @Delete(':organizationId')
  @Requires('org.delete', { named: true })
  @Operation({
    id: 'DeleteOrganizationV2',
    sameAs: ['RemoveMyOrg', 'RemoveOrg'],
    summary: 'Remove an organization and everything that it owns',
    request: OrganizationIdRequestV2,
    returns: OrganizationDeletedV2,
    refuses: [orgNotFound(), defaultOrgKept(), systemOrgKept(), userTooStrong(), lastOwner()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { organizationId }: OrganizationIdRequestV2,
  ): Promise<OrganizationDeletedV2> {
    const actor = await this.reach.org(caller, 'org.delete', organizationId);
    return { deletionDate: (await this.removal.remove(actor, actor.orgId)).at };
  }
}
