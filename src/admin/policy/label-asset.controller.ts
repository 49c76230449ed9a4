import { applyDecorators, Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { isStorable } from '../../foundation/crypto/json-members.js';
import { Open } from '../../foundation/http/access.js';
import { readQuery } from '../../foundation/http/request.js';
import { IMAGE_SLOTS, LabelService } from '../../org/policy/label.service.js';
import { imageNotFound } from '../../org/policy/policy.errors.js';
import { documentRefusals } from '../kit/operation.js';
import { AdminErrorFilter } from '../kit/status/admin-error.filter.js';
import { documented, Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { IMAGE_PATHS } from './image-url.js';

/** An address with a version always shows the same bytes. */
const FOR_GOOD = 'public, max-age=31536000, immutable';
const FIVE_MINUTES = 'public, max-age=300';
const NOT_MODIFIED = 304;

const Documentation = (): MethodDecorator =>
  applyDecorators(
    documented(({ ApiOkResponse, ApiResponse }) =>
      applyDecorators(
        ApiOkResponse({
          description: 'The image.',
          content: {
            'image/png': { schema: { type: 'string', format: 'binary' } },
            'image/jpeg': { schema: { type: 'string', format: 'binary' } },
          },
        }),
        ApiResponse({ status: NOT_MODIFIED, description: 'The image that If-None-Match names is current.' }),
      ),
    ),
    documentRefusals(() => [imageNotFound()]),
    documented(({ ApiOperation, ApiParam, ApiQuery }) =>
      applyDecorators(
        ApiQuery({
          name: 'v',
          required: false,
          description: "The version of the image, as in the label policy's URL. Defaults to the active one.",
        }),
        ApiParam({
          name: 'image',
          description: 'Which image.',
          schema: { type: 'string', enum: Object.values(IMAGE_PATHS), example: 'logo' },
        }),
        ApiParam({ name: 'ownerId', description: 'ID of the organization or the instance.', example: EXAMPLE.org }),
        ApiOperation({
          operationId: 'GetLabelImage',
          summary: 'Get a logo or icon of an organization or the instance',
          description: 'Requires no token.',
        }),
      ),
    ),
  );

/** The images that pages and mails of an owner show: for everybody who sees those. */
@Tagged('Logo and icon files')
@Controller('assets')
@Open()
@UseFilters(AdminErrorFilter)
export class LabelAssetController {
  constructor(private readonly labels: LabelService) {}

  @Get(':ownerId/:image')
  @Documentation()
  async get(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const { ownerId, image } = request.params as { ownerId: string; image: string };
    const slot = IMAGE_SLOTS.find((one) => IMAGE_PATHS[one] === image);
    const version = readQuery(request).find('v');
    const found = slot && isStorable(ownerId) ? await this.labels.findImage(ownerId, slot, version) : undefined;
    if (!found) throw imageNotFound();
    const tag = `"${found.digest}"`;
    response.setHeader('Cache-Control', version === undefined ? FIVE_MINUTES : FOR_GOOD);
    response.setHeader('ETag', tag);
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (request.headers['if-none-match'] === tag) {
      response.status(NOT_MODIFIED).end();
      return;
    }
    response.type(found.contentType).send(found.content);
  }
}
