import { Controller, Delete, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '../../permission/actor.js';
import { MAX_IMAGE_BYTES } from '../../policy/image-format.js';
import type { ImageSlot } from '../../policy/label.service.js';
import { imageTooLarge, imageUnreadable, policyNotFound } from '../../policy/policy.errors.js';
import { Asking } from '../guard/asking.js';
import { Requires } from '../guard/requires.js';
import { OfOrg, Operation } from '../operation.js';
import type { Tag } from '../tags.js';
import { DetailsResponse } from '../wire/details.dto.js';
import { ImageMessage } from './image-message.js';
import { LabelImageRequest } from './label-policy.dto.js';
import { PolicyOperations } from './policy.operations.js';

const SET =
  'The body is the image itself (image/png or image/jpeg), or JSON that contains it in base64. Visible once the preview is activated.';
const refusals = [imageUnreadable(), imageTooLarge(MAX_IMAGE_BYTES)];
const orgRefusals = [policyNotFound('label'), ...refusals];

/** The images of the instance's label policy. */
@ApiTags('Policies' satisfies Tag)
@Controller('admin/v1/policies/label')
export class InstanceLabelImageController {
  constructor(private readonly on: PolicyOperations) {}

  @Put('logo')
  @Requires('iam.policy.write')
  @Operation({
    id: 'SetLabelPolicyLogo',
    summary: "Set the instance's logo (preview)",
    description: SET,
    request: LabelImageRequest,
    returns: DetailsResponse,
    refuses: refusals,
  })
  async setLogo(@Asking() actor: Actor, @ImageMessage() request: LabelImageRequest): Promise<DetailsResponse> {
    return this.set(actor, 'logo', request);
  }

  @Delete('logo')
  @Requires('iam.policy.write')
  @Operation({
    id: 'RemoveLabelPolicyLogo',
    summary: "Remove the instance's logo (preview)",
    returns: DetailsResponse,
  })
  async removeLogo(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.remove(actor, 'logo');
  }

  @Put('logo_dark')
  @Requires('iam.policy.write')
  @Operation({
    id: 'SetLabelPolicyLogoDark',
    summary: "Set the instance's dark-mode logo (preview)",
    description: SET,
    request: LabelImageRequest,
    returns: DetailsResponse,
    refuses: refusals,
  })
  async setLogoDark(@Asking() actor: Actor, @ImageMessage() request: LabelImageRequest): Promise<DetailsResponse> {
    return this.set(actor, 'logoDark', request);
  }

  @Delete('logo_dark')
  @Requires('iam.policy.write')
  @Operation({
    id: 'RemoveLabelPolicyLogoDark',
    summary: "Remove the instance's dark-mode logo (preview)",
    returns: DetailsResponse,
  })
  async removeLogoDark(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.remove(actor, 'logoDark');
  }

  @Put('icon')
  @Requires('iam.policy.write')
  @Operation({
    id: 'SetLabelPolicyIcon',
    summary: "Set the instance's icon (preview)",
    description: SET,
    request: LabelImageRequest,
    returns: DetailsResponse,
    refuses: refusals,
  })
  async setIcon(@Asking() actor: Actor, @ImageMessage() request: LabelImageRequest): Promise<DetailsResponse> {
    return this.set(actor, 'icon', request);
  }

  @Delete('icon')
  @Requires('iam.policy.write')
  @Operation({
    id: 'RemoveLabelPolicyIcon',
    summary: "Remove the instance's icon (preview)",
    returns: DetailsResponse,
  })
  async removeIcon(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.remove(actor, 'icon');
  }

  @Put('icon_dark')
  @Requires('iam.policy.write')
  @Operation({
    id: 'SetLabelPolicyIconDark',
    summary: "Set the instance's dark-mode icon (preview)",
    description: SET,
    request: LabelImageRequest,
    returns: DetailsResponse,
    refuses: refusals,
  })
  async setIconDark(@Asking() actor: Actor, @ImageMessage() request: LabelImageRequest): Promise<DetailsResponse> {
    return this.set(actor, 'iconDark', request);
  }

  @Delete('icon_dark')
  @Requires('iam.policy.write')
  @Operation({
    id: 'RemoveLabelPolicyIconDark',
    summary: "Remove the instance's dark-mode icon (preview)",
    returns: DetailsResponse,
  })
  async removeIconDark(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.remove(actor, 'iconDark');
  }

  private async set(actor: Actor, slot: ImageSlot, { content }: LabelImageRequest): Promise<DetailsResponse> {
    return this.on.ofInstance(actor, (tx, ownerId, editorId) =>
      this.on.labels.setImage(tx, ownerId, slot, content, editorId),
    );
  }

  private async remove(actor: Actor, slot: ImageSlot): Promise<DetailsResponse> {
    return this.on.ofInstance(actor, (tx, ownerId, editorId) =>
      this.on.labels.removeImage(tx, ownerId, slot, editorId),
    );
  }
}

/** The images of an organization's label policy. */
@ApiTags('Policies' satisfies Tag)
@Controller('management/v1/policies/label')
@OfOrg()
export class OrgLabelImageController {
  constructor(private readonly on: PolicyOperations) {}

  @Put('logo')
  @Requires('policy.write')
  @Operation({
    id: 'SetCustomLabelPolicyLogo',
    summary: "Set the organization's logo (preview)",
    description: SET,
    request: LabelImageRequest,
    returns: DetailsResponse,
    refuses: orgRefusals,
  })
  async setLogo(@Asking() actor: Actor, @ImageMessage() request: LabelImageRequest): Promise<DetailsResponse> {
    return this.set(actor, 'logo', request);
  }

  @Delete('logo')
  @Requires('policy.write')
  @Operation({
    id: 'RemoveCustomLabelPolicyLogo',
    summary: "Remove the organization's logo (preview)",
    returns: DetailsResponse,
    refuses: [policyNotFound('label')],
  })
  async removeLogo(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.remove(actor, 'logo');
  }

  @Put('logo_dark')
  @Requires('policy.write')
  @Operation({
    id: 'SetCustomLabelPolicyLogoDark',
    summary: "Set the organization's dark-mode logo (preview)",
    description: SET,
    request: LabelImageRequest,
    returns: DetailsResponse,
    refuses: orgRefusals,
  })
  async setLogoDark(@Asking() actor: Actor, @ImageMessage() request: LabelImageRequest): Promise<DetailsResponse> {
    return this.set(actor, 'logoDark', request);
  }

  @Delete('logo_dark')
  @Requires('policy.write')
  @Operation({
    id: 'RemoveCustomLabelPolicyLogoDark',
    summary: "Remove the organization's dark-mode logo (preview)",
    returns: DetailsResponse,
    refuses: [policyNotFound('label')],
  })
  async removeLogoDark(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.remove(actor, 'logoDark');
  }

  @Put('icon')
  @Requires('policy.write')
  @Operation({
    id: 'SetCustomLabelPolicyIcon',
    summary: "Set the organization's icon (preview)",
    description: SET,
    request: LabelImageRequest,
    returns: DetailsResponse,
    refuses: orgRefusals,
  })
  async setIcon(@Asking() actor: Actor, @ImageMessage() request: LabelImageRequest): Promise<DetailsResponse> {
    return this.set(actor, 'icon', request);
  }

  @Delete('icon')
  @Requires('policy.write')
  @Operation({
    id: 'RemoveCustomLabelPolicyIcon',
    summary: "Remove the organization's icon (preview)",
    returns: DetailsResponse,
    refuses: [policyNotFound('label')],
  })
  async removeIcon(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.remove(actor, 'icon');
  }

  @Put('icon_dark')
  @Requires('policy.write')
  @Operation({
    id: 'SetCustomLabelPolicyIconDark',
    summary: "Set the organization's dark-mode icon (preview)",
    description: SET,
    request: LabelImageRequest,
    returns: DetailsResponse,
    refuses: orgRefusals,
  })
  async setIconDark(@Asking() actor: Actor, @ImageMessage() request: LabelImageRequest): Promise<DetailsResponse> {
    return this.set(actor, 'iconDark', request);
  }

  @Delete('icon_dark')
  @Requires('policy.write')
  @Operation({
    id: 'RemoveCustomLabelPolicyIconDark',
    summary: "Remove the organization's dark-mode icon (preview)",
    returns: DetailsResponse,
    refuses: [policyNotFound('label')],
  })
  async removeIconDark(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.remove(actor, 'iconDark');
  }

  private async set(actor: Actor, slot: ImageSlot, { content }: LabelImageRequest): Promise<DetailsResponse> {
    return this.on.ofOrg(actor, (tx, ownerId, editorId) =>
      this.on.labels.setImage(tx, ownerId, slot, content, editorId),
    );
  }

  private async remove(actor: Actor, slot: ImageSlot): Promise<DetailsResponse> {
    return this.on.ofOrg(actor, (tx, ownerId, editorId) => this.on.labels.removeImage(tx, ownerId, slot, editorId));
  }
}
