import { Controller, Get, Put } from '@nestjs/common';
import { invalidFields } from '../../foundation/error/domain-error.js';
import type { Instance } from '../../org/instance/instance.entity.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import {
  OidcSettingsResponse,
  SetSigningSettingsRequest,
  SigningSettingsResponse,
  UpdateOidcSettingsRequest,
} from './key.dto.js';

const DAY = 86_400;

/** What tokens are signed with, and for how long they live. */
@Tagged('Signing keys')
@Controller('admin/v1/settings')
export class SettingsController {
  constructor(private readonly instances: InstanceService) {}

  @Get('signing')
  @Requires('iam.read')
  @Operation({
    id: 'GetSigningSettings',
    summary: 'Get the signing key settings',
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
    summary: 'Update the signing key settings',
    request: SetSigningSettingsRequest,
    returns: DetailsResponse,
    description: 'A new algorithm takes effect once clients have had time to fetch its key.',
  })
  async setSigning(@Asking() actor: Actor, @Message() request: SetSigningSettingsRequest): Promise<DetailsResponse> {
    const { algorithm, rotationAge = 30 * DAY } = request;
    if (algorithm === 'unspecified') throw invalidFields([{ field: 'algorithm', description: 'is required' }]);
    return toAnswer(
      await this.instances.setSigning({ signingAlgorithm: algorithm, keyRotationSeconds: rotationAge }, actor.userId),
    );
  }

  @Get('oidc')
  @Requires('iam.read')
  @Operation({ id: 'GetOIDCSettings', summary: 'Get the token lifetimes', returns: OidcSettingsResponse })
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
    summary: 'Update the token lifetimes',
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
