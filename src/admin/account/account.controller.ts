import { Controller, Get, Post } from '@nestjs/common';
import type { Condition } from '../../foundation/database/condition.js';
import type { Page } from '../../foundation/database/listing.js';
import { Open } from '../../foundation/http/access.js';
import { SessionService } from '../../session/session.service.js';
import type { Actor } from '../../user/permission/actor.js';
import {
  isOfInstance,
  MembershipDirectory,
  type MembershipEntry,
  ofObject,
} from '../../user/permission/membership-directory.js';
import { userNotFound } from '../../user/user.errors.js';
import { UserDirectory } from '../../user/user-directory.js';
import { HealthResponse } from '../instance/admin-health.controller.js';
import { Asking } from '../kit/guard/asking.js';
import { AUTHENTICATED } from '../kit/guard/demand.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import { toUser } from '../user/user.mapping.js';
import {
  GetMyUserResponse,
  ListMembershipsResponse,
  ListMyMembershipsRequest,
  ListMyPermissionsResponse,
  ListUserMembershipsRequest,
  type Membership,
  type MembershipQuery,
} from './account.dto.js';

/** Operations about the caller: who they are, and what they and others may do. */
@Tagged('My account')
@Controller()
export class AccountController {
  constructor(
    private readonly memberships: MembershipDirectory,
    private readonly users: UserDirectory,
    private readonly sessions: SessionService,
  ) {}

  @Get('auth/v1/healthz')
  @Open()
  @Operation({
    id: 'GetAccountHealth',
    summary: "Check the health of the caller's own API",
    description: 'Requires no token.',
    returns: HealthResponse,
  })
  getHealth(): HealthResponse {
    return {};
  }

  @Get('auth/v1/users/me')
  @Requires(AUTHENTICATED)
  @Operation({ id: 'GetMyUser', summary: 'Get the calling user', returns: GetMyUserResponse })
  async get(@Asking() { userId, ownOrgId }: Actor): Promise<GetMyUserResponse> {
    const [user, lastLogin] = await Promise.all([
      this.users.get(ownOrgId, userId),
      this.sessions.findLastSignIn(userId),
    ]);
    return { user: toUser(user), lastLogin };
  }

  @Post('auth/v1/permissions/service/me/_search')
  @OfOrg()
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'ListMyPermissions',
    summary: "List the caller's permissions",
    returns: ListMyPermissionsResponse,
  })
  async listPermissions(@Asking() actor: Actor): Promise<ListMyPermissionsResponse> {
    return { result: actor.rights.words(actor.orgId) };
  }

  @Post('auth/v1/memberships/me/_search')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'ListMyMemberships',
    summary: "List the caller's memberships",
    request: ListMyMembershipsRequest,
    returns: ListMembershipsResponse,
  })
  async listMemberships(
    @Asking() actor: Actor,
    @Message() { query, queries }: ListMyMembershipsRequest,
  ): Promise<ListMembershipsResponse> {
    return toAnswer(await this.memberships.list(actor.userId, toRange(query), toConditions(queries)));
  }

  @Post('management/v1/users/:userId/memberships/_search')
  @OfOrg()
  @Requires('user.membership.read')
  @Operation({
    id: 'ListUserMemberships',
    summary: "List a user's memberships",
    request: ListUserMembershipsRequest,
    exampleWith: { userId: EXAMPLE.administrator },
    returns: ListMembershipsResponse,
    refuses: [userNotFound()],
  })
  async listOfUser(
    @Asking() actor: Actor,
    @Message() { userId, query, queries }: ListUserMembershipsRequest,
  ): Promise<ListMembershipsResponse> {
    return toAnswer(await this.memberships.listOfOrg(actor.orgId, userId, toRange(query), toConditions(queries)));
  }
}

function toConditions(queries: readonly MembershipQuery[]): Condition[] {
  return queries.flatMap(({ orgQuery, projectQuery, projectGrantQuery, iamQuery }) => [
    ...(orgQuery ? [ofObject('org', orgQuery.orgId)] : []),
    ...(projectQuery ? [ofObject('project', projectQuery.projectId)] : []),
    ...(projectGrantQuery ? [ofObject('project_grant', projectGrantQuery.projectGrantId)] : []),
    ...(iamQuery ? [isOfInstance(iamQuery.iam)] : []),
  ]);
}

function toAnswer(page: Page<MembershipEntry>): ListMembershipsResponse {
  return { details: toListDetails(page), result: page.rows.map(toMembership) };
}

function toMembership(entry: MembershipEntry): Membership {
  const { userId, level, objectId, roles, objectName, ownerId } = entry;
  const object = {
    instance: { iam: true },
    org: { orgId: objectId },
    project: { projectId: objectId },
    project_grant: { projectGrantId: objectId },
  };
  return { userId, details: toDetails(entry, ownerId), roles, displayName: objectName, ...object[level] };
}
