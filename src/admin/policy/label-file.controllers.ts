import { applyDecorators, Controller, Get, Post, Req, Res, type Type, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { readFormFile } from '../../foundation/http/form-file.js';
import { MAX_IMAGE_BYTES } from '../../org/policy/image-format.js';
import type { ImageSlot } from '../../org/policy/label.service.js';
import {
  fontsNotTaken,
  imageNotFound,
  imageTooLarge,
  imageUnreadable,
  policyNotFound,
} from '../../org/policy/policy.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { INSTANCE, type Level, named, ORG } from '../kit/level.js';
import { documentDefects, documentRefusals } from '../kit/operation.js';
import { AdminErrorFilter } from '../kit/status/admin-error.filter.js';
import { DetailsResponse } from '../kit/wire/details.dto.js';
import { documented, Tagged } from '../kit/wire/documentation.js';
import { writeMessage } from '../kit/wire/write-message.js';
import { PolicyOperations } from './policy.operations.js';

/** The field of the form in which clients send the file. */
const FIELD = 'file';

const SLOTS: Readonly<Record<string, { readonly light: ImageSlot; readonly dark: ImageSlot }>> = {
  logo: { light: 'logo', dark: 'logoDark' },
  icon: { light: 'icon', dark: 'iconDark' },
};

type Mode = 'light' | 'dark';
type Kind = 'label' | 'labelPreview';

/**
 * The images of a label policy as files: by a form, at the paths by which clients of other services send and fetch
 * them. They are removed at the paths of the label policy.
 */
export const labelFileControllers: readonly Type[] = [ORG, INSTANCE].map(controllerOf);

function controllerOf(level: Level): Type {
  @Tagged('Logo and icon files')
  @Controller(`assets/v1/${level.name}/policy/label`)
  @UseFilters(AdminErrorFilter)
  @level.documentation
  class LabelFileController {
    constructor(private readonly on: PolicyOperations) {}

    @Post(':image')
    @Requires(level.permissions.writePolicy)
    @Upload(level, 'light')
    async set(@Asking() actor: Actor, @Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
      await this.take(actor, request, response, 'light');
    }

    @Post(':image/dark')
    @Requires(level.permissions.writePolicy)
    @Upload(level, 'dark')
    async setDark(
      @Asking() actor: Actor,
      @Req() request: ExpressRequest,
      @Res() response: ExpressResponse,
    ): Promise<void> {
      await this.take(actor, request, response, 'dark');
    }

    @Get(':image')
    @Requires(level.permissions.readPolicy)
    @Download(level, 'light', 'label')
    async get(@Asking() actor: Actor, @Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
      await this.give(actor, request, response, 'light', 'label');
    }

    @Get(':image/dark')
    @Requires(level.permissions.readPolicy)
    @Download(level, 'dark', 'label')
    async getDark(
      @Asking() actor: Actor,
      @Req() request: ExpressRequest,
      @Res() response: ExpressResponse,
    ): Promise<void> {
      await this.give(actor, request, response, 'dark', 'label');
    }

    @Get(':image/_preview')
    @Requires(level.permissions.readPolicy)
    @Download(level, 'light', 'labelPreview')
    async getPreview(
      @Asking() actor: Actor,
      @Req() request: ExpressRequest,
      @Res() response: ExpressResponse,
    ): Promise<void> {
      await this.give(actor, request, response, 'light', 'labelPreview');
    }

    @Get(':image/dark/_preview')
    @Requires(level.permissions.readPolicy)
    @Download(level, 'dark', 'labelPreview')
    async getDarkPreview(
      @Asking() actor: Actor,
      @Req() request: ExpressRequest,
      @Res() response: ExpressResponse,
    ): Promise<void> {
      await this.give(actor, request, response, 'dark', 'labelPreview');
    }

    private async take(actor: Actor, request: ExpressRequest, response: ExpressResponse, mode: Mode): Promise<void> {
      const slot = slotOf(request, mode);
      const content = await readFormFile(request, FIELD, MAX_IMAGE_BYTES, () => imageTooLarge(MAX_IMAGE_BYTES));
      const answer = await this.on.change(level, actor, (ownerId, editorId) =>
        this.on.labels.setImage(ownerId, slot, content, editorId),
      );
      response.status(200).setHeader('Cache-Control', 'no-store').json(writeMessage(DetailsResponse, answer));
    }

    /** Sends the image of the policy in force: the owner's own, else the instance's. */
    private async give(
      actor: Actor,
      request: ExpressRequest,
      response: ExpressResponse,
      mode: Mode,
      kind: Kind,
    ): Promise<void> {
      const slot = slotOf(request, mode);
      const { policy } = await this.on.policies.read(kind, await this.on.ownerId(level, actor));
      const found =
        policy[slot] === '' ? undefined : await this.on.labels.findImage(policy.ownerId, slot, policy[slot]);
      if (!found) throw imageNotFound();
      response
        .setHeader('Cache-Control', 'no-store')
        .setHeader('ETag', `"${found.digest}"`)
        .type(found.contentType)
        .send(found.content);
    }
  }
  return named(level, 'LabelFile', LabelFileController);
}

/** @throws DomainError NotFound `policy.image_not_found`; FailedPrecondition `policy.fonts_not_taken` */
function slotOf(request: ExpressRequest, mode: Mode): ImageSlot {
  const { image } = request.params as { image: string };
  if (image === 'font') throw fontsNotTaken();
  const modes = Object.hasOwn(SLOTS, image) ? SLOTS[image] : undefined;
  if (!modes) throw imageNotFound();
  return modes[mode];
}

function Image(): MethodDecorator {
  return documented(({ ApiParam }) =>
    ApiParam({
      name: 'image',
      description: 'Which image.',
      schema: { type: 'string', enum: Object.keys(SLOTS), example: 'logo' },
    }),
  );
}

function Upload({ isOrg, owner }: Level, mode: Mode): MethodDecorator {
  const isDark = mode === 'dark';
  return applyDecorators(
    Image(),
    documented(({ ApiBody, ApiConsumes, ApiOkResponse, ApiOperation }) =>
      applyDecorators(
        ApiOperation({
          operationId: `Set${isOrg ? 'Org' : 'Instance'}LabelFile${isDark ? 'Dark' : ''}`,
          summary: `Upload ${isDark ? 'a dark-mode' : 'an'} image of ${owner} (preview)`,
          description:
            'Visible once the preview is activated. Must be a PNG or a JPEG; the type is detected from the content of the file.',
        }),
        ApiConsumes('multipart/form-data'),
        ApiBody({
          schema: {
            type: 'object',
            required: [FIELD],
            properties: { [FIELD]: { type: 'string', format: 'binary', description: 'The image.' } },
          },
        }),
        ApiOkResponse({ type: DetailsResponse, description: 'Done.' }),
      ),
    ),
    documentRefusals(() => [
      imageUnreadable(),
      imageTooLarge(MAX_IMAGE_BYTES),
      fontsNotTaken(),
      policyNotFound('label'),
    ]),
    documentDefects(),
  );
}

function Download({ isOrg, owner }: Level, mode: Mode, kind: Kind): MethodDecorator {
  const image = { schema: { type: 'string', format: 'binary' } };
  const isPreview = kind === 'labelPreview';
  return applyDecorators(
    Image(),
    documented(({ ApiOkResponse, ApiOperation }) =>
      applyDecorators(
        ApiOperation({
          operationId: `Get${isOrg ? 'Org' : 'Instance'}LabelFile${mode === 'dark' ? 'Dark' : ''}${isPreview ? 'Preview' : ''}`,
          summary: `Download ${isPreview ? 'a preview' : 'an active'} ${mode === 'dark' ? 'dark-mode ' : ''}image of ${owner}`,
        }),
        ApiOkResponse({ description: 'The image.', content: { 'image/png': image, 'image/jpeg': image } }),
      ),
    ),
    documentRefusals(() => [imageNotFound()]),
    documentDefects(),
  );
}
