import { invalidFilter } from '../error/scim-error.js';
import type { ResourceType } from '../schema/resource-type.js';
import type { AttributePath } from './filter.js';

/** Which attributes a filter may name besides those of the resources that are searched. */
export interface Scope {
  readonly type: ResourceType;
  /** The others that one search is about: what they alone have, these do not have (RFC 7644 §3.4.2.1). */
  readonly beside: readonly ResourceType[];
}

/**
 * The declared name behind a path: `name.givenName`, `userName`; undefined for one that only other resources of the
 * search have.
 * @throws ScimError `invalidFilter`
 */
export function declaredName({ type, beside }: Scope, { name, sub }: AttributePath): string | undefined {
  const own = nameIn(type, name, sub);
  if (own !== undefined) return own;
  if (beside.some((other) => nameIn(other, name, sub) !== undefined)) return undefined;
  throw invalidFilter('No attribute has this name.');
}

function nameIn(type: ResourceType, name: string, sub: string | undefined): string | undefined {
  const named = type.find(name);
  if (named.is !== 'attribute') return undefined;
  if (sub === undefined) return named.attribute.name;
  const part = named.attribute.subAttributes.get(sub.toLowerCase());
  return part && `${named.attribute.name}.${part.name}`;
}

/** @throws ScimError `invalidFilter` always: what can be searched has an index */
export function notSearchable(): never {
  throw invalidFilter('Resources cannot be searched by this attribute, or not by this operator.');
}
