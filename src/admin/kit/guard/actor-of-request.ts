import type { Request as ExpressRequest } from 'express';
import type { Actor } from '../../../user/permission/actor.js';

const actors = new WeakMap<ExpressRequest, Actor>();

export function keepActor(request: ExpressRequest, actor: Actor): void {
  actors.set(request, actor);
}

/** The caller that the guard has authenticated; undefined before that, and on open routes. */
export function findActor(request: ExpressRequest): Actor | undefined {
  return actors.get(request);
}
