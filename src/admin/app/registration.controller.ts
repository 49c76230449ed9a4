import { Controller, Delete, Get, Post } from '@nestjs/common';
import { IssuerConfig } from '../../foundation/config/config.js';
import { Registrations } from '../../management/project/registrations.js';
import {
  clientNotFound,
  clientNotRegisteredByItself,
  registrationTokenNotFound,
} from '../../project/client/client.errors.js';
import { projectNotFound } from '../../project/project.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toAddedDetails, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import {
  AddRegistrationTokenRequest,
  AddRegistrationTokenResponse,
  ListRegistrationTokensRequest,
  ListRegistrationTokensResponse,
  RegenerateAppRegistrationRequest,
  RegenerateAppRegistrationResponse,
  RegistrationTokenReference,
  RemoveRegisteredAppsRequest,
  RemoveRegisteredAppsResponse,
} from './registration.dto.js';

/** Applications that register themselves (RFC 7591): the tokens that let them, and how they are removed. */
@Tagged('Applications')
@Controller('management/v1/projects/:projectId')
@OfOrg()
export class RegistrationController {
  constructor(
    private readonly registrations: Registrations,
    private readonly issuer: IssuerConfig,
  ) {}

  @Post('registration_tokens')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'AddRegistrationToken',
    summary: 'Create an initial access token, with which applications register themselves in a project (RFC 7591)',
    request: AddRegistrationTokenRequest,
    exampleWith: { expirationDate: undefined },
    returns: AddRegistrationTokenResponse,
    refuses: [projectNotFound()],
  })
  async addToken(
    @Asking() actor: Actor,
    @Message() { projectId, expirationDate, uses, redirectHosts, deviceCode }: AddRegistrationTokenRequest,
  ): Promise<AddRegistrationTokenResponse> {
    const input = { expiresAt: expirationDate, uses: uses === 0 ? 1 : uses, redirectHosts, deviceCode };
    const { token, stored } = await this.registrations.addToken(actor, projectId, input);
    return {
      id: stored.id,
      token: token.reveal(),
      expirationDate: stored.expiresAt,
      details: toAddedDetails({ sequence: stored.sequence, at: stored.creationDate }, actor.orgId),
    };
  }

  @Get('registration_tokens')
  @Requires('project.app.read', { project: 'projectId' })
  @Operation({
    id: 'ListRegistrationTokens',
    summary: 'List the initial access tokens of a project that can still be used',
    request: ListRegistrationTokensRequest,
    returns: ListRegistrationTokensResponse,
    refuses: [projectNotFound()],
  })
  async listTokens(
    @Asking() actor: Actor,
    @Message() { projectId }: ListRegistrationTokensRequest,
  ): Promise<ListRegistrationTokensResponse> {
    const tokens = await this.registrations.listTokens(actor, projectId);
    return {
      result: tokens.map((token) => ({
        id: token.id,
        details: toDetails(token, actor.orgId),
        expirationDate: token.expiresAt,
        usesLeft: token.usesLeft,
        redirectHosts: token.redirectHosts,
        deviceCode: token.deviceCode,
      })),
    };
  }

  @Delete('registration_tokens/:tokenId')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'RemoveRegistrationToken',
    summary: 'Remove an initial access token; applications that it has registered stay',
    request: RegistrationTokenReference,
    returns: DetailsResponse,
    refuses: [projectNotFound(), registrationTokenNotFound()],
  })
  async removeToken(
    @Asking() actor: Actor,
    @Message() { projectId, tokenId }: RegistrationTokenReference,
  ): Promise<DetailsResponse> {
    return {
      details: toChangedDetails(await this.registrations.removeToken(actor, projectId, tokenId), actor.orgId),
    };
  }

  @Post('registered_apps/_sweep')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'RemoveRegisteredApps',
    summary: 'Remove unused applications of a project that have registered or described themselves',
    request: RemoveRegisteredAppsRequest,
    returns: RemoveRegisteredAppsResponse,
    refuses: [projectNotFound()],
  })
  async sweep(
    @Asking() actor: Actor,
    @Message() { projectId, unusedDays }: RemoveRegisteredAppsRequest,
  ): Promise<RemoveRegisteredAppsResponse> {
    return this.registrations.sweep(actor, projectId, unusedDays);
  }

  @Post('apps/:appId/registration/_renew')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'RegenerateAppRegistration',
    summary:
      'Replace the token with which a registered application changes its registration; the old one becomes invalid',
    request: RegenerateAppRegistrationRequest,
    returns: RegenerateAppRegistrationResponse,
    refuses: [projectNotFound(), clientNotFound(), clientNotRegisteredByItself()],
  })
  async renew(
    @Asking() actor: Actor,
    @Message() { projectId, appId }: RegenerateAppRegistrationRequest,
  ): Promise<RegenerateAppRegistrationResponse> {
    const { clientId, token, mark } = await this.registrations.renewAccess(actor, { projectId, appId });
    return {
      registrationAccessToken: token.reveal(),
      registrationClientUri: `${this.issuer.publicUrl}/oauth/v2/register/${clientId}`,
      details: toChangedDetails(mark, actor.orgId),
    };
  }
}
