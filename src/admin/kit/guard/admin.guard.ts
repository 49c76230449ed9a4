import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { accessOf } from '../../../foundation/http/access.js';
import { readAccessToken } from '../../../foundation/http/access-token-header.js';
import { PresentedTokens } from '../../../token/proof/presented-token.js';
import { operationOf } from '../wire/declared-operation.js';
import { keepActor } from './actor-of-request.js';
import { orgHeaderRepeated, tokenMalformed, tokenMissing } from './admin-guard.errors.js';
import { Authenticator } from './authenticator.js';
import { demandOf, reachOf } from './demand.js';

/**
 * Guards every operation of the administrative API: requests are validated and executed only if they pass. The access
 * token is the only credential. Cookies are ignored, so no page of another site can act for an administrator.
 */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly presented: PresentedTokens,
  ) {}

  /** @throws DomainError Unauthenticated, ResourceExhausted, PermissionDenied, NotFound `org.not_found` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<ExpressRequest>();
    announceDeprecation(context); // here, so that refusals have it too
    const access = accessOf(context.getClass(), context.getHandler());
    if (access?.kind !== 'permission') return access?.kind === 'open';
    const sent = readAccessToken(request);
    if (sent === 'missing') throw tokenMissing();
    if (sent === 'malformed') throw tokenMalformed();
    const reach = reachOf(context.getHandler());
    const demand = demandOf(access.permission, reach, request.params);
    const presented = await this.presented.present(sent, request);
    const orgId = reach.org === undefined ? this.readOrgHeader(request) : pathParameter(request, reach.org);
    const actor = await this.authenticator.authenticate(presented, orgId);
    announceNonce(context, presented.proof?.nextNonce);
    keepActor(request, actor); // before any refusal, so that the log names the caller
    await this.authenticator.authorize(actor, demand);
    return true;
  }

  /** An empty header counts as absent. */
  private readOrgHeader(request: ExpressRequest): string | undefined {
    const values = request.headersDistinct[this.authenticator.orgHeader] ?? [];
    if (values.length > 1) throw orgHeaderRepeated(this.authenticator.orgHeader);
    return values[0] === '' ? undefined : values[0];
  }
}

/** RFC 9449 §8.2 */
function announceNonce(context: ExecutionContext, nonce: string | undefined): void {
  if (nonce !== undefined) context.switchToHttp().getResponse<ExpressResponse>().setHeader('DPoP-Nonce', nonce);
}

/** RFC 9745 §2 */
function announceDeprecation(context: ExecutionContext): void {
  const since = operationOf(context.getHandler())?.deprecated;
  if (!since) return;
  const response = context.switchToHttp().getResponse<ExpressResponse>();
  response.setHeader('Deprecation', `@${Math.floor(since.getTime() / 1_000)}`);
}

function pathParameter(request: ExpressRequest, name: string): string | undefined {
  const value = request.params[name];
  return typeof value === 'string' ? value : undefined;
}
