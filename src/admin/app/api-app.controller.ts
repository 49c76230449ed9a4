import { Controller, Post, Put } from '@nestjs/common';
import { Applications } from '../../management/project/applications.js';
import {
  clientNameTaken,
  clientNotFound,
  clientOfOtherKind,
  clientWithoutSecret,
} from '../../project/client/client.errors.js';
import { projectNotFound } from '../../project/project.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toAddedDetails, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import {
  AddApiAppRequest,
  AddApiAppResponse,
  AppReference,
  ClientSecretResponse,
  UpdateApiAppConfigRequest,
} from './app.dto.js';
import { toApiSettings } from './app.mapping.js';

/** Applications that ask about tokens, and get none. */
@Tagged('Applications')
@Controller('management/v1/projects/:projectId/apps')
@OfOrg()
export class ApiAppController {
  constructor(private readonly applications: Applications) {}

  @Post('api')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'AddAPIApp',
    summary: 'Create an API application',
    request: AddApiAppRequest,
    exampleWith: { name: 'Timetable API' },
    returns: AddApiAppResponse,
    refuses: [projectNotFound(), clientNameTaken()],
  })
  async add(
    @Asking() actor: Actor,
    @Message() { projectId, name, ...config }: AddApiAppRequest,
  ): Promise<AddApiAppResponse> {
    const { id, clientId, secret, mark } = await this.applications.add(actor, {
      projectId,
      name,
      kind: 'api',
      ...toApiSettings(config),
    });
    return { appId: id, details: toAddedDetails(mark, actor.orgId), clientId, clientSecret: secret?.reveal() ?? '' };
  }

  @Put(':appId/api_config')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'UpdateAPIAppConfig',
    summary: 'Update the configuration of an API application',
    request: UpdateApiAppConfigRequest,
    exampleWith: { appId: EXAMPLE.apiApp, authMethodType: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT' },
    returns: DetailsResponse,
    description: 'The client secret is deleted if the new authentication method does not use one.',
    refuses: [projectNotFound(), clientNotFound(), clientOfOtherKind('api')],
  })
  async update(
    @Asking() actor: Actor,
    @Message() { projectId, appId, ...config }: UpdateApiAppConfigRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.applications.configure(actor, { projectId, appId }, 'api', toApiSettings(config));
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Post(':appId/api_config/_generate_client_secret')
  @Requires('project.app.write', { project: 'projectId' })
  @Operation({
    id: 'RegenerateAPIClientSecret',
    summary: 'Regenerate the client secret of an API application',
    request: AppReference,
    exampleWith: { appId: EXAMPLE.apiApp },
    returns: ClientSecretResponse,
    refuses: [projectNotFound(), clientNotFound(), clientOfOtherKind('api'), clientWithoutSecret()],
  })
  async regenerateSecret(
    @Asking() actor: Actor,
    @Message() { projectId, appId }: AppReference,
  ): Promise<ClientSecretResponse> {
    const { secret, mark } = await this.applications.regenerateSecret(actor, { projectId, appId }, 'api');
    return { clientSecret: secret.reveal(), details: toChangedDetails(mark, actor.orgId) };
  }
}
