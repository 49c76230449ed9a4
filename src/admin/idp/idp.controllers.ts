import { Controller, Delete, Get, Post, Put, type Type } from '@nestjs/common';
import {
  idpKindUnavailable,
  idpNameTaken,
  idpNotActive,
  idpNotFound,
  idpNotInactive,
  idpOfOtherType,
  idpUnchanged,
} from '../../idp/idp.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { userTooStrong } from '../../user/permission/permission.errors.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { type Level, named, operationIdAt } from '../kit/level.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import { UpdateIdpExtensionConfigRequest } from './extension-idp.dto.js';
import {
  AddJwtIdpRequest,
  AddJwtIdpResponse,
  AddOidcIdpRequest,
  AddOidcIdpResponse,
  AddOrgJwtIdpResponse,
  AddOrgOidcIdpResponse,
  GetIdpRequest,
  GetIdpResponse,
  IdpIdRequest,
  ListIdpsRequest,
  ListIdpsResponse,
  ListOrgIdpsRequest,
  UpdateIdpJwtConfigRequest,
  UpdateIdpOidcConfigRequest,
  UpdateIdpRequest,
  UpdateOrgIdpOidcConfigRequest,
} from './idp.dto.js';
import { IdpOperations } from './idp.operations.js';
import { TestIdpResponse } from './idp-test.dto.js';
import { DEPRECATED_SINCE, DESCRIPTION } from './idp-words.js';

/** The messages and descriptions in which the two levels differ. */
const OF_INSTANCE = {
  word: '',
  readable: { one: 'of the instance', all: 'of the instance' },
  messages: {
    addedOidc: AddOidcIdpResponse,
    addedJwt: AddJwtIdpResponse,
    list: ListIdpsRequest,
    updateOidcConfig: UpdateIdpOidcConfigRequest,
  },
  oidcExample: {},
  jwtExample: { idpId: EXAMPLE.jwtIdp },
  extensionExample: EXAMPLE.extensionProvider,
  mayBeStronger: [],
};

const OF_ORG = {
  word: 'Org',
  readable: { one: 'of the organization or of the instance', all: 'of the organization and of the instance' },
  messages: {
    addedOidc: AddOrgOidcIdpResponse,
    addedJwt: AddOrgJwtIdpResponse,
    list: ListOrgIdpsRequest,
    updateOidcConfig: UpdateOrgIdpOidcConfigRequest,
  },
  oidcExample: { idpId: EXAMPLE.orgIdp },
  jwtExample: { idpId: EXAMPLE.orgJwtIdp },
  extensionExample: EXAMPLE.orgExtensionProvider,
  mayBeStronger: [userTooStrong()],
};

/** The identity providers of the instance or of an organization. */
export function idpController(level: Level): Type {
  const { word, readable, messages, oidcExample, jwtExample, extensionExample, mayBeStronger } = level.isOrg
    ? OF_ORG
    : OF_INSTANCE;
  const { readIdp, writeIdp } = level.permissions;

  @Tagged('Identity providers')
  @Controller(`${level.prefix}/idps`)
  @level.documentation
  class IdpController {
    constructor(private readonly idps: IdpOperations) {}

    @Post('oidc')
    @Requires(writeIdp)
    @Operation({
      id: `Add${word}OIDCIDP`,
      supersededBy: operationIdAt(level, 'AddGenericOIDCProvider'),
      summary: `Add an OpenID Connect identity provider to ${level.owner}`,
      description: DESCRIPTION.add,
      deprecated: DEPRECATED_SINCE,
      request: AddOidcIdpRequest,
      returns: messages.addedOidc,
      refuses: [idpNameTaken('Example accounts')],
    })
    async addOidc(@Asking() actor: Actor, @Message() request: AddOidcIdpRequest): Promise<AddOidcIdpResponse> {
      return this.idps.addOidc(await this.idps.ownerAt(level, actor), actor, request);
    }

    @Post('jwt')
    @Requires(writeIdp)
    @Operation({
      id: `Add${word}JWTIDP`,
      supersededBy: operationIdAt(level, 'AddJWTProvider'),
      summary: `Add a JWT identity provider to ${level.owner}`,
      description: DESCRIPTION.add,
      deprecated: DEPRECATED_SINCE,
      request: AddJwtIdpRequest,
      returns: messages.addedJwt,
      refuses: [idpNameTaken('Example proxy')],
    })
    async addJwt(@Asking() actor: Actor, @Message() request: AddJwtIdpRequest): Promise<AddJwtIdpResponse> {
      return this.idps.addJwt(await this.idps.ownerAt(level, actor), actor, request);
    }

    @Post('_search')
    @Requires(readIdp)
    @Operation({
      id: `List${word}IDPs`,
      summary: `List the identity providers ${readable.all}`,
      description: DESCRIPTION.list,
      request: messages.list,
      returns: ListIdpsResponse,
    })
    async list(
      @Asking() actor: Actor,
      @Message() request: ListIdpsRequest | ListOrgIdpsRequest,
    ): Promise<ListIdpsResponse> {
      return this.idps.list(await this.idps.ownerAt(level, actor), request);
    }

    @Get(':idpId')
    @Requires(readIdp)
    @Operation({
      id: `Get${word}IDPByID`,
      summary: `Get an identity provider ${readable.one}`,
      description: DESCRIPTION.get,
      request: GetIdpRequest,
      exampleWith: oidcExample,
      returns: GetIdpResponse,
      refuses: [idpNotFound()],
    })
    async get(@Asking() actor: Actor, @Message() request: GetIdpRequest): Promise<GetIdpResponse> {
      return this.idps.get(await this.idps.ownerAt(level, actor), request);
    }

    @Put(':idpId')
    @Requires(writeIdp)
    @Operation({
      id: `Update${word}IDP`,
      summary: `Update an identity provider of ${level.owner}`,
      description: DESCRIPTION.update,
      request: UpdateIdpRequest,
      exampleWith: oidcExample,
      returns: DetailsResponse,
      refuses: [idpNotFound(), idpUnchanged(), idpNameTaken('Example accounts')],
    })
    async update(@Asking() actor: Actor, @Message() request: UpdateIdpRequest): Promise<DetailsResponse> {
      return this.idps.update(await this.idps.ownerAt(level, actor), actor, request);
    }

    @Put(':idpId/oidc_config')
    @Requires(writeIdp)
    @Operation({
      id: `Update${word}IDPOIDCConfig`,
      summary: `Update the OpenID Connect configuration of an identity provider of ${level.owner}`,
      description: DESCRIPTION.updateOidc,
      request: messages.updateOidcConfig,
      exampleWith: { scopes: ['openid', 'profile', 'email', 'groups'], ...oidcExample },
      returns: DetailsResponse,
      refuses: [idpNotFound(), idpUnchanged(), idpOfOtherType('jwt'), ...mayBeStronger],
    })
    async updateOidcConfig(
      @Asking() actor: Actor,
      @Message() request: UpdateIdpOidcConfigRequest | UpdateOrgIdpOidcConfigRequest,
    ): Promise<DetailsResponse> {
      return this.idps.updateOidcConfig(await this.idps.ownerAt(level, actor), actor, request);
    }

    @Put(':idpId/jwt_config')
    @Requires(writeIdp)
    @Operation({
      id: `Update${word}IDPJWTConfig`,
      summary: `Update the JWT configuration of an identity provider of ${level.owner}`,
      description: DESCRIPTION.update,
      request: UpdateIdpJwtConfigRequest,
      exampleWith: { headerName: 'x-jwt', ...jwtExample },
      returns: DetailsResponse,
      refuses: [idpNotFound(), idpUnchanged(), idpOfOtherType('oidc'), ...mayBeStronger],
    })
    async updateJwtConfig(
      @Asking() actor: Actor,
      @Message() request: UpdateIdpJwtConfigRequest,
    ): Promise<DetailsResponse> {
      return this.idps.updateJwtConfig(await this.idps.ownerAt(level, actor), actor, request);
    }

    @Put(':idpId/extension_config')
    @Requires(writeIdp)
    @Operation({
      id: `Update${word}IDPExtensionConfig`,
      summary: `Update the configuration of an identity provider of ${level.owner} whose kind an extension brings`,
      description: DESCRIPTION.updateExtension,
      request: UpdateIdpExtensionConfigRequest,
      exampleWith: { idpId: extensionExample },
      returns: DetailsResponse,
      refuses: [
        idpNotFound(),
        idpUnchanged(),
        idpOfOtherType('oidc'),
        idpKindUnavailable('ext:github'),
        ...mayBeStronger,
      ],
    })
    async updateExtensionConfig(
      @Asking() actor: Actor,
      @Message() request: UpdateIdpExtensionConfigRequest,
    ): Promise<DetailsResponse> {
      return this.idps.updateExtensionConfig(await this.idps.ownerAt(level, actor), actor, request);
    }

    @Post(':idpId/_deactivate')
    @Requires(writeIdp)
    @Operation({
      id: `Deactivate${word}IDP`,
      summary: `Deactivate an identity provider of ${level.owner}`,
      description: DESCRIPTION.deactivate,
      request: IdpIdRequest,
      exampleWith: oidcExample,
      returns: DetailsResponse,
      refuses: [idpNotFound(), idpNotActive()],
    })
    async deactivate(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<DetailsResponse> {
      return this.idps.deactivate(await this.idps.ownerAt(level, actor), actor, request);
    }

    @Post(':idpId/_reactivate')
    @Requires(writeIdp)
    @Operation({
      id: `Reactivate${word}IDP`,
      summary: `Reactivate an identity provider of ${level.owner}`,
      description: DESCRIPTION.reactivate,
      request: IdpIdRequest,
      exampleWith: oidcExample,
      returns: DetailsResponse,
      refuses: [idpNotFound(), idpNotInactive()],
    })
    async reactivate(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<DetailsResponse> {
      return this.idps.reactivate(await this.idps.ownerAt(level, actor), actor, request);
    }

    @Delete(':idpId')
    @Requires(writeIdp)
    @Operation({
      id: `Remove${word}IDP`,
      summary: `Remove an identity provider from ${level.owner}`,
      description: DESCRIPTION.remove,
      request: IdpIdRequest,
      exampleWith: oidcExample,
      returns: DetailsResponse,
      refuses: [idpNotFound()],
    })
    async remove(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<DetailsResponse> {
      return this.idps.remove(await this.idps.ownerAt(level, actor), actor, request);
    }

    @Post(':idpId/_test')
    @Requires(writeIdp)
    @Operation({
      id: `Test${word}IDP`,
      summary: `Test the configuration of an identity provider of ${level.owner}`,
      description: DESCRIPTION.test,
      request: IdpIdRequest,
      exampleWith: oidcExample,
      returns: TestIdpResponse,
      refuses: [idpNotFound()],
    })
    async test(@Asking() actor: Actor, @Message() request: IdpIdRequest): Promise<TestIdpResponse> {
      return this.idps.test(await this.idps.ownerAt(level, actor), request);
    }
  }
  return named(level, 'Idp', IdpController);
}
