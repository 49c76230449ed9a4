import { Injectable } from '@nestjs/common';
import { OrgService } from '../../org/org.service.js';
import { orgNotFound } from '../../org/org.errors.js';
import type { Actor } from '../../permission/actor.js';
import { Memberships } from '../../permission/membership.service.js';
import { permissionMissing } from '../../permission/permission.errors.js';
import type { Permission } from '../../permission/role.js';
import { ScopeRules } from '../../token/scope.js';
import { TokenReader, type LivingToken } from '../../token/token-reader.js';
import { Urn } from '../../token/urn.js';
import { audienceMissing, tokenDead } from './admin-guard.errors.js';
import { AUTHENTICATED, type Demand } from './demand.js';

/** Who a caller is, and whether they may: the same question whichever wire it came by. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly tokens: TokenReader,
    private readonly scopes: ScopeRules,
    private readonly urn: Urn,
    private readonly memberships: Memberships,
    private readonly orgs: OrgService,
  ) {}

  /** The header in which a caller names the organization that a call is about. */
  get orgHeader(): string {
    return this.urn.orgHeader;
  }

  /**
   * First authenticates, then authorizes.
   * @param chosenOrgId the organization of the header; undefined: the caller's own
   * @throws DomainError Unauthenticated; PermissionDenied `permission.missing`; NotFound `org.not_found`
   */
  async admit(bearer: string, chosenOrgId: string | undefined, demand: Demand): Promise<Actor> {
    const { userId, orgId: ownOrgId } = (await this.readToken(bearer)).subject;
    const rights = await this.memberships.rightsOf(userId);
    const actor: Actor = { userId, orgId: chosenOrgId ?? ownOrgId, ownOrgId, rights };
    if (demand.permission === AUTHENTICATED) return actor;
    if (!isHeld(actor, { ...demand, permission: demand.permission })) throw permissionMissing(demand.permission);
    // Only whoever may look into every organization learns here that one does not exist.
    if (actor.orgId !== ownOrgId && !(await this.orgs.exists(actor.orgId))) throw orgNotFound();
    return actor;
  }

  private async readToken(bearer: string): Promise<LivingToken> {
    const token = await this.tokens.findAlive(bearer, async () => ({}));
    if (!token) throw tokenDead();
    // Tokens that clients hold must be meant for this API; a personal access token was made by hand for whatever it is used for.
    if (!token.personal && !(await this.scopes.includesSystem(token.audience))) throw audienceMissing(this.urn.systemAudience);
    return token;
  }
}

function isHeld({ rights, orgId }: Actor, { permission, projectId, grantId, some }: Demand & { readonly permission: Permission }): boolean {
  if (rights.may(permission, { orgId, projectId, grantId })) return true;
  return some.some((level) => rights.objectsWith(permission, level, orgId).length > 0);
}
