import { Controller, Post, Put } from '@nestjs/common';
import { HttpConfig, IssuerConfig } from '../../foundation/config/config.js';
import { ApplicationPreviews } from '../../management/project/application-previews.js';
import { Applications } from '../../management/project/applications.js';
import {
  clientDescribedElsewhere,
  clientInactive,
  clientNameTaken,
  clientNotFound,
  clientOfOtherKind,
  clientWithoutSecret,
} from '../../project/client/client.errors.js';
import { DEFAULT_SETTINGS } from '../../project/client/client-settings.js';
import { complianceProblems } from '../../project/client/compliance.js';
import { ExtGrants } from '../../project/client/ext-grants.js';
import { projectNotFound } from '../../project/project.errors.js';
import { previewOfProgram } from '../../token/token-preview.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { userNotFound } from '../../user/user.errors.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toAddedDetails, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import { AppReference, ClientSecretResponse, PreviewTokensRequest, PreviewTokensResponse } from './app.dto.js';
import { toCompliance, toOidcSettings } from './app.mapping.js';
import { AddOidcAppRequest, AddOidcAppResponse, UpdateOidcAppConfigRequest } from './oidc-app.dto.js';

/** Applications that sign people in. */
@Tagged('Applications')
@Controller('management/v1/projects/:projectId/apps')
@OfOrg()
export class OidcAppController {
  constructor(
    private readonly applications: Applications,
    private readonly previews: ApplicationPreviews,
    private readonly http: HttpConfig,
    private readonly grants: ExtGrants,
    private readonly issuer: IssuerConfig,
  ) {}

  @Post('oidc')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'AddOIDCApp',
    summary: 'Create an OpenID Connect application',
    request: AddOidcAppRequest,
    returns: AddOidcAppResponse,
    refuses: [projectNotFound(), clientNameTaken()],
  })
  async add(
    @Asking() actor: Actor,
    @Message() { projectId, name, ...config }: AddOidcAppRequest,
  ): Promise<AddOidcAppResponse> {
    const settings = toOidcSettings(config);
    const { id, clientId, secret, mark } = await this.applications.add(actor, {
      ...settings,
      projectId,
      name,
      kind: 'oidc',
    });
    return {
      appId: id,
      details: toAddedDetails(mark, actor.orgId),
      clientId,
      clientSecret: secret?.reveal() ?? '',
      ...toCompliance(
        complianceProblems({ ...DEFAULT_SETTINGS, ...settings }, this.http, this.grants, this.issuer),
        settings,
        this.grants,
      ),
    };
  }

  @Put(':appId/oidc_config')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'UpdateOIDCAppConfig',
    summary: 'Update the configuration of an OpenID Connect application',
    request: UpdateOidcAppConfigRequest,
    returns: DetailsResponse,
    description:
      'Replaces the whole configuration: omitted fields are reset. The client secret is deleted if the new authentication method does not use one.',
    refuses: [projectNotFound(), clientNotFound(), clientOfOtherKind('oidc'), clientDescribedElsewhere()],
  })
  async update(
    @Asking() actor: Actor,
    @Message() { projectId, appId, ...config }: UpdateOidcAppConfigRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.applications.configure(actor, { projectId, appId }, 'oidc', toOidcSettings(config));
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Post(':appId/oidc_config/_generate_client_secret')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'RegenerateOIDCClientSecret',
    summary: 'Regenerate the client secret of an OpenID Connect application',
    request: AppReference,
    returns: ClientSecretResponse,
    refuses: [projectNotFound(), clientNotFound(), clientOfOtherKind('oidc'), clientWithoutSecret()],
  })
  async regenerateSecret(
    @Asking() actor: Actor,
    @Message() { projectId, appId }: AppReference,
  ): Promise<ClientSecretResponse> {
    const { secret, mark } = await this.applications.regenerateSecret(actor, { projectId, appId }, 'oidc');
    return { clientSecret: secret.reveal(), details: toChangedDetails(mark, actor.orgId) };
  }

  @Post(':appId/_preview')
  @Requires('project.app.read', { project: 'projectId' })
  @Operation({
    id: 'PreviewTokens',
    summary: 'Preview the tokens that an application would receive for a user',
    request: PreviewTokensRequest,
    exampleWith: { projectId: EXAMPLE.systemProject, appId: EXAMPLE.documentationApp, userId: EXAMPLE.administrator },
    returns: PreviewTokensResponse,
    description:
      'Built by the code that issues real tokens, but nothing is issued. Claims that only an issued token has (jti, sid, nonce, at_hash) are left out. Also requires user.read on the user.',
    refuses: [
      projectNotFound(),
      clientNotFound(),
      clientOfOtherKind('oidc'),
      clientInactive(),
      userNotFound(),
      previewOfProgram(),
    ],
  })
  async preview(
    @Asking() actor: Actor,
    @Message() { projectId, appId, userId, scopes }: PreviewTokensRequest,
  ): Promise<PreviewTokensResponse> {
    return this.previews.make(actor, { projectId, appId }, userId, scopes);
  }
}
