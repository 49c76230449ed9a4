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
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { Operation } from '../operation.js';
import type { Tag } from '../tags.js';
import { DetailsResponse } from '../wire/details.dto.js';
import { EXAMPLE } from '../wire/example-ids.js';
import { Message } from '../wire/message.js';
import {
  AddJwtIdpRequest,
  AddJwtIdpResponse,
  AddOidcIdpRequest,
  AddOidcIdpResponse,
  GetIdpRequest,
  GetIdpResponse,
  IdpIdRequest,
  ListIdpsRequest,
  ListIdpsResponse,
  TestIdpResponse,
  UpdateIdpJwtConfigRequest,
  UpdateIdpOidcConfigRequest,
  UpdateIdpRequest,
} from './idp.dto.js';
import { IdpOperations } from './idp.operations.js';
import { DEPRECATED_SINCE, DESCRIPTION } from './idp-words.js';

/** The identity providers of the instance. */
@ApiTags('Identity providers' satisfies Tag)
@Controller('admin/v1/idps')
export class IdpController {
  constructor(private readonly idps: IdpOperations) {}

  @Post('oidc')
  @Requires('iam.idp.write')
  @Operation({
    id: 'AddOIDCIDP',
    summary: 'Add an OpenID Connect identity provider to the instance',
    description: DESCRIPTION.add,
    deprecated: DEPRECATED_SINCE,
    request: AddOidcIdpRequest,
    returns: AddOidcIdpResponse,
    refuses: [idpNameTaken('Example accounts')],
  })
  async addOidc(@Asking() actor: Actor, @Message() request: AddOidcIdpRequest): Promise<AddOidcIdpResponse> {
    return this.idps.addOidc(await this.idps.instance(), actor, request);
  }

  @Post('jwt')
  @Requires('iam.idp.write')
  @Operation({
    id: 'AddJWTIDP',
    summary: 'Add a JWT identity provider to the instance',
    description: DESCRIPTION.add,
    deprecated: DEPRECATED_SINCE,
    request: AddJwtIdpRequest,
    returns: AddJwtIdpResponse,
    refuses: [idpNameTaken('Example proxy')],
  })
  async addJwt(@Asking() actor: Actor, @Message() request: AddJwtIdpRequest): Promise<AddJwtIdpResponse> {
    return this.idps.addJwt(await this.idps.instance(), actor, request);
  }

  @Post('_search')
  @Requires('iam.idp.read')
  @Operation({
    id: 'ListIDPs',
    summary: 'List the identity providers of the instance',
    description: DESCRIPTION.list,
    request: ListIdpsRequest,
    returns: ListIdpsResponse,
  })
  async list(@Asking() _actor: Actor, @Message() request: ListIdpsRequest): Promise<ListIdpsResponse> {
    return this.idps.list(await this.idps.instance(), request);
  }

  @Get(':idpId')
  @Requires('iam.idp.read')
  @Operation({
    id: 'GetIDPByID',
    summary: 'Get an identity provider of the instance',
    description: DESCRIPTION.get,
    request: GetIdpRequest,
    returns: GetIdpResponse,
    refuses: [idpNotFound()],
  })
  async get(@Asking() _actor: Actor, @Message() request: GetIdpRequest): Promise<GetIdpResponse> {
    return this.idps.get(await this.idps.instance(), request);
  }

  @Put(':idpId')
  @Requires('iam.idp.write')
  @Operation({
    id: 'UpdateIDP',
    summary: 'Update an identity provider of the instance',
    description: DESCRIPTION.update,
    request: UpdateIdpRequest,
    returns: DetailsResponse,
    refuses: [idpNotFound(), idpUnchanged(), idpNameTaken('Example accounts')],
  })
  async update(@Asking() actor: Actor, @Message() request: UpdateIdpRequest): Promise<DetailsResponse> {
    return this.idps.update(await this.idps.instance(), actor, request);
  }

  @Put(':idpId/oidc_config')
  @Requires('iam.idp.write')
  @Operation({
    id: 'UpdateIDPOIDCConfig',
    summary: 'Update the OpenID Connect configuration of an identity provider of the instance',
    description: DESCRIPTION.updateOidc,
    request: UpdateIdpOidcConfigRequest,
    exampleWith: { scopes: ['openid', 'profile', 'email', 'groups'] },
    returns: DetailsResponse,
    refuses: [idpNotFound(), idpUnchanged(), idpOfOtherType('jwt')],
  })
  async updateOidcConfig(
    @Asking() actor: Actor,
    @Message() request: UpdateIdpOidcConfigRequest,
  ): Promise<DetailsResponse> {
    return this.idps.updateOidcConfig(await this.idps.instance(), actor, request);
  }

  @Put(':idpId/jwt_config')
  @Requires('iam.idp.write')
  @Operation({
    id: 'UpdateIDPJWTConfig',
    summary: 'Update the JWT configuration of an identity provider of the instance',
    description: DESCRIPTION.update,
    request: UpdateIdpJwtConfigRequest,
    exampleWith: { headerName: 'x-jwt', idpId: EXAMPLE.jwtIdp },
    returns: DetailsResponse,
    refuses: [idpNotFound(), idpUnchanged(), idpOfOtherType('oidc')],
  })
  async updateJwtConfig(
    @Asking() actor: Actor,
    @Message() request: UpdateIdpJwtConfigRequest,
  ): Promise<DetailsResponse> {
    return this.idps.updateJwtConfig(await this.idps.instance(), actor, request);
  }

  @Post(':idpId/_deactivate')
  @Requires('iam.idp.write')
  @Operation({
    id: 'DeactivateIDP',
    summary: 'Deactivate an identity provider of the instance',
    description: DESCRIPTION.deactivate,
    request: IdpIdRequest,
    returns: DetailsResponse,
    refuses: [idpNotFound(), idpNotActive()],
  })
  async deactivate(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<DetailsResponse> {
    return this.idps.deactivate(await this.idps.instance(), actor, request);
  }

  @Post(':idpId/_reactivate')
  @Requires('iam.idp.write')
  @Operation({
    id: 'ReactivateIDP',
    summary: 'Reactivate an identity provider of the instance',
    description: DESCRIPTION.reactivate,
    request: IdpIdRequest,
    returns: DetailsResponse,
    refuses: [idpNotFound(), idpNotInactive()],
  })
  async reactivate(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<DetailsResponse> {
    return this.idps.reactivate(await this.idps.instance(), actor, request);
  }

  @Delete(':idpId')
  @Requires('iam.idp.write')
  @Operation({
    id: 'RemoveIDP',
    summary: 'Remove an identity provider from the instance',
    description: DESCRIPTION.remove,
    request: IdpIdRequest,
    returns: DetailsResponse,
    refuses: [idpNotFound()],
  })
  async remove(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<DetailsResponse> {
    return this.idps.remove(await this.idps.instance(), actor, request);
  }

  @Post(':idpId/_test')
  @Requires('iam.idp.write')
  @Operation({
    id: 'TestIDP',
    summary: 'Test the configuration of an identity provider of the instance',
    description: DESCRIPTION.test,
    request: IdpIdRequest,
    returns: TestIdpResponse,
    refuses: [idpNotFound()],
  })
  async test(@Asking() _actor: Actor, @Message() request: IdpIdRequest): Promise<TestIdpResponse> {
    return this.idps.test(await this.idps.instance(), request);
  }
}
