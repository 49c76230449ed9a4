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
  'The body is the image itself (image/png or image/jpeg), or JSON with it in base64. It is seen once the preview is activated.';
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
    summary: 'Puts the logo of the instance into the preview',
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
    summary: 'Takes the logo of the instance out of the preview',
    returns: DetailsResponse,
  })
  async removeLogo(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.remove(actor, 'logo');
  }

  @Put('logo_dark')
  @Requires('iam.policy.write')
  @Operation({
    id: 'SetLabelPolicyLogoDark',
    summary: 'Puts the logo by night of the instance into the preview',
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
    summary: 'Takes the logo by night of the instance out of the preview',
    returns: DetailsResponse,
  })
  async removeLogoDark(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.remove(actor, 'logoDark');
  }

  @Put('icon')
  @Requires('iam.policy.write')
  @Operation({
    id: 'SetLabelPolicyIcon',
    summary: 'Puts the icon of the instance into the preview',
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
    summary: 'Takes the icon of the instance out of the preview',
    returns: DetailsResponse,
  })
  async removeIcon(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.remove(actor, 'icon');
  }

  @Put('icon_dark')
  @Requires('iam.policy.write')
  @Operation({
    id: 'SetLabelPolicyIconDark',
    summary: 'Puts the icon by night of the instance into the preview',
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
    summary: 'Takes the icon by night of the instance out of the preview',
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
    summary: 'Puts the logo of the organization into the preview',
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
    summary: 'Takes the logo of the organization out of the preview',
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
    summary: 'Puts the logo by night of the organization into the preview',
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
    summary: 'Takes the logo by night of the organization out of the preview',
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
    summary: 'Puts the icon of the organization into the preview',
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
    summary: 'Takes the icon of the organization out of the preview',
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
    summary: 'Puts the icon by night of the organization into the preview',
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
    summary: 'Takes the icon by night of the organization out of the preview',
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
