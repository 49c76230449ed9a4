import { invalidFilter } from '../error/scim-error.js';
import type { Comparison } from './filter.js';

/** A comparison of moments, as filters of users and of groups say it. */
export type MomentFilter<Field extends string> =
  | { readonly field: Field; readonly is: 'equal' | 'before' | 'after'; readonly value: Date }
  | { readonly not: MomentFilter<Field> };

/** @throws ScimError `invalidFilter` */
export function momentFilter<Field extends string>(
  field: Field,
  operator: Comparison,
  value: Date,
): MomentFilter<Field> {
  switch (operator) {
    case 'eq':
      return { field, is: 'equal', value };
    case 'gt':
      return { field, is: 'after', value };
    case 'lt':
      return { field, is: 'before', value };
    case 'ge':
      return { not: { field, is: 'before', value } };
    case 'le':
      return { not: { field, is: 'after', value } };
    default:
      throw invalidFilter('Moments are compared by eq, ne, gt, ge, lt and le.');
  }
}
