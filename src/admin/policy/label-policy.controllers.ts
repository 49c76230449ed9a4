import { Controller, Get, Post, type Type } from '@nestjs/common';
import { policyExists, policyNotFound } from '../../org/policy/policy.errors.js';
import { PagePreview } from '../../page/branding/page-preview.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { INSTANCE, LEVELS, type Level, named, operationIdAt } from '../kit/level.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import { LabelPolicyResponse, PreviewLoginPageRequest, PreviewLoginPageResponse } from './label-policy.dto.js';
import { NotificationPolicyRequest } from './policy.dto.js';
import { toLabelPolicy, toNotificationSettings } from './policy.mapping.js';
import { PolicyOperations } from './policy.operations.js';

/** The operations on a label policy beside reading and changing it. */
export const labelPolicyControllers: readonly Type[] = LEVELS.map(labelPolicyController);

function labelPolicyController(level: Level): Type {
  @Tagged('Appearance')
  @Controller(`${level.prefix}/policies/label`)
  @level.documentation
  class LabelPolicyController {
    constructor(
      private readonly on: PolicyOperations,
      private readonly pages: PagePreview,
    ) {}

    @Get('_preview')
    @Requires(level.permissions.readPolicy)
    @Operation({
      id: operationIdAt(level, 'GetPreviewLabelPolicy'),
      summary: `Get the preview of ${level.owner}'s label policy`,
      returns: LabelPolicyResponse,
    })
    async getPreview(@Asking() actor: Actor): Promise<LabelPolicyResponse> {
      const ownerId = await this.on.ownerId(level, actor);
      return toLabelPolicy(await this.on.policies.read('labelPreview', ownerId), this.on.publicUrl);
    }

    @Get('_preview/page')
    @Requires(level.permissions.readPolicy)
    @Operation({
      id: operationIdAt(level, 'PreviewLoginPage'),
      summary: `Preview the login page with the preview of ${level.owner}'s label policy`,
      description:
        'Returns the first page of a sign-in as it will look once the preview is activated. Nothing on it works.',
      request: PreviewLoginPageRequest,
      returns: PreviewLoginPageResponse,
    })
    async previewPage(
      @Asking() actor: Actor,
      @Message() { language }: PreviewLoginPageRequest,
    ): Promise<PreviewLoginPageResponse> {
      const ownerId = await this.on.ownerId(level, actor);
      return { html: await this.pages.render(ownerId, await this.on.instanceId(), language) };
    }

    @Post('_activate')
    @Requires(level.permissions.writePolicy)
    @Operation({
      id: level.isOrg ? 'ActivateCustomLabelPolicy' : 'ActivateLabelPolicy',
      summary: `Activate the preview of ${level.owner}'s label policy`,
      returns: DetailsResponse,
      refuses: level.isOrg ? [policyNotFound('label')] : [],
    })
    async activate(@Asking() actor: Actor): Promise<DetailsResponse> {
      return this.on.change(level, actor, (ownerId, editorId) => this.on.labels.activate(ownerId, editorId));
    }
  }
  return named(level, 'LabelPolicy', LabelPolicyController);
}

/** Kept for clients that add the policy of the instance before they change it. */
@Tagged('Privacy and notifications')
@Controller('admin/v1/policies')
export class AddedNotificationPolicyController {
  constructor(private readonly on: PolicyOperations) {}

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
  async add(@Asking() actor: Actor, @Message() request: NotificationPolicyRequest): Promise<DetailsResponse> {
    const settings = toNotificationSettings(request);
    return this.on.change(INSTANCE, actor, (ownerId, editorId) =>
      this.on.managed.add('notification', ownerId, settings, editorId),
    );
  }
}
