import { Injectable } from '@nestjs/common';
import { tokenDead } from '../../../management/user/my-account.errors.js';
import { orgNotFound } from '../../../org/org.errors.js';
import { OrgService } from '../../../org/org.service.js';
import { ScopeRules } from '../../../token/claims/scope.js';
import { Urn } from '../../../token/claims/urn.js';
import type { PresentedToken } from '../../../token/proof/presented-token.js';
import { type HeldToken, TokenReader } from '../../../token/token-reader.js';
import type { Actor } from '../../../user/permission/actor.js';
import { mayCall, membershipsThrough, reachesAccount } from '../../../user/permission/calling-application.js';
import { permissionMissing } from '../../../user/permission/permission.errors.js';
import { Rights } from '../../../user/permission/rights.js';
import type { AnyPermission } from '../../../user/permission/role.js';
import { RoleBook } from '../../../user/permission/role-book.js';
import { accountOutOfReach, administrationNotAllowed, audienceMissing } from './admin-guard.errors.js';
import { AUTHENTICATED, type Demand } from './demand.js';
import { TokenRate } from './token-rate.js';

/** Authenticates callers and checks their permissions, in the same way for each protocol. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly tokens: TokenReader,
    private readonly scopes: ScopeRules,
    private readonly urn: Urn,
    private readonly orgs: OrgService,
    private readonly rate: TokenRate,
    private readonly book: RoleBook,
  ) {}

  /** The header in which a caller names the organization that a call is about. */
  get orgHeader(): string {
    return this.urn.orgHeader;
  }

  /**
   * The user of the token, with their permissions.
   * @param chosenOrgId the organization of the header; if undefined, the caller's own
   * @throws DomainError Unauthenticated; PermissionDenied `application.not_allowed`; ResourceExhausted
   * `token.too_many_requests`
   */
  async authenticate(presented: PresentedToken, chosenOrgId: string | undefined): Promise<Actor> {
    this.rate.check(presented.token);
    const { holder, signIn } = await this.findToken(presented);
    const { userId, orgId: ownOrgId, memberships } = holder;
    const application = holder.application ?? undefined;
    this.rate.count(presented.token);
    if (application && !mayCall(application)) throw administrationNotAllowed(this.urn.systemAudience);
    const counting = application ? membershipsThrough(application, memberships) : memberships;
    const rights = new Rights(counting, this.book);
    return { userId, orgId: chosenOrgId ?? ownOrgId, ownOrgId, rights, application, signIn };
  }

  /**
   * @throws DomainError PermissionDenied `permission.missing`, `application.account_out_of_reach`; NotFound
   * `org.not_found`
   */
  async authorize(actor: Actor, demand: Demand): Promise<void> {
    if (demand.permission === AUTHENTICATED) {
      const { application, ownOrgId } = actor;
      if (application && !reachesAccount(application, ownOrgId)) throw accountOutOfReach();
      return;
    }
    if (demand.named) {
      const anyOf = [demand.permission, ...demand.others];
      if (!anyOf.some((one) => actor.rights.maySomewhere(one))) throw permissionMissing(demand.permission);
      return;
    }
    if (!isHeld(actor, { ...demand, permission: demand.permission })) throw permissionMissing(demand.permission);
    // Only callers who may read every organization learn here that one does not exist.
    if (actor.orgId !== actor.ownOrgId && !(await this.orgs.exists(actor.orgId))) throw orgNotFound();
  }

  private async findToken(presented: PresentedToken): Promise<HeldToken> {
    const token = await this.tokens.findHolder(presented);
    if (!token) throw tokenDead();
    // Tokens of clients must be meant for this API; a personal access token may be used for anything.
    const isMeantForUs = token.audience === undefined || (await this.scopes.includesSystem(token.audience));
    if (!isMeantForUs) throw audienceMissing(this.urn.systemAudience);
    return token;
  }
}

function isHeld(
  { rights, orgId }: Actor,
  { permission, projectId, grantId, some }: Demand & { readonly permission: AnyPermission },
): boolean {
  if (rights.may(permission, { orgId, projectId, grantId })) return true;
  return some.some((level) => rights.objectsWith(permission, level, orgId).length > 0);
}
