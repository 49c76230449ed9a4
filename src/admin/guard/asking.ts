import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { findActor } from './actor-of-request.js';

/** Whoever asks, as the guard has met them: the first parameter of an operation. */
export const Asking = createParamDecorator((_: unknown, context: ExecutionContext) =>
  findActor(context.switchToHttp().getRequest<Request>()),
);
