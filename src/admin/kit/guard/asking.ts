import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import type { Actor } from '../../../user/permission/actor.js';
import { findActor } from './actor-of-request.js';

export const actorOf = (_: unknown, context: ExecutionContext): Actor | undefined =>
  findActor(context.switchToHttp().getRequest<ExpressRequest>());

/** The caller, as authenticated by the guard: the first parameter of an operation. */
export const Asking = createParamDecorator(actorOf);
