import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { accessOf } from '../../http/access.js';
import { readBearer } from '../../http/bearer.js';
import type { Actor } from '../../permission/actor.js';
import { Memberships } from '../../permission/membership.service.js';
import type { Permission } from '../../permission/role.js';
import { ScopeRules } from '../../token/scope.js';
import { TokenReader, type LivingToken } from '../../token/token-reader.js';
import { Urn } from '../../token/urn.js';
import { keepActor } from './actor-of-request.js';
import { audienceMissing, permissionMissing, tokenDead, tokenMalformed, tokenMissing } from './admin-guard.errors.js';

/**
 * First authenticates, then authorizes; only what it lets through is validated and acted on. The bearer
 * token is the only credential: a cookie is none, so no page of another site can act for an administrator.
 */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(
    private readonly tokens: TokenReader,
    private readonly scopes: ScopeRules,
    private readonly urn: Urn,
    private readonly memberships: Memberships,
  ) {}

  /** @throws DomainError Unauthenticated, PermissionDenied */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const access = accessOf(context.getClass(), context.getHandler());
    if (access?.kind !== 'permission') return access?.kind === 'open';
    const actor = await this.authenticate(request);
    keepActor(request, actor);
    if (!actor.instancePermissions.has(access.permission as Permission)) throw permissionMissing(access.permission);
    return true;
  }

  private async authenticate(request: Request): Promise<Actor> {
    const token = await this.readToken(request);
    // Tokens that clients hold must be meant for this API; a personal access token was made by hand for whatever it is used for.
    if (!token.personal && !(await this.scopes.includesSystem(token.audience))) throw audienceMissing(this.urn.systemAudience);
    const { userId, orgId } = token.subject;
    return { userId, orgId, instancePermissions: await this.memberships.instancePermissions(userId) };
  }

  private async readToken(request: Request): Promise<LivingToken> {
    const bearer = readBearer(request);
    if (bearer === 'missing') throw tokenMissing();
    if (bearer === 'malformed') throw tokenMalformed();
    const token = await this.tokens.findAlive(bearer.token, async () => ({}));
    if (!token) throw tokenDead();
    return token;
  }
}
