import { Controller, Get, Put } from '@nestjs/common';
import { Applications } from '../../management/project/applications.js';
import { clientDescribedElsewhere, clientNotFound } from '../../project/client/client.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import { AppAdministrationResponse, AppIdRequest, SetAppAdministrationRequest } from './app.dto.js';

/** The decisions about applications that only owners of the instance make. */
@Tagged('Applications')
@Controller('admin/v1/apps/:appId')
export class AppAdministrationController {
  constructor(private readonly applications: Applications) {}

  @Get('administration')
  @Requires('iam.read')
  @Operation({
    id: 'GetAppAdministration',
    summary: 'Get whether an application may administer with all roles of its users',
    request: AppIdRequest,
    returns: AppAdministrationResponse,
    refuses: [clientNotFound()],
  })
  async get(@Asking() _actor: Actor, @Message() { appId }: AppIdRequest): Promise<AppAdministrationResponse> {
    const { client, orgId } = await this.applications.getAnywhere(appId);
    return { details: toDetails(client, orgId), name: client.name, administration: client.administration };
  }

  @Put('administration')
  @Requires('iam.write')
  @Operation({
    id: 'SetAppAdministration',
    summary: 'Decide whether an application may administer with all roles of its users',
    description:
      'An application of an organization reaches that organization alone, by roles that its users hold there. One that is allowed to administer has all roles of its users, those of the instance included, and can then only be changed by owners of the instance. Its users are asked before they continue for the first time.',
    request: SetAppAdministrationRequest,
    returns: DetailsResponse,
    refuses: [clientNotFound(), clientDescribedElsewhere()],
  })
  async set(
    @Asking() actor: Actor,
    @Message() { appId, administration }: SetAppAdministrationRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.applications.setAdministration(actor, appId, administration);
    return { details: toChangedDetails(mark, (await this.applications.getAnywhere(appId)).orgId) };
  }
}
