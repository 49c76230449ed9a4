import { Controller, Get, Put } from '@nestjs/common';
import { invalidFields } from '../../foundation/error/domain-error.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { supportedLanguages } from '../../text/supported-language.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, type ObjectDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import { GetRestrictionsResponse, SetRestrictionsRequest } from './restrictions.dto.js';

/** What the described system can restrict: here it is fixed, and answered as it is. */
@Tagged('Instance')
@Controller('admin/v1')
export class RestrictionsController {
  constructor(private readonly instances: InstanceService) {}

  @Get('restrictions')
  @Requires('iam.read')
  @Operation({
    id: 'GetRestrictions',
    summary: 'Get what people may do without an organization, and in which languages',
    returns: GetRestrictionsResponse,
  })
  async get(): Promise<GetRestrictionsResponse> {
    return {
      details: await this.details(),
      disallowPublicOrgRegistration: true,
      allowedLanguages: supportedLanguages,
    };
  }

  @Put('restrictions')
  @Requires('iam.write')
  @Operation({
    id: 'SetRestrictions',
    summary: 'Confirm the restrictions',
    description: 'They cannot be changed: values that hold are accepted, others are refused by name.',
    request: SetRestrictionsRequest,
    returns: DetailsResponse,
  })
  async set(@Asking() _actor: Actor, @Message() request: SetRestrictionsRequest): Promise<DetailsResponse> {
    check(request);
    return { details: await this.details() };
  }

  @Put('features/login_default_org')
  @Requires('iam.write')
  @Operation({
    id: 'ActivateFeatureLoginDefaultOrg',
    summary: 'Confirm that sign-ins which name no organization use the settings of the default one',
    description: 'They always do: accepted, and changes nothing.',
    returns: DetailsResponse,
  })
  async activateDefaultOrg(): Promise<DetailsResponse> {
    return { details: await this.details() };
  }

  private async details(): Promise<ObjectDetails> {
    const instance = await this.instances.get();
    return toDetails(instance, instance.id);
  }
}

/** @throws DomainError InvalidArgument */
function check({ disallowPublicOrgRegistration, allowedLanguages }: SetRestrictionsRequest): void {
  const languages = new Set(allowedLanguages?.list);
  const isEach = languages.size === supportedLanguages.length && supportedLanguages.every((one) => languages.has(one));
  const wrong = [
    ...(disallowPublicOrgRegistration === false
      ? [{ field: 'disallowPublicOrgRegistration', description: 'must be true: people cannot register organizations' }]
      : []),
    ...(languages.size === 0 || isEach
      ? []
      : [{ field: 'allowedLanguages', description: `must be empty or all of ${supportedLanguages.join(', ')}` }]),
  ];
  if (wrong.length > 0) throw invalidFields(wrong);
}
