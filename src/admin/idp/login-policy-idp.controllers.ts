import { Controller, Delete, Post, type Type } from '@nestjs/common';
import { idpListed, idpNotFound, idpNotListed, idpPolicyMissing } from '../../idp/idp.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { INSTANCE, type Level, named, ORG, operationIdAt } from '../kit/level.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import { IdpIdRequest } from './idp.dto.js';
import { DESCRIPTION } from './idp-words.js';
import {
  AddIdpToLoginPolicyRequest,
  AddIdpToOrgLoginPolicyRequest,
  ListLoginPolicyIdpsRequest,
  ListLoginPolicyIdpsResponse,
} from './login-policy-idp.dto.js';
import { LoginPolicyIdpOperations } from './login-policy-idp.operations.js';

/** The identity providers that the login policy of the instance or of an organization lists. */
export function loginPolicyIdpController(level: Level): Type {
  const example = level.isOrg ? { exampleWith: { idpId: EXAMPLE.orgIdp } } : {};

  @Tagged('Login policy')
  @Controller(`${level.prefix}/policies/login/idps`)
  @level.documentation
  class LoginPolicyIdpController {
    constructor(private readonly listed: LoginPolicyIdpOperations) {}

    @Post('_search')
    @Requires(level.permissions.readPolicy)
    @Operation({
      id: operationIdAt(level, 'ListLoginPolicyIDPs'),
      summary: `List the identity providers of ${level.owner}'s login policy`,
      description: DESCRIPTION.listListed,
      request: ListLoginPolicyIdpsRequest,
      returns: ListLoginPolicyIdpsResponse,
    })
    async list(
      @Asking() actor: Actor,
      @Message() request: ListLoginPolicyIdpsRequest,
    ): Promise<ListLoginPolicyIdpsResponse> {
      return this.listed.list(await this.listed.ownerAt(level, actor), request);
    }

    @Post()
    @Requires(level.permissions.writePolicy)
    @Operation({
      id: operationIdAt(level, 'AddIDPToLoginPolicy'),
      summary: `Add an identity provider to ${level.owner}'s login policy`,
      description: DESCRIPTION.addListed,
      request: level.isOrg ? AddIdpToOrgLoginPolicyRequest : AddIdpToLoginPolicyRequest,
      ...example,
      returns: DetailsResponse,
      refuses: [idpNotFound(), idpListed(), ...(level.isOrg ? [idpPolicyMissing()] : [])],
    })
    async add(
      @Asking() actor: Actor,
      @Message() request: AddIdpToLoginPolicyRequest | AddIdpToOrgLoginPolicyRequest,
    ): Promise<DetailsResponse> {
      /** An organization may list providers of its own and of the instance. */
      const isOfOrg = 'ownerType' in request && request.ownerType === 'org';
      const ownerOfIdp = await this.listed.ownerAt(isOfOrg ? ORG : INSTANCE, actor);
      return this.listed.add(await this.listed.ownerAt(level, actor), ownerOfIdp, actor, request.idpId);
    }

    @Delete(':idpId')
    @Requires(level.permissions.writePolicy)
    @Operation({
      id: operationIdAt(level, 'RemoveIDPFromLoginPolicy'),
      summary: `Remove an identity provider from ${level.owner}'s login policy`,
      description: DESCRIPTION.removeListed,
      request: IdpIdRequest,
      ...example,
      returns: DetailsResponse,
      refuses: [idpNotListed()],
    })
    async remove(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<DetailsResponse> {
      return this.listed.remove(await this.listed.ownerAt(level, actor), actor, request.idpId);
    }
  }
  return named(level, 'LoginPolicyIdp', LoginPolicyIdpController);
}
