import { Controller, Post } from '@nestjs/common';
import { invalidFields } from '../../../foundation/error/domain-error.js';
import { InstanceService } from '../../../org/instance/instance.service.js';
import { orgNotFound } from '../../../org/org.errors.js';
import { projectGrantNotFound, projectNotFound } from '../../../project/project.errors.js';
import type { Actor } from '../../../user/permission/actor.js';
import { ManagerList, READS_MANAGERS } from '../../../user/permission/manager-list.js';
import { Managers } from '../../../user/permission/managers.js';
import type { MemberLevel } from '../../../user/permission/member.entity.js';
import type { MemberObject } from '../../../user/permission/memberships.js';
import {
  lastOwner,
  memberExists,
  memberNotFound,
  memberUserMissing,
  roleTooStrong,
} from '../../../user/permission/permission.errors.js';
import type { Permission } from '../../../user/permission/role.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { toRange } from '../../kit/wire/list.dto.js';
import { Message } from '../../kit/wire/message.js';
import { toPagination } from '../kit/page.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import {
  CreateAdministratorRequestV2,
  CreateAdministratorResponseV2,
  DeleteAdministratorRequestV2,
  DeleteAdministratorResponseV2,
  type ResourceTypeV2,
  UpdateAdministratorRequestV2,
  UpdateAdministratorResponseV2,
} from './administrator.dto.js';
import { toAdministrator, toManagerFilters } from './administrator.mapping.js';
import { ListAdministratorsRequestV2, ListAdministratorsResponseV2 } from './administrator-search.dto.js';

/** What each kind of resource needs. */
type Needs = Readonly<Record<MemberLevel, Permission>>;

const WRITES: Needs = {
  instance: 'iam.member.write',
  org: 'org.member.write',
  project: 'project.member.write',
  project_grant: 'project.grant.member.write',
};
const DELETES: Needs = {
  instance: 'iam.member.delete',
  org: 'org.member.delete',
  project: 'project.member.delete',
  project_grant: 'project.grant.member.delete',
};

/** Which of them is needed is known with the resource: the guard lets in whoever holds one of them anywhere. */
const anyOf = ({ instance, project, project_grant: grant }: Needs) =>
  ({ named: true, others: [instance, project, grant] }) as const;

const REFUSED_HERE = [orgNotFound(), projectNotFound(), projectGrantNotFound(), roleTooStrong('ORG_OWNER')] as const;

/** Managers of all four kinds of resources, which this generation calls administrators. */
@Tagged('Administrators v2')
@Controller('v2/administrators')
@InService('internal_permission')
export class AdministratorV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly managers: Managers,
    private readonly directory: ManagerList,
    private readonly instances: InstanceService,
  ) {}

  @Post('_search')
  @Requires(READS_MANAGERS.org, anyOf(READS_MANAGERS))
  @Operation({
    id: 'ListAdministratorsV2',
    sameAs: ['ListIAMMembers', 'ListOrgMembers', 'ListProjectMembers', 'ListProjectGrantMembers'],
    summary: 'Search the administrators that the caller may read, of all resources',
    description: 'A user is in the list once for each resource that they manage.',
    request: ListAdministratorsRequestV2,
    returns: ListAdministratorsResponseV2,
  })
  async list(
    @Asking() caller: Caller,
    @Message() { pagination, sortingColumn, filters }: ListAdministratorsRequestV2,
  ): Promise<ListAdministratorsResponseV2> {
    const page = await this.directory.list(caller.rights, {
      ...toRange(pagination),
      sortBy: sortingColumn === 'unspecified' ? 'userId' : sortingColumn,
      where: toManagerFilters(filters),
    });
    return { pagination: toPagination(page, pagination), administrators: page.rows.map(toAdministrator) };
  }

  @Post()
  @Requires(WRITES.org, anyOf(WRITES))
  @Operation({
    id: 'CreateAdministratorV2',
    sameAs: ['AddIAMMember', 'AddOrgMember', 'AddProjectMember', 'AddProjectGrantMember'],
    summary: 'Make a user an administrator of the instance, an organization, a project or a project grant',
    request: CreateAdministratorRequestV2,
    exampleWith: { resource: { organizationId: EXAMPLE.org } },
    returns: CreateAdministratorResponseV2,
    refuses: [...REFUSED_HERE, memberExists(), memberUserMissing()],
  })
  async create(
    @Asking() caller: Caller,
    @Message() { userId, resource, roles }: CreateAdministratorRequestV2,
  ): Promise<CreateAdministratorResponseV2> {
    const { actor, object } = await this.find(caller, WRITES, resource);
    return { creationDate: (await this.managers.add(actor, object, userId, roles)).at };
  }

  @Post(':userId')
  @Requires(WRITES.org, anyOf(WRITES))
  @Operation({
    id: 'UpdateAdministratorV2',
    sameAs: ['UpdateIAMMember', 'UpdateOrgMember', 'UpdateProjectMember', 'UpdateProjectGrantMember'],
    summary: 'Update the roles of an administrator on one resource',
    request: UpdateAdministratorRequestV2,
    exampleWith: { resource: { organizationId: EXAMPLE.org } },
    returns: UpdateAdministratorResponseV2,
    refuses: [...REFUSED_HERE, memberNotFound(), lastOwner()],
  })
  async update(
    @Asking() caller: Caller,
    @Message() { userId, resource, roles }: UpdateAdministratorRequestV2,
  ): Promise<UpdateAdministratorResponseV2> {
    const { actor, object } = await this.find(caller, WRITES, resource);
    return { changeDate: (await this.managers.change(actor, object, userId, roles)).changeDate };
  }

  /** Not a DELETE, whose query could not spell a resource. */
  @Post(':userId/delete')
  @Requires(DELETES.org, anyOf(DELETES))
  @Operation({
    id: 'DeleteAdministratorV2',
    sameAs: ['RemoveIAMMember', 'RemoveOrgMember', 'RemoveProjectMember', 'RemoveProjectGrantMember'],
    summary: 'Take all roles on one resource from an administrator',
    request: DeleteAdministratorRequestV2,
    exampleWith: { resource: { organizationId: EXAMPLE.org } },
    returns: DeleteAdministratorResponseV2,
    refuses: [...REFUSED_HERE, memberNotFound(), lastOwner()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { userId, resource }: DeleteAdministratorRequestV2,
  ): Promise<DeleteAdministratorResponseV2> {
    const { actor, object } = await this.find(caller, DELETES, resource);
    return { deletionDate: (await this.managers.remove(actor, object, userId)).at };
  }

  /**
   * The resource, and the actor in its organization.
   * @throws DomainError InvalidArgument if none is named; NotFound if it is out of reach; PermissionDenied for the
   * instance
   */
  private async find(
    caller: Caller,
    needs: Needs,
    { instance, organizationId, projectId, projectGrant }: ResourceTypeV2,
  ): Promise<{ readonly actor: Actor; readonly object: MemberObject }> {
    if (organizationId !== undefined) {
      const actor = await this.reach.org(caller, needs.org, organizationId);
      return { actor, object: { level: 'org', objectId: organizationId, orgId: organizationId } };
    }
    if (projectId !== undefined) {
      const actor = await this.reach.project(caller, needs.project, projectId);
      return { actor, object: { level: 'project', objectId: projectId, orgId: actor.orgId } };
    }
    if (projectGrant) {
      const { organizationId: grantedOrgId, projectId: ofProject } = projectGrant;
      const place = { projectId: ofProject, grantedOrgId };
      const { actor, grantId } = await this.reach.projectGrant(caller, needs.project_grant, place);
      return { actor, object: { level: 'project_grant', objectId: grantId, orgId: grantedOrgId } };
    }
    if (instance !== true)
      throw invalidFields([{ field: 'resource', description: 'must name one: the instance by `true`' }]);
    const actor = this.reach.instance(caller, needs.instance);
    const { id } = await this.instances.get();
    return { actor, object: { level: 'instance', objectId: id, orgId: id } };
  }
}
