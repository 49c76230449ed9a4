import { SetMetadata } from '@nestjs/common';
import type { AnyPermission } from '../../../user/permission/role.js';

/** Allowed with any valid token: for what concerns only the caller, or everybody alike. */
export const AUTHENTICATED = 'authenticated';

export type Demanded = AnyPermission | typeof AUTHENTICATED;

/** The demands of an operation on its caller. */
export interface Demand {
  readonly permission: Demanded;
  /** The project or grant that the request names: a role on it suffices as well. */
  readonly projectId: string | undefined;
  readonly grantId: string | undefined;
  /** A role on any project or grant of the organization suffices: the operation itself checks which. */
  readonly some: readonly SomeObject[];
  /** The message names the object: the permission must be held anywhere, and the operation checks where (v2/kit). */
  readonly named: boolean;
  /** With `named`: those for objects of other kinds, each of which suffices as well; the operation checks which. */
  readonly others: readonly AnyPermission[];
}

export type SomeObject = 'project' | 'project_grant';

/**
 * The fields of a request's path that name an organization, a project or a grant; or, for lists and bodies that do, the
 * objects that the caller needs a role on.
 */
export interface ReachFields {
  /** In place of the header, for routes of extensions. */
  readonly org?: string;
  readonly project?: string;
  readonly grant?: string;
  readonly some?: readonly SomeObject[];
  readonly named?: boolean;
  readonly others?: readonly AnyPermission[];
}

const REACH = 'gatehouse:permission-reach';

export function declareReach(reach: ReachFields): MethodDecorator {
  return SetMetadata(REACH, reach);
}

export function reachOf(handler: object): ReachFields {
  return (Reflect.getMetadata(REACH, handler) ?? {}) as ReachFields;
}

/**
 * The demand of an operation on the caller of this request.
 * @param values of the request by name, at least those that stand in its path
 */
export function demandOf(
  permission: string,
  { project, grant, some = [], named = false, others = [] }: ReachFields,
  values: Readonly<Record<string, unknown>>,
): Demand {
  const idIn = (name: string | undefined): string | undefined => {
    const id = name === undefined ? undefined : values[name];
    return typeof id === 'string' && id !== '' ? id : undefined;
  };
  return { permission: permission as Demanded, projectId: idIn(project), grantId: idIn(grant), some, named, others };
}
