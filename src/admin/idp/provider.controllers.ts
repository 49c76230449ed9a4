import { Controller, Post, type Type } from '@nestjs/common';
import { idpNameTaken } from '../../idp/idp.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { type Level, named, operationIdAt } from '../kit/level.js';
import { Operation } from '../kit/operation.js';
import { Tagged } from '../kit/wire/documentation.js';
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

/** Adding identity providers so that people only see those that work. */
export function providerController(level: Level): Type {
  const { writeIdp } = level.permissions;

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
      @Message() { providerOptions, offerUntested, ...config }: AddGenericOidcProviderRequest,
    ): Promise<AddGenericOidcProviderResponse> {
      const options = fromOptions(providerOptions);
      const owner = await this.idps.ownerAt(level, actor);
      return this.idps.addTested(owner, actor, { oidc: { ...config, ...options } }, offerUntested);
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
  }
  return named(level, 'Provider', ProviderController);
}
