import type { Request } from 'express';
import type { Actor } from '../../../user/permission/actor.js';

const actors = new WeakMap<Request, Actor>();

export function keepActor(request: Request, actor: Actor): void {
  actors.set(request, actor);
}

/** The caller that the guard has authenticated; undefined before that, and on open routes. */
export function findActor(request: Request): Actor | undefined {
  return actors.get(request);
}
