import { Controller, Delete, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { idpListed, idpNotFound, idpNotListed, idpPolicyMissing } from '../../idp/idp.errors.js';
import type { Actor } from '../../permission/actor.js';
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { OfOrg, Operation } from '../operation.js';
import type { Tag } from '../tags.js';
import { DetailsResponse } from '../wire/details.dto.js';
import { EXAMPLE } from '../wire/example-ids.js';
import { Message } from '../wire/message.js';
import { IdpIdRequest } from './idp.dto.js';
import { DESCRIPTION } from './idp-words.js';
import {
  AddIdpToOrgLoginPolicyRequest,
  ListLoginPolicyIdpsRequest,
  ListLoginPolicyIdpsResponse,
} from './login-policy-idp.dto.js';
import { LoginPolicyIdpOperations } from './login-policy-idp.operations.js';

/** The identity providers that the login policy of an organization lists. */
@ApiTags('Login policy' satisfies Tag)
@Controller('management/v1/policies/login/idps')
@OfOrg()
export class OrgLoginPolicyIdpController {
  constructor(private readonly listed: LoginPolicyIdpOperations) {}

  @Post('_search')
  @Requires('policy.read')
  @Operation({
    id: 'ListLoginPolicyIDPsOfOrg',
    summary: "List the identity providers of the organization's login policy",
    description: DESCRIPTION.listListed,
    request: ListLoginPolicyIdpsRequest,
    returns: ListLoginPolicyIdpsResponse,
  })
  async list(
    @Asking() actor: Actor,
    @Message() request: ListLoginPolicyIdpsRequest,
  ): Promise<ListLoginPolicyIdpsResponse> {
    return this.listed.list(this.listed.org(actor), request);
  }

  @Post()
  @Requires('policy.write')
  @Operation({
    id: 'AddIDPToLoginPolicyOfOrg',
    summary: "Add an identity provider to the organization's login policy",
    description: DESCRIPTION.addListed,
    request: AddIdpToOrgLoginPolicyRequest,
    exampleWith: { idpId: EXAMPLE.orgIdp },
    returns: DetailsResponse,
    refuses: [idpNotFound(), idpListed(), idpPolicyMissing()],
  })
  async add(@Asking() actor: Actor, @Message() request: AddIdpToOrgLoginPolicyRequest): Promise<DetailsResponse> {
    return this.listed.add(
      this.listed.org(actor),
      request.ownerType === 'org' ? this.listed.org(actor) : await this.listed.instance(),
      actor,
      request.idpId,
    );
  }

  @Delete(':idpId')
  @Requires('policy.write')
  @Operation({
    id: 'RemoveIDPFromLoginPolicyOfOrg',
    summary: "Remove an identity provider from the organization's login policy",
    description: DESCRIPTION.removeListed,
    request: IdpIdRequest,
    exampleWith: { idpId: EXAMPLE.orgIdp },
    returns: DetailsResponse,
    refuses: [idpNotListed()],
  })
  async remove(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<DetailsResponse> {
    return this.listed.remove(this.listed.org(actor), actor, request.idpId);
  }
}
