import { Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { invalidFields } from '../../error/domain-error.js';
import type { Instance } from '../../instance/instance.entity.js';
import { InstanceService } from '../../instance/instance.service.js';
import type { Actor } from '../../permission/actor.js';
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { Operation } from '../operation.js';
import type { Tag } from '../tags.js';
import { DetailsResponse, toDetails } from '../wire/details.dto.js';
import { Message } from '../wire/message.js';
import {
  OidcSettingsResponse,
  SetSigningSettingsRequest,
  SigningSettingsResponse,
  UpdateOidcSettingsRequest,
} from './key.dto.js';

const DAY = 86_400;

/** What tokens are signed with, and for how long they live. */
@ApiTags('Signing keys' satisfies Tag)
@Controller('admin/v1/settings')
export class SettingsController {
  constructor(private readonly instances: InstanceService) {}

  @Get('signing')
  @Requires('iam.read')
  @Operation({
    id: 'GetSigningSettings',
    summary: 'The algorithm of new signing keys, and how long one signs',
    returns: SigningSettingsResponse,
  })
  async getSigning(): Promise<SigningSettingsResponse> {
    const instance = await this.instances.get();
    return {
      settings: {
        details: toDetails(instance, instance.id),
        algorithm: instance.signingAlgorithm,
        rotationAge: instance.keyRotationSeconds,
      },
    };
  }

  @Put('signing')
  @Requires('iam.write')
  @Operation({
    id: 'SetSigningSettings',
    summary: 'Changes the algorithm of new signing keys, and how long one signs',
    request: SetSigningSettingsRequest,
    returns: DetailsResponse,
    description: 'Another algorithm takes over as soon as every client can know its key.',
  })
  async setSigning(@Asking() actor: Actor, @Message() request: SetSigningSettingsRequest): Promise<DetailsResponse> {
    const { algorithm, rotationAge = 30 * DAY } = request;
    if (algorithm === 'unspecified') throw invalidFields([{ field: 'algorithm', description: 'must be given' }]);
    return toAnswer(
      await this.instances.setSigning({ signingAlgorithm: algorithm, keyRotationSeconds: rotationAge }, actor.userId),
    );
  }

  @Get('oidc')
  @Requires('iam.read')
  @Operation({ id: 'GetOIDCSettings', summary: 'For how long tokens live', returns: OidcSettingsResponse })
  async getLifetimes(): Promise<OidcSettingsResponse> {
    const instance = await this.instances.get();
    return {
      settings: {
        details: toDetails(instance, instance.id),
        accessTokenLifetime: instance.accessTokenSeconds,
        idTokenLifetime: instance.idTokenSeconds,
        refreshTokenIdleExpiration: instance.refreshIdleSeconds,
        refreshTokenExpiration: instance.refreshAbsoluteSeconds,
      },
    };
  }

  @Put('oidc')
  @Requires('iam.write')
  @Operation({
    id: 'UpdateOIDCSettings',
    summary: 'Changes for how long tokens live',
    request: UpdateOidcSettingsRequest,
    returns: DetailsResponse,
  })
  async setLifetimes(@Asking() actor: Actor, @Message() request: UpdateOidcSettingsRequest): Promise<DetailsResponse> {
    const {
      accessTokenLifetime = DAY / 2,
      idTokenLifetime = DAY / 2,
      refreshTokenIdleExpiration = 30 * DAY,
      refreshTokenExpiration = 90 * DAY,
    } = request;
    const lifetimes = {
      accessTokenSeconds: accessTokenLifetime,
      idTokenSeconds: idTokenLifetime,
      refreshIdleSeconds: refreshTokenIdleExpiration,
      refreshAbsoluteSeconds: refreshTokenExpiration,
    };
    return toAnswer(await this.instances.setLifetimes(lifetimes, actor.userId));
  }
}

function toAnswer(instance: Instance): DetailsResponse {
  return { details: toDetails(instance, instance.id) };
}
