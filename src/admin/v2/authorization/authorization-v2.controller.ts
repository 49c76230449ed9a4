import { Controller, Delete, Post } from '@nestjs/common';
import type { ListFilter } from '../../../foundation/database/condition.js';
import { UserGrants } from '../../../management/project/user-grants.js';
import { orgNotFound } from '../../../org/org.errors.js';
import { projectNotFound, rolesUnknown } from '../../../project/project.errors.js';
import {
  projectGrantInactive,
  userGrantExists,
  userGrantNotFound,
  userGrantStateUnchanged,
} from '../../../project/user-grant/user-grant.errors.js';
import { type UserGrantWithRoles, userGrantFilter } from '../../../project/user-grant/user-grant-directory.js';
import { userNotFound } from '../../../user/user.errors.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { toRange } from '../../kit/wire/list.dto.js';
import { Message } from '../../kit/wire/message.js';
import { checkWholeText } from '../kit/filter.dto.js';
import { toPagination } from '../kit/page.dto.js';
import { type Caller, Reach } from '../kit/reach.js';
import {
  AuthorizationChangedV2,
  AuthorizationIdRequestV2,
  type AuthorizationsSearchFilterV2,
  type AuthorizationV2,
  CreateAuthorizationRequestV2,
  CreateAuthorizationResponseV2,
  DeleteAuthorizationResponseV2,
  ListAuthorizationsRequestV2,
  ListAuthorizationsResponseV2,
  UpdateAuthorizationRequestV2,
} from './authorization.dto.js';

/** User grants, which this generation calls authorizations. */
@Tagged('Authorizations v2')
@Controller('v2/authorizations')
@InService('authorization')
export class AuthorizationV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly grants: UserGrants,
  ) {}

  @Post('_search')
  @Requires('user.grant.read', { named: true })
  @Operation({
    id: 'ListAuthorizationsV2',
    sameAs: ['ListUserGrants', 'GetUserGrantByID'],
    summary: 'Search the authorizations that the caller may read, of all organizations',
    description: 'An organization reads what it has granted, and what others have granted for its projects.',
    request: ListAuthorizationsRequestV2,
    returns: ListAuthorizationsResponseV2,
  })
  async list(
    @Asking() caller: Caller,
    @Message() { pagination, sortingColumn, filters }: ListAuthorizationsRequestV2,
  ): Promise<ListAuthorizationsResponseV2> {
    const page = await this.grants.listAll(caller.rights, {
      ...toRange(pagination),
      sortBy: sortingColumn === 'unspecified' ? 'id' : sortingColumn,
      where: filters.flatMap(toFilter),
    });
    return { pagination: toPagination(page, pagination), authorizations: page.rows.map(toAuthorization) };
  }

  @Post()
  @Requires('user.grant.write', { named: true })
  @Operation({
    id: 'CreateAuthorizationV2',
    sameAs: ['AddUserGrant'],
    summary: 'Create an authorization: grant roles of a project to a user',
    request: CreateAuthorizationRequestV2,
    returns: CreateAuthorizationResponseV2,
    refuses: [
      orgNotFound(),
      projectNotFound(),
      userNotFound(),
      rolesUnknown(['inspector'], 'roleKeys'),
      projectGrantInactive(),
      userGrantExists(),
    ],
  })
  async create(
    @Asking() caller: Caller,
    @Message() { userId, projectId, organizationId, roleKeys }: CreateAuthorizationRequestV2,
  ): Promise<CreateAuthorizationResponseV2> {
    const actor = await this.reach.granting(caller, 'user.grant.write', organizationId, projectId);
    const { id, mark } = await this.grants.add(actor, { holder: { userId }, projectId, projectGrantId: '', roleKeys });
    return { id, creationDate: mark.at };
  }

  @Post(':id')
  @Requires('user.grant.write', { named: true })
  @Operation({
    id: 'UpdateAuthorizationV2',
    sameAs: ['UpdateUserGrant'],
    summary: 'Update the roles of an authorization',
    request: UpdateAuthorizationRequestV2,
    returns: AuthorizationChangedV2,
    refuses: [userGrantNotFound(), rolesUnknown(['inspector'], 'roleKeys')],
  })
  async update(
    @Asking() caller: Caller,
    @Message() { id, roleKeys }: UpdateAuthorizationRequestV2,
  ): Promise<AuthorizationChangedV2> {
    const { actor, place } = await this.reach.userGrant(caller, 'user.grant.write', id);
    return { changeDate: (await this.grants.change(actor, place, roleKeys)).at };
  }

  @Post(':id/deactivate')
  @Requires('user.grant.write', { named: true })
  @Operation({
    id: 'DeactivateAuthorizationV2',
    sameAs: ['DeactivateUserGrant'],
    summary: 'Deactivate an authorization: its roles have no effect',
    request: AuthorizationIdRequestV2,
    returns: AuthorizationChangedV2,
    refuses: [userGrantNotFound(), userGrantStateUnchanged('inactive')],
  })
  async deactivate(
    @Asking() caller: Caller,
    @Message() { id }: AuthorizationIdRequestV2,
  ): Promise<AuthorizationChangedV2> {
    const { actor, place } = await this.reach.userGrant(caller, 'user.grant.write', id);
    return { changeDate: (await this.grants.changeState(actor, place, 'inactive')).at };
  }

  @Post(':id/activate')
  @Requires('user.grant.write', { named: true })
  @Operation({
    id: 'ActivateAuthorizationV2',
    sameAs: ['ReactivateUserGrant'],
    summary: 'Reactivate an authorization',
    request: AuthorizationIdRequestV2,
    returns: AuthorizationChangedV2,
    refuses: [userGrantNotFound(), userGrantStateUnchanged('active')],
  })
  async activate(
    @Asking() caller: Caller,
    @Message() { id }: AuthorizationIdRequestV2,
  ): Promise<AuthorizationChangedV2> {
    const { actor, place } = await this.reach.userGrant(caller, 'user.grant.write', id);
    return { changeDate: (await this.grants.changeState(actor, place, 'active')).at };
  }

  @Delete(':id')
  @Requires('user.grant.delete', { named: true })
  @Operation({
    id: 'DeleteAuthorizationV2',
    sameAs: ['RemoveUserGrant'],
    summary: 'Remove an authorization',
    request: AuthorizationIdRequestV2,
    returns: DeleteAuthorizationResponseV2,
    refuses: [userGrantNotFound()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { id }: AuthorizationIdRequestV2,
  ): Promise<DeleteAuthorizationResponseV2> {
    const { actor, place } = await this.reach.userGrant(caller, 'user.grant.delete', id);
    return { deletionDate: (await this.grants.remove(actor, place)).at };
  }
}

/** @throws DomainError InvalidArgument for parts of login names */
function toFilter(filter: AuthorizationsSearchFilterV2, index: number): ListFilter[] {
  const { userPreferredLoginName: loginName, userDisplayName, projectName, roleKey } = filter;
  if (loginName) checkWholeText(loginName.method, `filters[${index}].userPreferredLoginName.method`);
  return [
    filter.authorizationIds && userGrantFilter.isOneOf(filter.authorizationIds.ids),
    filter.organizationId && userGrantFilter.givenBy(filter.organizationId.id),
    filter.state && userGrantFilter.state(filter.state.state),
    filter.inUserIds && userGrantFilter.users(filter.inUserIds.ids),
    filter.userOrganizationId && userGrantFilter.usersOf(filter.userOrganizationId.id),
    loginName && userGrantFilter.loginName(loginName.method, loginName.loginName),
    userDisplayName && userGrantFilter.displayName(userDisplayName.method, userDisplayName.displayName),
    filter.projectId && userGrantFilter.project(filter.projectId.id),
    projectName && userGrantFilter.projectName(projectName.method, projectName.name),
    roleKey && userGrantFilter.roleKey(roleKey.method, roleKey.key),
    filter.projectGrantId && userGrantFilter.projectGrant(filter.projectGrantId.id),
  ].filter((one) => one !== undefined);
}

function toAuthorization(entry: UserGrantWithRoles): AuthorizationV2 {
  const { id, creationDate, changeDate, state } = entry;
  return {
    ...{ id, creationDate, changeDate, state },
    project: { id: entry.projectId, name: entry.projectName, organizationId: entry.projectOrgId },
    organization: { id: entry.orgId, name: entry.orgName },
    user: {
      id: entry.userId,
      preferredLoginName: entry.preferredLoginName,
      displayName: entry.displayName,
      avatarUrl: '',
      organizationId: entry.userOrgId,
    },
    roles: entry.roles.map(({ key, displayName, roleGroup }) => ({ key, displayName, group: roleGroup })),
  };
}
