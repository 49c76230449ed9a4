import { Controller, Delete, Get, Post, Put, type Type } from '@nestjs/common';
import { idpNameTaken, idpNotFound, idpOfOtherType, idpUnchanged } from '../../idp/idp.errors.js';
import { oidcOptions } from '../../idp/idp-rules.js';
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
import { IdpOperations } from './idp.operations.js';
import { DESCRIPTION } from './idp-words.js';
import {
  AddExtensionProviderOfOrgResponse,
  AddExtensionProviderRequest,
  AddExtensionProviderResponse,
  AddGenericOidcProviderOfOrgResponse,
  AddGenericOidcProviderRequest,
  AddGenericOidcProviderResponse,
  AddJwtProviderOfOrgResponse,
  AddJwtProviderRequest,
  AddJwtProviderResponse,
} from './provider.dto.js';
import { fromOptions } from './provider-options.dto.js';
import {
  GetProviderByIdResponse,
  ListProvidersOfOrgRequest,
  ListProvidersRequest,
  ListProvidersResponse,
  ProviderIdRequest,
  UpdateGenericOidcProviderRequest,
  UpdateJwtProviderRequest,
} from './provider-requests.dto.js';

const EXAMPLE_IDS = {
  oidc: { instance: EXAMPLE.oidcProvider, org: EXAMPLE.orgOidcProvider },
  jwt: { instance: EXAMPLE.jwtProvider, org: EXAMPLE.orgJwtProvider },
};

/** Identity providers, of which people only see those that work. */
export function providerController(level: Level): Type {
  const { readIdp, writeIdp } = level.permissions;
  const at = level.isOrg ? 'org' : 'instance';
  const readable = level.isOrg ? 'the organization and of the instance' : 'the instance';
  const mayBeStronger = level.isOrg ? [userTooStrong()] : [];

  @Tagged('Identity providers')
  @Controller(`${level.prefix}/idps`)
  @level.documentation
  class ProviderController {
    constructor(private readonly idps: IdpOperations) {}

    @Post('generic_oidc')
    @Requires(writeIdp)
    @Operation({
      id: operationIdAt(level, 'AddGenericOIDCProvider'),
      summary: `Add an OpenID Connect identity provider to ${level.owner} and test it`,
      description: DESCRIPTION.addTested,
      request: AddGenericOidcProviderRequest,
      returns: level.isOrg ? AddGenericOidcProviderOfOrgResponse : AddGenericOidcProviderResponse,
      refuses: [idpNameTaken('Company directory')],
    })
    async addOidc(
      @Asking() actor: Actor,
      @Message()
      { providerOptions, offerUntested, isIdTokenMapping, usePkce, ...config }: AddGenericOidcProviderRequest,
    ): Promise<AddGenericOidcProviderResponse> {
      const options = fromOptions(providerOptions);
      const settings = oidcOptions({ isIdTokenMapping, usePkce });
      const owner = await this.idps.ownerAt(level, actor);
      return this.idps.addTested(owner, actor, { oidc: { ...config, ...options, settings } }, offerUntested);
    }

    @Post('generic_jwt')
    @Requires(writeIdp)
    @Operation({
      id: operationIdAt(level, 'AddJWTProvider'),
      summary: `Add a JWT identity provider to ${level.owner} and test it`,
      description: DESCRIPTION.addTested,
      request: AddJwtProviderRequest,
      returns: level.isOrg ? AddJwtProviderOfOrgResponse : AddJwtProviderResponse,
      refuses: [idpNameTaken('Company proxy')],
    })
    async addJwt(
      @Asking() actor: Actor,
      @Message() { providerOptions, offerUntested, ...config }: AddJwtProviderRequest,
    ): Promise<AddJwtProviderResponse> {
      const options = fromOptions(providerOptions);
      const owner = await this.idps.ownerAt(level, actor);
      return this.idps.addTested(owner, actor, { jwt: { ...config, ...options } }, offerUntested);
    }

    @Post('extension')
    @Requires(writeIdp)
    @Operation({
      id: operationIdAt(level, 'AddExtensionProvider'),
      summary: `Add an identity provider whose kind an extension brings to ${level.owner} and test it`,
      description: DESCRIPTION.addTested,
      request: AddExtensionProviderRequest,
      returns: level.isOrg ? AddExtensionProviderOfOrgResponse : AddExtensionProviderResponse,
      refuses: [idpNameTaken('Company code hosting')],
    })
    async addExtension(
      @Asking() actor: Actor,
      @Message() { providerOptions, offerUntested, ...config }: AddExtensionProviderRequest,
    ): Promise<AddExtensionProviderResponse> {
      const options = fromOptions(providerOptions);
      const owner = await this.idps.ownerAt(level, actor);
      return this.idps.addTested(owner, actor, { extension: { ...config, ...options } }, offerUntested);
    }

    @Put('generic_oidc/:id')
    @Requires(writeIdp)
    @Operation({
      id: operationIdAt(level, 'UpdateGenericOIDCProvider'),
      summary: `Update an OpenID Connect identity provider of ${level.owner}`,
      description: DESCRIPTION.updateProvider,
      request: UpdateGenericOidcProviderRequest,
      exampleWith: { id: EXAMPLE_IDS.oidc[at] },
      returns: DetailsResponse,
      refuses: [
        idpNotFound(),
        idpUnchanged(),
        idpOfOtherType('jwt'),
        idpNameTaken('Directory of Acme'),
        ...mayBeStronger,
      ],
    })
    async updateOidc(
      @Asking() actor: Actor,
      @Message() request: UpdateGenericOidcProviderRequest,
    ): Promise<DetailsResponse> {
      return this.idps.updateOidc(await this.idps.ownerAt(level, actor), actor, request);
    }

    @Put('generic_jwt/:id')
    @Requires(writeIdp)
    @Operation({
      id: operationIdAt(level, 'UpdateJWTProvider'),
      summary: `Update a JWT identity provider of ${level.owner}`,
      description: DESCRIPTION.updateProvider,
      request: UpdateJwtProviderRequest,
      exampleWith: { id: EXAMPLE_IDS.jwt[at] },
      returns: DetailsResponse,
      refuses: [idpNotFound(), idpUnchanged(), idpOfOtherType('oidc'), idpNameTaken('Proxy of Acme'), ...mayBeStronger],
    })
    async updateJwt(@Asking() actor: Actor, @Message() request: UpdateJwtProviderRequest): Promise<DetailsResponse> {
      return this.idps.updateJwt(await this.idps.ownerAt(level, actor), actor, request);
    }

    @Get('templates/:id')
    @Requires(readIdp)
    @Operation({
      id: operationIdAt(level, 'GetProviderByID'),
      summary: `Get the configuration of an identity provider of ${readable}`,
      description: DESCRIPTION.get,
      request: ProviderIdRequest,
      exampleWith: { id: EXAMPLE_IDS.oidc[at] },
      returns: GetProviderByIdResponse,
      refuses: [idpNotFound()],
    })
    async get(@Asking() actor: Actor, @Message() { id }: ProviderIdRequest): Promise<GetProviderByIdResponse> {
      return this.idps.getProvider(await this.idps.ownerAt(level, actor), id);
    }

    @Post('templates/_search')
    @Requires(readIdp)
    @Operation({
      id: operationIdAt(level, 'ListProviders'),
      summary: `List the identity providers of ${readable} with their configuration`,
      description: DESCRIPTION.listProviders,
      request: level.isOrg ? ListProvidersOfOrgRequest : ListProvidersRequest,
      returns: ListProvidersResponse,
    })
    async list(
      @Asking() actor: Actor,
      @Message() request: ListProvidersRequest | ListProvidersOfOrgRequest,
    ): Promise<ListProvidersResponse> {
      return this.idps.listProviders(await this.idps.ownerAt(level, actor), request);
    }

    @Delete('templates/:id')
    @Requires(writeIdp)
    @Operation({
      id: operationIdAt(level, 'DeleteProvider'),
      summary: `Delete an identity provider of ${level.owner}`,
      description: DESCRIPTION.remove,
      request: ProviderIdRequest,
      exampleWith: { id: EXAMPLE_IDS.jwt[at] },
      returns: DetailsResponse,
      refuses: [idpNotFound()],
    })
    async remove(@Asking() actor: Actor, @Message() { id }: ProviderIdRequest): Promise<DetailsResponse> {
      return this.idps.remove(await this.idps.ownerAt(level, actor), actor, { idpId: id });
    }
  }
  return named(level, 'Provider', ProviderController);
}
