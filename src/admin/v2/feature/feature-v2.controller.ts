import { Controller, Delete, Get, Put } from '@nestjs/common';
import { InstanceService } from '../../../org/instance/instance.service.js';
import type { Actor } from '../../../user/permission/actor.js';
import { InService } from '../../kit/grpc/services.js';
import { Asking } from '../../kit/guard/asking.js';
import { Requires } from '../../kit/guard/requires.js';
import { Operation } from '../../kit/operation.js';
import { Tagged } from '../../kit/wire/documentation.js';
import { Message } from '../../kit/wire/message.js';
import { type DetailsV2, unstoredDetails } from '../kit/object.dto.js';
import {
  FeaturesChangedV2,
  GetInstanceFeaturesResponseV2,
  GetSystemFeaturesResponseV2,
  SetInstanceFeaturesRequestV2,
  SetSystemFeaturesRequestV2,
} from './feature.dto.js';
import { checkFeatures, instanceFeatures, systemFeatures } from './known-features.js';
import { GetInstanceFeaturesRequestV2 } from './place-feature.dto.js';

const NOTHING_TO_RESET = 'Accepted, and changes nothing: the switches say how the service behaves.';
const ONLY_WHAT_HOLDS = 'Accepted for the values that hold; any other is refused by the name of its switch.';

/** The switches of the described system: here none can be changed, and each says how the service behaves. */
@Tagged('Features v2')
@Controller('v2/features')
@InService('feature')
export class FeatureV2Controller {
  constructor(private readonly instances: InstanceService) {}

  @Get('system')
  @Requires('iam.read')
  @Operation({
    id: 'GetSystemFeaturesV2',
    summary: 'Get the switches of the service, as it behaves',
    returns: GetSystemFeaturesResponseV2,
  })
  async getOfSystem(): Promise<GetSystemFeaturesResponseV2> {
    return systemFeatures(await this.details());
  }

  @Put('system')
  @Requires('iam.write')
  @Operation({
    id: 'SetSystemFeaturesV2',
    summary: 'Confirm switches of the service',
    description: ONLY_WHAT_HOLDS,
    request: SetSystemFeaturesRequestV2,
    returns: FeaturesChangedV2,
  })
  async setOfSystem(
    @Asking() _actor: Actor,
    @Message() request: SetSystemFeaturesRequestV2,
  ): Promise<FeaturesChangedV2> {
    checkFeatures(request);
    return { details: await this.details() };
  }

  @Delete('system')
  @Requires('iam.write')
  @Operation({
    id: 'ResetSystemFeaturesV2',
    summary: 'Reset the switches of the service',
    description: NOTHING_TO_RESET,
    returns: FeaturesChangedV2,
  })
  async resetOfSystem(): Promise<FeaturesChangedV2> {
    return { details: await this.details() };
  }

  @Get('instance')
  @Requires('iam.read')
  @Operation({
    id: 'GetInstanceFeaturesV2',
    summary: 'Get the switches of the instance, as it behaves',
    request: GetInstanceFeaturesRequestV2,
    returns: GetInstanceFeaturesResponseV2,
  })
  async getOfInstance(
    @Asking() _actor: Actor,
    @Message() _request: GetInstanceFeaturesRequestV2,
  ): Promise<GetInstanceFeaturesResponseV2> {
    return instanceFeatures(await this.details());
  }

  @Put('instance')
  @Requires('iam.write')
  @Operation({
    id: 'SetInstanceFeaturesV2',
    summary: 'Confirm switches of the instance',
    description: ONLY_WHAT_HOLDS,
    request: SetInstanceFeaturesRequestV2,
    returns: FeaturesChangedV2,
  })
  async setOfInstance(
    @Asking() _actor: Actor,
    @Message() request: SetInstanceFeaturesRequestV2,
  ): Promise<FeaturesChangedV2> {
    checkFeatures(request);
    return { details: await this.details() };
  }

  @Delete('instance')
  @Requires('iam.write')
  @Operation({
    id: 'ResetInstanceFeaturesV2',
    summary: 'Reset the switches of the instance',
    description: NOTHING_TO_RESET,
    returns: FeaturesChangedV2,
  })
  async resetOfInstance(): Promise<FeaturesChangedV2> {
    return { details: await this.details() };
  }

  private async details(): Promise<DetailsV2> {
    return unstoredDetails((await this.instances.get()).id);
  }
}
