import { Controller, Delete, Put, type Type } from '@nestjs/common';
import { MAX_IMAGE_BYTES } from '../../org/policy/image-format.js';
import type { ImageSlot } from '../../org/policy/label.service.js';
import { imageTooLarge, imageUnreadable, policyNotFound } from '../../org/policy/policy.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { LEVELS, type Level, named } from '../kit/level.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { ImageMessage } from './image-message.js';
import { LabelImageRequest } from './label-policy.dto.js';
import { PolicyOperations } from './policy.operations.js';

interface ImageFacts {
  readonly slot: ImageSlot;
  readonly path: string;
  /** The noun in operation ids: `SetLabelPolicyLogoDark`. */
  readonly noun: string;
  /** The name in summaries: `the dark-mode logo`. */
  readonly name: string;
}

const IMAGES: readonly ImageFacts[] = [
  { slot: 'logo', path: 'logo', noun: 'Logo', name: 'logo' },
  { slot: 'logoDark', path: 'logo_dark', noun: 'LogoDark', name: 'dark-mode logo' },
  { slot: 'icon', path: 'icon', noun: 'Icon', name: 'icon' },
  { slot: 'iconDark', path: 'icon_dark', noun: 'IconDark', name: 'dark-mode icon' },
];

/** The images of a label policy: a class for each image and level. */
export const labelImageControllers: readonly Type[] = LEVELS.flatMap((level) =>
  IMAGES.map((image) => labelImageController(level, image)),
);

function labelImageController(level: Level, { slot, path, noun, name }: ImageFacts): Type {
  const policy = level.isOrg ? 'CustomLabelPolicy' : 'LabelPolicy';
  /** An organization may have no policy of its own to change; the instance always has one. */
  const missing = level.isOrg ? [policyNotFound('label')] : [];

  @Tagged('Appearance')
  @Controller(`${level.prefix}/policies/label`)
  @level.documentation
  class LabelImageController {
    constructor(private readonly on: PolicyOperations) {}

    @Put(path)
    @Requires(level.permissions.writePolicy)
    @Operation({
      id: `Set${policy}${noun}`,
      summary: `Set ${level.owner}'s ${name} (preview)`,
      description:
        'The body is the image itself (image/png or image/jpeg), or JSON that contains it in base64. Visible once the preview is activated.',
      request: LabelImageRequest,
      returns: DetailsResponse,
      refuses: [...missing, imageUnreadable(), imageTooLarge(MAX_IMAGE_BYTES)],
    })
    async set(@Asking() actor: Actor, @ImageMessage() { content }: LabelImageRequest): Promise<DetailsResponse> {
      return this.on.change(level, actor, (ownerId, editorId) =>
        this.on.labels.setImage(ownerId, slot, content, editorId),
      );
    }

    @Delete(path)
    @Requires(level.permissions.writePolicy)
    @Operation({
      id: `Remove${policy}${noun}`,
      summary: `Remove ${level.owner}'s ${name} (preview)`,
      returns: DetailsResponse,
      refuses: missing,
    })
    async remove(@Asking() actor: Actor): Promise<DetailsResponse> {
      return this.on.change(level, actor, (ownerId, editorId) => this.on.labels.removeImage(ownerId, slot, editorId));
    }
  }
  return named(level, `Label${noun}`, LabelImageController);
}
