import { Controller, Delete, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { idpListed, idpNotFound, idpNotListed } from '../../idp/idp.errors.js';
import type { Actor } from '../../permission/actor.js';
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { Operation } from '../operation.js';
import type { Tag } from '../tags.js';
import { DetailsResponse } from '../wire/details.dto.js';
import { Message } from '../wire/message.js';
import { IdpIdRequest } from './idp.dto.js';
import { DESCRIPTION } from './idp-words.js';
import {
  AddIdpToLoginPolicyRequest,
  ListLoginPolicyIdpsRequest,
  ListLoginPolicyIdpsResponse,
} from './login-policy-idp.dto.js';
import { LoginPolicyIdpOperations } from './login-policy-idp.operations.js';

/** The identity providers that the login policy of the instance lists. */
@ApiTags('Login policy' satisfies Tag)
@Controller('admin/v1/policies/login/idps')
export class LoginPolicyIdpController {
  constructor(private readonly listed: LoginPolicyIdpOperations) {}

  @Post('_search')
  @Requires('iam.policy.read')
  @Operation({
    id: 'ListLoginPolicyIDPs',
    summary: "List the identity providers of the instance's login policy",
    description: DESCRIPTION.listListed,
    request: ListLoginPolicyIdpsRequest,
    returns: ListLoginPolicyIdpsResponse,
  })
  async list(
    @Asking() _actor: Actor,
    @Message() request: ListLoginPolicyIdpsRequest,
  ): Promise<ListLoginPolicyIdpsResponse> {
    return this.listed.list(await this.listed.instance(), request);
  }

  @Post()
  @Requires('iam.policy.write')
  @Operation({
    id: 'AddIDPToLoginPolicy',
    summary: "Add an identity provider to the instance's login policy",
    description: DESCRIPTION.addListed,
    request: AddIdpToLoginPolicyRequest,
    returns: DetailsResponse,
    refuses: [idpNotFound(), idpListed()],
  })
  async add(@Asking() actor: Actor, @Message() request: AddIdpToLoginPolicyRequest): Promise<DetailsResponse> {
    return this.listed.add(await this.listed.instance(), await this.listed.instance(), actor, request.idpId);
  }

  @Delete(':idpId')
  @Requires('iam.policy.write')
  @Operation({
    id: 'RemoveIDPFromLoginPolicy',
    summary: "Remove an identity provider from the instance's login policy",
    description: DESCRIPTION.removeListed,
    request: IdpIdRequest,
    returns: DetailsResponse,
    refuses: [idpNotListed()],
  })
  async remove(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<DetailsResponse> {
    return this.listed.remove(await this.listed.instance(), actor, request.idpId);
  }
}
