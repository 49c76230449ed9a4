import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import { readBody } from '../../foundation/http/body.js';
import { readJson } from '../../foundation/http/json-body.js';
import { MAX_IMAGE_BYTES } from '../../org/policy/image-format.js';
import { imageTooLarge } from '../../org/policy/policy.errors.js';
import { readMessage } from '../kit/wire/read-message.js';
import { LabelImageRequest } from './label-policy.dto.js';

/** An image in base64, and room for what is around it. */
const MAX_JSON_BYTES = 1_048_576;

/** An image as the body itself, or as any other operation takes it: in JSON. What it really is, its first bytes say. */
export const ImageMessage = createParamDecorator(
  async (_: unknown, context: ExecutionContext): Promise<LabelImageRequest> => {
    const request = context.switchToHttp().getRequest<ExpressRequest>();
    const isImage = (request.headers['content-type'] ?? '').toLowerCase().startsWith('image/');
    const json = isImage
      ? { content: (await readBody(request, MAX_IMAGE_BYTES, () => imageTooLarge(MAX_IMAGE_BYTES))).toString('base64') }
      : await readJson(request, MAX_JSON_BYTES);
    return readMessage(LabelImageRequest, json);
  },
);
