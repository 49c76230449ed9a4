import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '../../permission/actor.js';
import { policyExists, policyNotFound } from '../../policy/policy.errors.js';
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { OfOrg, Operation } from '../operation.js';
import type { Tag } from '../tags.js';
import { DetailsResponse } from '../wire/details.dto.js';
import { Message } from '../wire/message.js';
import { LabelPolicyResponse } from './label-policy.dto.js';
import { NotificationPolicyRequest } from './policy.dto.js';
import { toLabelPolicy, toNotificationSettings } from './policy.mapping.js';
import { PolicyOperations } from './policy.operations.js';

/** What the instance's policies can do beside being read and changed. */
@ApiTags('Policies' satisfies Tag)
@Controller('admin/v1/policies')
export class InstanceLabelPolicyController {
  constructor(private readonly on: PolicyOperations) {}

  @Get('label/_preview')
  @Requires('iam.policy.read')
  @Operation({
    id: 'GetPreviewLabelPolicy',
    summary: "Get the preview of the instance's label policy",
    returns: LabelPolicyResponse,
  })
  async getPreview(@Asking() _actor: Actor): Promise<LabelPolicyResponse> {
    return toLabelPolicy(await this.on.policies.read('labelPreview', await this.on.instanceId()), this.on.publicUrl);
  }

  @Post('label/_activate')
  @Requires('iam.policy.write')
  @Operation({
    id: 'ActivateLabelPolicy',
    summary: "Activate the preview of the instance's label policy",
    returns: DetailsResponse,
  })
  async activate(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.on.ofInstance(actor, (tx, ownerId, editorId) => this.on.labels.activate(tx, ownerId, editorId));
  }

  @Post('notification')
  @Requires('iam.policy.write')
  @Operation({
    id: 'AddNotificationPolicy',
    summary: "Add the instance's notification policy",
    request: NotificationPolicyRequest,
    returns: DetailsResponse,
    description:
      'Every instance has a notification policy from its first start, so this is always refused: update it instead.',
    refuses: [policyExists('notification')],
  })
  async addNotification(
    @Asking() actor: Actor,
    @Message() request: NotificationPolicyRequest,
  ): Promise<DetailsResponse> {
    const settings = toNotificationSettings(request);
    return this.on.ofInstance(actor, (tx, ownerId, editorId) =>
      this.on.policies.add(tx, 'notification', ownerId, settings, editorId),
    );
  }
}

/** The same for an organization. */
@ApiTags('Policies' satisfies Tag)
@Controller('management/v1/policies/label')
@OfOrg()
export class OrgLabelPolicyController {
  constructor(private readonly on: PolicyOperations) {}

  @Get('_preview')
  @Requires('policy.read')
  @Operation({
    id: 'GetPreviewLabelPolicyOfOrg',
    summary: "Get the preview of the organization's label policy",
    returns: LabelPolicyResponse,
  })
  async getPreview(@Asking() actor: Actor): Promise<LabelPolicyResponse> {
    return toLabelPolicy(await this.on.policies.read('labelPreview', actor.orgId), this.on.publicUrl);
  }

  @Post('_activate')
  @Requires('policy.write')
  @Operation({
    id: 'ActivateCustomLabelPolicy',
    summary: "Activate the preview of the organization's label policy",
    returns: DetailsResponse,
    refuses: [policyNotFound('label')],
  })
  async activate(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.on.ofOrg(actor, (tx, ownerId, editorId) => this.on.labels.activate(tx, ownerId, editorId));
  }
}
