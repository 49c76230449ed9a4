import { Controller, Get, Put } from '@nestjs/common';
import { invalidFields } from '../../foundation/error/domain-error.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import { SecurityPolicyResponse, SetSecurityPolicyRequest } from './security-policy.dto.js';

/** Whether users may act for others. */
@Tagged('Security policy')
@Controller('admin/v1/policies/security')
export class SecurityPolicyController {
  constructor(private readonly instances: InstanceService) {}

  @Get()
  @Requires('iam.policy.read')
  @Operation({ id: 'GetSecurityPolicy', summary: 'Get the security policy', returns: SecurityPolicyResponse })
  async get(@Asking() _actor: Actor): Promise<SecurityPolicyResponse> {
    const instance = await this.instances.get();
    return {
      policy: {
        details: toDetails(instance, instance.id),
        enableIframeEmbedding: false,
        allowedOrigins: [],
        enableImpersonation: instance.enableImpersonation,
      },
    };
  }

  @Put()
  @Requires('iam.policy.write')
  @Operation({
    id: 'SetSecurityPolicy',
    summary: 'Update the security policy',
    request: SetSecurityPolicyRequest,
    returns: DetailsResponse,
    description:
      'Acting for other users also requires an impersonator role. Each time is recorded as `user.impersonated`.',
  })
  async set(@Asking() actor: Actor, @Message() request: SetSecurityPolicyRequest): Promise<DetailsResponse> {
    if (request.enableIframeEmbedding)
      throw invalidFields([
        { field: 'enableIframeEmbedding', description: 'must be false: pages are never shown in frames' },
      ]);
    const instance = await this.instances.setImpersonation(request.enableImpersonation, actor.userId);
    return { details: toDetails(instance, instance.id) };
  }
}
