import { SetMetadata } from '@nestjs/common';
import type { Permission } from '../../permission/role.js';

/** Whoever has a living token may: for what concerns nobody but the caller, or everybody alike. */
export const AUTHENTICATED = 'authenticated';

export type Demanded = Permission | typeof AUTHENTICATED;

/** What an operation demands of its caller. */
export interface Demand {
  readonly permission: Demanded;
  /** The project or grant that the request names: a role over that one alone suffices as well. */
  readonly projectId: string | undefined;
  readonly grantId: string | undefined;
}

/** The fields of a request's path that name a project or a grant. */
export interface ReachFields {
  readonly project?: string;
  readonly grant?: string;
}

const REACH = 'gatehouse:permission-reach';

export function declareReach(reach: ReachFields): MethodDecorator {
  return SetMetadata(REACH, reach);
}

export function reachOf(handler: object): ReachFields {
  return (Reflect.getMetadata(REACH, handler) ?? {}) as ReachFields;
}
