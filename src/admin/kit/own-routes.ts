import type { Type } from '@nestjs/common';
import type { Extension } from '../../foundation/extension/extension.js';
import { accessOf } from '../../foundation/http/access.js';
import { PERMISSIONS } from '../../user/permission/role.js';
import { reachOf } from './guard/demand.js';
import { operationOf } from './wire/declared-operation.js';

/** Literal segments and parameters; a wildcard may be the last one. */
const SEGMENTS = /^(\/(:[a-zA-Z][a-zA-Z0-9]*|[A-Za-z0-9._~-]+))*(\/\*[a-zA-Z][a-zA-Z0-9]*)?$/;

/**
 * What is wrong with a route of an extension's own, each in a sentence with its remedy: at a path that the manifest
 * declares, it answers as it likes, behind a permission or openly.
 * @param route the route as a subject: `The route GET /scim/v2/:orgId/Users (Users.list) of the extension scim`
 */
export function ownRouteMistakes(
  { id, permissions }: Extension,
  controller: Type<unknown>,
  method: object,
  path: string,
  route: string,
): string[] {
  if (!SEGMENTS.test(path)) return [`${route} may consist of words, :parameters and, at its end, *rest only.`];
  if (operationOf(method))
    return [
      `${route} is an operation outside of the administrative API. Move it below admin/v1/ext/${id}/ or management/v1/ext/${id}/, or remove @Operation.`,
    ];
  const access = accessOf(controller, method);
  if (!access) return [`${route} does not say who may call it. Add @Requires with a permission, or @Open.`];
  if (access.kind === 'open') return [];
  const { org } = reachOf(method);
  return [
    ...(new Set<string>([...PERMISSIONS, ...permissions.map(({ name }) => name)]).has(access.permission)
      ? []
      : [
          `${route} requires ${access.permission}, which is neither a permission of Gatehouse nor one that the extension declares.`,
        ]),
    ...(org === undefined || path.split('/').includes(`:${org}`)
      ? []
      : [`${route} takes the organization from the parameter :${org}, which its path does not have.`]),
  ];
}
