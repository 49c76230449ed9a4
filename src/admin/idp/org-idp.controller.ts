import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  idpNameTaken,
  idpNotActive,
  idpNotFound,
  idpNotInactive,
  idpOfOtherType,
  idpUnchanged,
} from '../../idp/idp.errors.js';
import type { Actor } from '../../permission/actor.js';
import { userTooStrong } from '../../permission/permission.errors.js';
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { OfOrg, Operation } from '../operation.js';
import type { Tag } from '../tags.js';
import { DetailsResponse } from '../wire/details.dto.js';
import { EXAMPLE } from '../wire/example-ids.js';
import { Message } from '../wire/message.js';
import {
  AddJwtIdpRequest,
  AddOidcIdpRequest,
  AddOrgJwtIdpResponse,
  AddOrgOidcIdpResponse,
  GetIdpRequest,
  GetIdpResponse,
  IdpIdRequest,
  ListIdpsResponse,
  ListOrgIdpsRequest,
  TestIdpResponse,
  UpdateIdpJwtConfigRequest,
  UpdateIdpRequest,
  UpdateOrgIdpOidcConfigRequest,
} from './idp.dto.js';
import { IdpOperations } from './idp.operations.js';
import { DEPRECATED_SINCE, DESCRIPTION } from './idp-words.js';

/** The identity providers of an organization. */
@ApiTags('Identity providers' satisfies Tag)
@Controller('management/v1/idps')
@OfOrg()
export class OrgIdpController {
  constructor(private readonly idps: IdpOperations) {}

  @Post('oidc')
  @Requires('org.idp.write')
  @Operation({
    id: 'AddOrgOIDCIDP',
    summary: 'Add an OpenID Connect identity provider to the organization',
    description: DESCRIPTION.add,
    deprecated: DEPRECATED_SINCE,
    request: AddOidcIdpRequest,
    returns: AddOrgOidcIdpResponse,
    refuses: [idpNameTaken('Example accounts')],
  })
  async addOidc(@Asking() actor: Actor, @Message() request: AddOidcIdpRequest): Promise<AddOrgOidcIdpResponse> {
    return this.idps.addOidc(this.idps.org(actor), actor, request);
  }

  @Post('jwt')
  @Requires('org.idp.write')
  @Operation({
    id: 'AddOrgJWTIDP',
    summary: 'Add a JWT identity provider to the organization',
    description: DESCRIPTION.add,
    deprecated: DEPRECATED_SINCE,
    request: AddJwtIdpRequest,
    returns: AddOrgJwtIdpResponse,
    refuses: [idpNameTaken('Example proxy')],
  })
  async addJwt(@Asking() actor: Actor, @Message() request: AddJwtIdpRequest): Promise<AddOrgJwtIdpResponse> {
    return this.idps.addJwt(this.idps.org(actor), actor, request);
  }

  @Post('_search')
  @Requires('org.idp.read')
  @Operation({
    id: 'ListOrgIDPs',
    summary: 'List the identity providers of the organization and of the instance',
    description: DESCRIPTION.list,
    request: ListOrgIdpsRequest,
    returns: ListIdpsResponse,
  })
  async list(@Asking() actor: Actor, @Message() request: ListOrgIdpsRequest): Promise<ListIdpsResponse> {
    return this.idps.list(this.idps.org(actor), request);
  }

  @Get(':idpId')
  @Requires('org.idp.read')
  @Operation({
    id: 'GetOrgIDPByID',
    summary: 'Get an identity provider of the organization or of the instance',
    description: DESCRIPTION.get,
    request: GetIdpRequest,
    exampleWith: { idpId: EXAMPLE.orgIdp },
    returns: GetIdpResponse,
    refuses: [idpNotFound()],
  })
  async get(@Asking() actor: Actor, @Message() request: GetIdpRequest): Promise<GetIdpResponse> {
    return this.idps.get(this.idps.org(actor), request);
  }

  @Put(':idpId')
  @Requires('org.idp.write')
  @Operation({
    id: 'UpdateOrgIDP',
    summary: 'Update an identity provider of the organization',
    description: DESCRIPTION.update,
    request: UpdateIdpRequest,
    exampleWith: { idpId: EXAMPLE.orgIdp },
    returns: DetailsResponse,
    refuses: [idpNotFound(), idpUnchanged(), idpNameTaken('Example accounts')],
  })
  async update(@Asking() actor: Actor, @Message() request: UpdateIdpRequest): Promise<DetailsResponse> {
    return this.idps.update(this.idps.org(actor), actor, request);
  }

  @Put(':idpId/oidc_config')
  @Requires('org.idp.write')
  @Operation({
    id: 'UpdateOrgIDPOIDCConfig',
    summary: 'Update the OpenID Connect configuration of an identity provider of the organization',
    description: DESCRIPTION.updateOidc,
    request: UpdateOrgIdpOidcConfigRequest,
    exampleWith: { scopes: ['openid', 'profile', 'email', 'groups'], idpId: EXAMPLE.orgIdp },
    returns: DetailsResponse,
    refuses: [idpNotFound(), idpUnchanged(), idpOfOtherType('jwt'), userTooStrong()],
  })
  async updateOidcConfig(
    @Asking() actor: Actor,
    @Message() request: UpdateOrgIdpOidcConfigRequest,
  ): Promise<DetailsResponse> {
    return this.idps.updateOidcConfig(this.idps.org(actor), actor, request);
  }

  @Put(':idpId/jwt_config')
  @Requires('org.idp.write')
  @Operation({
    id: 'UpdateOrgIDPJWTConfig',
    summary: 'Update the JWT configuration of an identity provider of the organization',
    description: DESCRIPTION.update,
    request: UpdateIdpJwtConfigRequest,
    exampleWith: { headerName: 'x-jwt', idpId: EXAMPLE.orgJwtIdp },
    returns: DetailsResponse,
    refuses: [idpNotFound(), idpUnchanged(), idpOfOtherType('oidc'), userTooStrong()],
  })
  async updateJwtConfig(
    @Asking() actor: Actor,
    @Message() request: UpdateIdpJwtConfigRequest,
  ): Promise<DetailsResponse> {
    return this.idps.updateJwtConfig(this.idps.org(actor), actor, request);
  }

  @Post(':idpId/_deactivate')
  @Requires('org.idp.write')
  @Operation({
    id: 'DeactivateOrgIDP',
    summary: 'Deactivate an identity provider of the organization',
    description: DESCRIPTION.deactivate,
    request: IdpIdRequest,
    exampleWith: { idpId: EXAMPLE.orgIdp },
    returns: DetailsResponse,
    refuses: [idpNotFound(), idpNotActive()],
  })
  async deactivate(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<DetailsResponse> {
    return this.idps.deactivate(this.idps.org(actor), actor, request);
  }

  @Post(':idpId/_reactivate')
  @Requires('org.idp.write')
  @Operation({
    id: 'ReactivateOrgIDP',
    summary: 'Reactivate an identity provider of the organization',
    description: DESCRIPTION.reactivate,
    request: IdpIdRequest,
    exampleWith: { idpId: EXAMPLE.orgIdp },
    returns: DetailsResponse,
    refuses: [idpNotFound(), idpNotInactive()],
  })
  async reactivate(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<DetailsResponse> {
    return this.idps.reactivate(this.idps.org(actor), actor, request);
  }

  @Delete(':idpId')
  @Requires('org.idp.write')
  @Operation({
    id: 'RemoveOrgIDP',
    summary: 'Remove an identity provider from the organization',
    description: DESCRIPTION.remove,
    request: IdpIdRequest,
    exampleWith: { idpId: EXAMPLE.orgIdp },
    returns: DetailsResponse,
    refuses: [idpNotFound()],
  })
  async remove(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<DetailsResponse> {
    return this.idps.remove(this.idps.org(actor), actor, request);
  }

  @Post(':idpId/_test')
  @Requires('org.idp.write')
  @Operation({
    id: 'TestOrgIDP',
    summary: 'Test the configuration of an identity provider of the organization',
    description: DESCRIPTION.test,
    request: IdpIdRequest,
    exampleWith: { idpId: EXAMPLE.orgIdp },
    returns: TestIdpResponse,
    refuses: [idpNotFound()],
  })
  async test(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<TestIdpResponse> {
    return this.idps.test(this.idps.org(actor), request);
  }
}
