import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import { DomainError } from '../../foundation/error/domain-error.js';
import { readJson } from '../../foundation/http/json-body.js';
import { MAX_IMAGE_BYTES } from '../../policy/image-format.js';
import { imageTooLarge } from '../../policy/policy.errors.js';
import { readMessage } from '../wire/read-message.js';
import { LabelImageRequest } from './label-policy.dto.js';

/** An image in base64, and room for what is around it. */
const MAX_JSON_BYTES = 1_048_576;

/** An image as the body itself, or as any other operation takes it: in JSON. What it really is, its first bytes say. */
export const ImageMessage = createParamDecorator(
  async (_: unknown, context: ExecutionContext): Promise<LabelImageRequest> => {
    const request = context.switchToHttp().getRequest<Request>();
    const isImage = (request.headers['content-type'] ?? '').toLowerCase().startsWith('image/');
    const json = isImage
      ? { content: (await readImage(request)).toString('base64') }
      : await readJson(request, MAX_JSON_BYTES);
    return readMessage(LabelImageRequest, json);
  },
);

async function readImage(request: Request): Promise<Buffer> {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new DomainError('InvalidArgument', 'body.encoded', 'The body must not be compressed.');
  }
  const length = request.headers['content-length'];
  try {
    return await getRawBody(request, { limit: MAX_IMAGE_BYTES, ...(length === undefined ? {} : { length }) });
  } catch (error) {
    if ((error as { type?: string }).type === 'entity.too.large') throw imageTooLarge(MAX_IMAGE_BYTES);
    throw new DomainError('InvalidArgument', 'body.unreadable', 'The body could not be read completely.', {
      cause: error,
    });
  }
}
