import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { findActor } from './actor-of-request.js';

/** The caller, as authenticated by the guard: the first parameter of an operation. */
export const Asking = createParamDecorator((_: unknown, context: ExecutionContext) =>
  findActor(context.switchToHttp().getRequest<Request>()),
);
